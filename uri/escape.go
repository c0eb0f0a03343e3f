package uri

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// AppendEscaped appends s to dst, with the bytes escaped that [Default] does not
// allow, and returns the extended slice. It repairs text that people wrote by hand.
// It is not for data, because delimiters remain delimiters; see [AppendData].
//
//   - In path, query and fragment each byte that the component does not allow is
//     escaped: spaces, quotes, "<>", the unwise characters, controls, the bytes of
//     non-ASCII characters, brackets (except in an opaque part), and a second '#'
//     (2002, section 2.4.3). So is a '%' that begins no escape: it becomes "%25".
//   - In an authority only non-ASCII letters, marks, digits, symbols and joiners are
//     escaped, as UTF-8. Other errors there remain.
//   - Escapes and the scheme are unchanged.
//
// Characters beyond ASCII are escaped by the rules of the newest member of g, or of
// [Default] if g is empty. In url-1993 an escape is "the ISO Latin 1 code for that
// character" ("Encoding prohibited characters"), so that "é" becomes "%E9" there. By the
// other documents the octets of its UTF-8 are escaped: "é" becomes "%C3%A9". The same is
// done in url-1993 with a character that is not in ISO Latin 1.
//
// A text that Default accepts is unchanged. The result has the same components, and
// escaping it again does not change it. Default may still reject it. dst must not
// overlap s. AppendEscaped does not allocate if dst has room for three times len(s).
func AppendEscaped[T Text](dst []byte, s T, g Grammar) []byte {
	return appendEscaped(dst, view(s), g.Newest()&latinEscapes != 0)
}

// appendEscaped is AppendEscaped for a string. If latin is true, an escape is a character
// of ISO 8859-1; otherwise it is an octet of UTF-8.
func appendEscaped(dst []byte, s string, latin bool) []byte {
	if len(s) > MaxLen {
		return append(dst, s...)
	}
	p := split(s)
	path, query := &allowed[inPath], &allowed[inQuery]
	if p.isOpaque(s) {
		path, query = &allowed[inOpaque], &allowed[opaqueQuery]
	}
	from := p.schemeEnd()
	dst = append(dst, s[:from]...)
	dst = appendAuthority(dst, s[from:p.path], latin)
	dst = appendPart(dst, s[p.path:p.query], path, latin)
	if p.query != p.frag {
		dst = append(dst, '?')
		dst = appendPart(dst, s[p.query+1:p.frag], query, latin)
	}
	if p.frag != p.end {
		dst = append(dst, '#')
		dst = appendPart(dst, s[p.frag+1:], &allowed[inFragment], latin)
	}
	return dst
}

// appendPart appends part, with the bytes escaped that Default does not allow. at[b] is the set of
// grammars that allow the byte b in this component.
func appendPart(dst []byte, part string, at *[256]Grammar, latin bool) []byte {
	done := 0
	for i := 0; i < len(part); i++ {
		if at[part[i]]&Default == 0 || part[i] == '%' && !escapeAt(part, i) {
			dst = append(dst, part[done:i]...)
			n := 1
			if b, ok := latin1(part[i:]); ok && latin {
				dst, n = appendEscape(dst, b), 2
			} else {
				dst = appendEscape(dst, part[i])
			}
			i += n - 1
			done = i + 1
		}
	}
	return append(dst, part[done:]...)
}

// isJoiner reports whether r joins letters or symbols of a host: the dots of Catalan and Japanese,
// and the joiners of scripts and emoji.
func isJoiner(r rune) bool { return r == 0xB7 || r == 0x30FB || r == 0x200C || r == 0x200D }

