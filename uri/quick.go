package uri

import (
	"math/bits"
	"strings"
)

// Most references of running text are "http://host/path?query", and for these
// there is a short way through [Split], [Accepts] and [Warnings]. One pass (plain.go)
// finds where the parts lie and notes in the Parts what else it has seen: that name
// and path are of bytes that every grammar has in both, so that nobody need look at
// them again. What is not so plain, the rest of a path, a query and a fragment, is
// held against the rows in one loop each.
//
// What the short way cannot say is left to the long one, so that it may leave out
// whatever is rare: ports, users. It knows nothing that rows and forms do
// not; tests hold it to them.

// Marks that Parts have beside the offsets.
const (
	plainHTTP = 1 << iota // http or https, "://", and a plain name with a letter first or four numbers, alone
	slashPair             // two slashes stand in a row in the path, as far as it is plain
	oddPath               // the path has bytes that are not plain
	plainMail             // mailto, a plain mailbox, and no fragment: see quickmail.go
)

// splitHTTP is split for what begins with "http://" or "https://", which is lo
// bytes long. It gives up where a byte that is not plain might end a user or a
// host.
func splitHTTP(s string, lo int) Parts {
	if len(s) == lo || !isAlpha(s[lo]) && !isDigit(s[lo]) {
		return splitAny(s)
	}
	at, path, marks := lo, 0, uint32(plainHTTP)
	if hasAVX2 && len(s) >= 16 {
		at, path, marks = headMarks(s, lo)
	}
	if at == lo || at == headLen {
		at, path, marks = plainRun(s, at, path, marks)
	}
	query, frag := at, len(s)
	switch {
	case at >= len(s):
		query = len(s)
	case s[at] == '#':
		frag = at
	case s[at] != '?' && path == 0:
		return splitAny(s)
	default:
		if n := hashFrom(s, at); n >= 0 {
			frag = n
		}
		if s[at] != '?' { // the path goes on, and is not plain
			marks |= oddPath
			query = frag
			if n := strings.IndexByte(s[at:frag], '?'); n >= 0 {
				query = at + n
			}
		}
	}
	if path == 0 {
		path = query
	}
	if isDigit(s[lo]) && !isHostNumber(s[lo:path]) {
		marks = 0
	}
	return packed(lo-3, lo, path, path, query, frag, len(s), marks)
}

// hashFrom returns where the first '#' of s[at:] is in s, or -1. What is left of s
// is often a few bytes, for which IndexByte takes long. s has eight bytes or more.
func hashFrom(s string, at int) int {
	if at+8 < len(s) {
		if n := strings.IndexByte(s[at:], '#'); n >= 0 {
			return at + n
		}
		return -1
	}
	x := word(s, len(s)-8)>>(8*(at+8-len(s))&63) ^ '#'*ones
	if m := (x - ones) &^ x & tops; m != 0 { // the lowest mark is right
		return at + bits.TrailingZeros64(m)/8
	}
	return -1
}

// isHostNumber reports whether host is four numbers with dots between, as all
// grammars have it: 1993 and 1994, hostnumber. To the newer ones it is a name.
func isHostNumber(host string) bool {
	n, ok := hostLen(host, URL1993)
	return ok && n == len(host)
}

