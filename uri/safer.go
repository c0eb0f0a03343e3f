package uri

import "strings"

// unsafeInText has the bytes that AppendSafer escapes: what gateways and national variants
// of ASCII change (1994, "Encoding prohibited characters": "corruption by imperfect gateways
// or misrepresentation due to the use of variant character sets"), and what text uses around
// a reference. unsafeAtEnd has those that belong to a sentence, or mark emphasis, if they
// are at the end.
const (
	unsafeInText = "!\"$'()*,~"
	unsafeAtEnd  = ".-_"
)

// AppendSafer appends s to dst, with the characters escaped that are unsafe in text, and
// returns the extended slice. p is [Split] of s. It "may be made safer simply by encoding any
// characters considered unsafe, while leaving already encoded characters still encoded" (1993
// and 1994, "Encoding prohibited characters"). These are
//
//	! " $ ' ( ) * , ~    and at the end . - _
//
// in path, query and fragment, if the newest member of g, or [Default] if g is empty, has
// them as unreserved characters: "The reserved characters shall however never be arbitrarily
// encoded" (1994). So RFC 3986, which reserves most of them, leaves only the tilde and the
// three. A dot segment remains, and so does the "*" of news, which names all groups.
//
// If the grammar accepts s, it accepts the result, and in all documents but 1993, which does
// not compare, the two are equal; see [Equal]. Making the result safer again does not change
// it. dst must not overlap s. AppendSafer does not allocate if dst has room for three times
// len(s).
func AppendSafer[T Text](dst []byte, s T, p Parts, g Grammar) []byte {
	t := view(s)
	q := p.open()
	if g = g.newest(); len(t) > MaxLen || q.path == q.end {
		return append(dst, t...)
	}
	at := inSame
	if g&latinEscapes != 0 { // 1993, which has no rule of equality, but this one
		at = inData
	}
	last, typed := len(t)-1, int(q.query)
	if q.query == q.end && endsInDots(t[q.path:]) || q.frag+1 == q.end {
		last = len(t)
	}
	if g&typedFTP != 0 {
		if i := strings.LastIndex(t[q.path:q.query], ";type="); i >= 0 {
			typed = int(q.path) + i
		}
	}
	dst = append(dst, t[:q.path]...)
	if t[q.path:q.query] == "*" {
		return append(dst, t[q.path:]...)
	}
	for i := int(q.path); i < len(t); i++ {
		b := t[i]
		unsafe := strings.IndexByte(unsafeInText, b) >= 0 || i == last && strings.IndexByte(unsafeAtEnd, b) >= 0
		if unsafe && allowed[at][b]&g != 0 && !(typed <= i && i < int(q.query)) {
			dst = appendEscape(dst, b)
		} else {
			dst = append(dst, b)
		}
	}
	return dst
}

// endsInDots reports whether the last segment of path is a dot segment.
func endsInDots(path string) bool { return isDots(path[strings.LastIndexByte(path, '/')+1:]) }
