package mail

import (
	"bytes"
	"unicode/utf8"
)

// Values with parameters (RFC 2045, section 5.1; RFC 2183; RFC 2231) are parsed as mail
// programs write them: with comments, blanks around '=', quotes that are not closed, and
// missing or extra semicolons.

// byteSet is a set of bytes.
type byteSet [256]bool

var (
	endsToken   = byteSet{';': true, '(': true, ' ': true, '\t': true, ',': true}
	endsName    = byteSet{'=': true, ';': true, ' ': true, '\t': true, '(': true, '"': true}
	beginsBlank = byteSet{' ': true, '\t': true, '(': true} // white space and comments
)

// indexOf returns the index of the first byte of v that is in set, or -1. bytes.IndexAny makes
// such a set in each call, which costs more than searching these short words.
func indexOf(v []byte, set *byteSet) int {
	for i, c := range v {
		if set[c] {
			return i
		}
	}
	return -1
}

// token returns the first word of a value, without quotes: up to a semicolon, a comment or
// a blank.
func token(v []byte) []byte {
	if len(v) == 0 {
		return nil
	}
	v = bytes.TrimLeft(v, " \t\"")
	if k := indexOf(v, &endsToken); k >= 0 {
		v = v[:k]
	}
	return bytes.TrimRight(v, "\"")
}

// A param is one parameter, as written.
type param struct {
	name, value []byte
	quoted      bool
}

// nextParam returns the next parameter of v and the rest. ok is false if there is none.
// It consumes what it examines; only comments may be examined twice.
func nextParam(v []byte) (p param, rest []byte, ok bool) {
	for {
		v = skipBlank(v)
		if len(v) == 0 {
			return p, nil, false
		}
		if v[0] == ';' || v[0] == ',' || v[0] == '=' || v[0] == '"' {
			v = v[1:]
			continue
		}
		k := indexOf(v, &endsName)
		if k < 0 {
			return p, nil, false
		}
		name := v[:k]
		v = skipBlank(v[k:])
		if len(v) == 0 || v[0] != '=' || len(name) == 0 { // a word without a value
			continue
		}
		p.name = name
		p.value, v, p.quoted = paramValue(skipBlank(v[1:]))
		return p, v, true
	}
}

// paramValue returns the value at the beginning of v, without quotes but with its escapes.
// A value without quotes ends at a semicolon, at a comment, or at a blank that a name and
// '=' follow.
func paramValue(v []byte) (value, rest []byte, quoted bool) {
	if len(v) > 0 && v[0] == '"' {
		for i := 1; i < len(v); i++ {
			switch v[i] {
			case '\\':
				i++
			case '"':
				return v[1:i], v[i+1:], true
			}
		}
		v = v[1:] // the quote is not closed: the value ends at the next semicolon
		k := bytes.IndexByte(v, ';')
		if k < 0 {
			k = len(v)
		}
		return bytes.TrimSpace(v[:k]), v[k:], true
	}
	// File names with blanks in them are written without quotes too.
	end := bytes.IndexByte(v, ';')
	if end < 0 {
		end = len(v)
	}
	if k := indexOf(v[:end], &beginsBlank); k >= 0 {
		next := skipBlank(v[k:end])
		name := bytes.IndexAny(next, "= \t")
		if len(next) == 0 || name > 0 && next[name] == '=' || v[k] == '(' {
			return v[:k], v[k:], false
		}
	}
	return bytes.TrimSpace(v[:end]), v[end:], false
}

// commentMax is the length of the longest comment. Longer text is not a comment.
const commentMax = 96

// skipBlank skips white space and comments, which nest (RFC 5322, section 3.2.2).
func skipBlank(v []byte) []byte {
	for {
		for len(v) > 0 && (v[0] == ' ' || v[0] == '\t') { // at least one byte in each iteration
			v = v[1:]
		}
		if len(v) == 0 || v[0] != '(' {
			return v
		}
		depth, i := 0, 0
		for ; i < len(v) && i < commentMax; i++ {
			switch v[i] {
			case '\\':
				i++
			case '(':
				depth++
			case ')':
				depth--
			}
			if depth == 0 {
				break
			}
		}
		if depth > 0 {
			return v[1:]
		}
		v = v[i+1:]
	}
}