// appendAuthority appends auth with its non-ASCII letters and symbols escaped.
func appendAuthority(dst []byte, auth string, latin bool) []byte {
	done := 0
	for i := 0; i < len(auth); {
		if auth[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(auth[i:])
		if unicode.In(r, unicode.Letter, unicode.Mark, unicode.N, unicode.S) && r != unicode.ReplacementChar || isJoiner(r) {
			dst = append(dst, auth[done:i]...)
			octets := auth[i : i+n]
			if b, ok := latin1(octets); latin && ok {
				dst, octets = appendEscape(dst, b), ""
			}
			for j := range len(octets) { // at most four
				dst = appendEscape(dst, octets[j])
			}
			done = i + n
		}
		i += n
	}
	return append(dst, auth[done:]...)
}

// latin1 returns the code in ISO Latin 1 of the character at the beginning of s. ok is
// false if the character is ASCII or has no such code. The others have two bytes in UTF-8.
func latin1(s string) (code byte, ok bool) {
	if len(s) < 2 || s[0]&^1 != 0xC2 || s[1]&0xC0 != 0x80 {
		return 0, false
	}
	return s[0]<<6 | s[1]&0x3F, true
}

// appendEscape appends the escape of b, in upper case.
func appendEscape(dst []byte, b byte) []byte {
	const digits = "0123456789ABCDEF"
	return append(dst, '%', digits[b>>4], digits[b&15])
}

// AppendUnescaped appends s to dst with its escapes decoded once, and returns the
// extended slice: "%2541" becomes "%41". A '%' that begins no escape is unchanged.
// Split a component at its delimiters first and unescape the pieces after that (2002,
// section 2.4.2). The result may contain any bytes. dst must not overlap s.
// AppendUnescaped does not allocate if dst has room for len(s) bytes.
func AppendUnescaped[T Text](dst []byte, s T) []byte {
	t := view(s)
	for i := 0; i < len(t); i++ {
		if escapeAt(t, i) {
			dst = append(dst, unhex(t[i+1])<<4|unhex(t[i+2]))
			i += 2
		} else {
			dst = append(dst, t[i])
		}
	}
	return dst
}

// AppendRedacted appends s to dst, with "***" in place of the password in its userinfo, unless the
// password is missing or empty, and returns the extended slice. p is [Split] of s. A prefix "URL:"
// (1994) is skipped. dst must not overlap s. AppendRedacted does not allocate if dst has room for
// len(s)+3 bytes.
func AppendRedacted[T Text](dst []byte, s T, p Parts) []byte {
	t := view(s)
	q := p.unpack()
	lo, hi := q.password(t)
	if n := prefixLen(t, &q); n > 0 {
		rest := split(t[n:])
		lo, hi = rest.password(t[n:])
		lo, hi = lo+n, hi+n
	}
	if lo == hi {
		return append(dst, t...)
	}
	dst = append(dst, t[:lo]...)
	dst = append(dst, "***"...)
	return append(dst, t[hi:]...)
}

// unsafeInText has the bytes that AppendSafer escapes. Gateways and national variants of
// ASCII change some of them (1994, "Encoding prohibited characters": "corruption by
// imperfect gateways or misrepresentation due to the use of variant character sets"); the others
// often surround a reference in text. unsafeAtEnd has the bytes that are escaped at the end of a
// reference, where they would end a sentence or mark emphasis.
const (
	unsafeInText = "!\"$'()*,~"
	unsafeAtEnd  = ".-_"
)

// AppendSafer appends s to dst, with the characters escaped that are unsafe in text, and
// returns the extended slice. p is [Split] of s. A reference "may be made safer simply by
// encoding any characters considered unsafe, while leaving already encoded characters still
// encoded" (1993 and 1994, "Encoding prohibited characters"). The unsafe characters are
//
//	! " $ ' ( ) * , ~    and at the end . - _
//
// in path, query and fragment. Only those are escaped that the grammar does not reserve:
// "The reserved characters shall however never be arbitrarily encoded" (1994). The grammar
// is the newest member of g, or [Default] if g is empty. RFC 3986 reserves most of them,
// so by it only the tilde and the last three are escaped. A dot segment remains, and so
// does the "*" of news, which names all groups.
//
// If the grammar accepts s, it accepts the result, and s and the result are equal; see [Equal].
// Only 1993 has no rule that makes these two equal. Making the result safer again does not change
// it. dst must not overlap s. AppendSafer does not allocate if dst has room for three times len(s).
func AppendSafer[T Text](dst []byte, s T, p Parts, g Grammar) []byte {
	t := view(s)
	q := p.unpack()
	g = g.Newest()
	if n := prefixLen(t, &q); n > 0 && g&wholePrefix != 0 { // what follows has an authority of its own
		dst, t = append(dst, t[:n]...), t[n:]
		q = split(t)
	}
	if len(t) > MaxLen || q.path == q.end {
		return append(dst, t...)
	}
	at := inSame
	if g&latinEscapes != 0 { // 1993 has no row for inSame
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
func endsInDots(path string) bool { return isDotSegment(path[strings.LastIndexByte(path, '/')+1:]) }

// prefixLen returns the length of the prefix "URL:" of s (1994, prefixedurl), or 0.
func prefixLen(s string, p *offsets) int {
	const prefix = "url:"
	if len(s) < len(prefix) || p.scheme != 3 || !strings.EqualFold(s[:len(prefix)], prefix) {
		return 0
	}
	// There may be several prefixes. This loop skips them all, so that Warnings calls
	// itself only once.
	n := len(prefix)
	for len(s)-n >= len(prefix) && strings.EqualFold(s[n:n+len(prefix)], prefix) {
		n += len(prefix)
	}
	return n
}

// unhex returns the value of a hexadecimal digit.
func unhex(b byte) byte {
	if b <= '9' {
		return b - '0'
	}
	return b&0x0f + 9
}