// quick returns those of set that take s, and whether it knows. The set must have
// a member. Path, query and fragment are passed over once each, or a second time for
// pairs of bytes.
func quick(s string, p Parts, set Grammar) (Grammar, bool) {
	marks := uint32(p.d >> 32)
	if marks&plainHTTP == 0 {
		if marks&plainMail != 0 {
			return quickMail(s, p, set)
		}
		return 0, false
	}
	query, frag, end := uint32(p.c), uint32(p.c>>32), uint32(p.d)
	if uint32(p.a) != uint32(len("http")) { // https, which those that go by schemes have not
		set &^= perScheme
	}
	have, words := set|noEscape, ^Grammar(0)
	if marks&oddPath != 0 {
		path := s[uint32(p.b>>32):query]
		bytes := common(path, &allowed[inPath])
		if have &= bytes; bytes&plainPath == 0 { // some have bytes of their own there, but not for http
			have &^= typedPaths
		}
		if have&perScheme != 0 && strings.Contains(path, "//") {
			marks |= slashPair
		}
	}
	if marks&slashPair != 0 { // no segment of theirs is empty
		have &^= perScheme
	}
	if query != frag {
		words = common(s[query+1:frag], &allowed[inQuery])
		have &= words
	}
	if frag != end {
		have &= common(s[frag+1:end], &allowed[inFragment]) &^ withoutFragment
	}
	set = have &^ noEscape
	if set == 0 || have&noEscape == 0 && !digitsFollow(s[uint32(p.b>>32):]) {
		return 0, false
	}
	if set&perScheme == 0 {
		return set, true
	}
	if words&noPlus != 0 {
		return set, query == frag || query+1 < frag
	}
	part, before := s[query+1:frag], byte('+') // words are parted as in searchFault
	for i := range len(part) {
		if part[i] == '+' && before == '+' {
			return 0, false
		}
		before = part[i]
	}
	return set, before != '+'
}

// digitsFollow reports whether two hexadecimal digits follow each '%' of s. No mark
// between two parts is a digit, so that s may be several.
func digitsFollow(s string) bool {
	for { // each turn goes on behind a '%'
		n := strings.IndexByte(s, '%')
		if n < 0 {
			return true
		}
		if !escapeAt(s, n) {
			return false
		}
		s = s[n+1:]
	}
}

// common returns what all bytes of part have at a place, or every bit if there are
// none. Most texts are good, so that the loop asks nothing. It takes eight bytes a
// turn, and those at the end once more if they are not as many.
func common(part string, at *[256]Grammar) Grammar {
	have := ^Grammar(0)
	if len(part) < 8 {
		for i := range len(part) {
			have &= at[part[i]]
		}
		return have
	}
	end := part[len(part)-8:]
	for ; len(part) > 8; part = part[8:] {
		have &= at[part[0]] & at[part[1]] & at[part[2]] & at[part[3]] &
			at[part[4]] & at[part[5]] & at[part[6]] & at[part[7]]
	}
	return have & at[end[0]] & at[end[1]] & at[end[2]] & at[end[3]] &
		at[end[4]] & at[end[5]] & at[end[6]] & at[end[7]]
}

// harmless reports that [Warnings] says nothing of s, or false where it does not
// know. It passes over the host once, and over what is not plain.
func harmless(s string, p Parts) bool {
	marks, lo, path := uint32(p.d>>32), int(p.a>>32), int(p.b>>32)
	if marks&plainHTTP == 0 {
		return marks&plainMail != 0 && !hasControl(s[uint32(p.c):])
	}
	if host := s[lo:path]; isDigit(host[0]) { // it is a number
		if ip4(host) >= 0 {
			return false
		}
	} else if !isAlpha(host[len(host)-1]) || len(host) > 63 || hasPair(s, lo, path) {
		return false
	}
	if marks&oddPath != 0 {
		return !hasControl(s[path:])
	}
	return !hasControl(s[uint32(p.c):])
}

// hasPair reports whether of the dots and hyphens in the plain bytes s[lo:hi] two
// stand in a row, so that a label may be empty, or begin or end with a hyphen. It
// may see such behind hi, too. s has eight bytes or more.
func hasPair(s string, lo, hi int) bool {
	last := uint64(0) // the marks of the word before
	for at := lo; at < hi; at += 8 {
		if at+8 > len(s) {
			at, last = len(s)-8, 0 // which sees what is before at again
		}
		x := word(s, at)
		m := ((tops - (x ^ '.'*ones)) | (tops - (x ^ '-'*ones))) & tops
		if m&(m<<8|last>>56) != 0 {
			return true
		}
		last = m
	}
	return false
}