// passes is how often a value is scanned for one parameter whose pieces are in the wrong
// order.
const passes = 4

// appendParam appends to dst the value of the parameter called name; name is in lower case. If
// there are several such parameters, it takes the first. Pieces are joined and escapes decoded
// (RFC 2231, sections 3 and 4). ok reports whether there is such a parameter. The charset that
// the value names is ignored, so the result may not be UTF-8.
func appendParam(dst, value []byte, name string) (_ []byte, ok bool) {
	want, more := 0, true // the next piece, and whether a later one was seen
	for n := 0; n < passes && more; n++ {
		more = false
		for rest := value; ; {
			p, r, found := nextParam(rest)
			if !found {
				break
			}
			rest = r
			kind, piece, extended := section(p.name, name)
			switch {
			case kind == noSection:
			case kind == wholeValue && want == 0:
				return p.appendTo(dst, extended, true), true
			case kind == pieceOf && piece == want:
				dst = p.appendTo(dst, extended, want == 0)
				want++
			case kind == pieceOf && piece > want:
				more = true
			}
		}
		if want == 0 {
			break // the first piece is missing
		}
	}
	return dst, want > 0
}

// A sectionKind says what a parameter contributes to the value of the wanted one.
type sectionKind uint8

const (
	noSection  sectionKind = iota // another parameter
	wholeValue                    // all of it
	pieceOf                       // a numbered piece (RFC 2231, section 3)
)

// section decides whether have, the name of a parameter, is name, name*, name*0 or name*0*.
func section(have []byte, name string) (kind sectionKind, piece int, extended bool) {
	if len(have) < len(name) || !same(have[:len(name)], []byte(name)) {
		return noSection, 0, false
	}
	rest := have[len(name):]
	if len(rest) == 0 {
		return wholeValue, 0, false
	}
	if rest[0] != '*' {
		return noSection, 0, false
	}
	if len(rest) == 1 {
		return wholeValue, 0, true
	}
	rest = rest[1:]
	if rest[len(rest)-1] == '*' {
		rest, extended = rest[:len(rest)-1], true
	}
	n, ok := number(rest)
	if !ok || len(rest) > 4 {
		return noSection, 0, false
	}
	return pieceOf, int(n), extended
}

// appendTo appends the value without its escapes. first says whether a charset and a
// language may be in front of it.
func (p param) appendTo(dst []byte, extended, first bool) []byte {
	v := p.value
	if extended && first {
		if k := bytes.IndexByte(v, '\''); k >= 0 {
			if m := bytes.IndexByte(v[k+1:], '\''); m >= 0 {
				v = v[k+1+m+1:]
			}
		}
	}
	for i := 0; i < len(v); i++ {
		c := v[i]
		switch {
		case extended && c == '%' && i+2 < len(v) && hex(v[i+1]) >= 0 && hex(v[i+2]) >= 0:
			c = byte(hex(v[i+1])<<4 | hex(v[i+2]))
			i += 2
		case p.quoted && c == '\\' && i+1 < len(v):
			i++
			c = v[i]
		}
		dst = append(dst, c)
	}
	return dst
}

// hex returns the value of a hexadecimal digit, or -1.
func hex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

// readable returns b as a string of UTF-8.
func readable(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	return string(bytes.ToValidUTF8(b, []byte("\uFFFD")))
}

// number returns the value of w if it is 1 to 18 digits.
func number(w []byte) (n int64, ok bool) {
	if len(w) == 0 || len(w) > 18 {
		return 0, false
	}
	for _, c := range w {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, true
}

// alnum reports whether c is a letter or digit of ASCII.
func alnum(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// same compares names and ignores case.
func same(a, b []byte) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] && (a[i]|0x20 != b[i]|0x20 || !alnum(a[i])) {
			return false
		}
	}
	return true
}
