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
		for len(v) > 0 && (v[0] == ' ' || v[0] == '\t') {
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

// A valueParser parses the values of fields that say what a part is.
type valueParser struct {
	scratch []byte
	last    mediaType
	strings interned
}

// A mediaType is the parsed value of a Content-Type. The last one is kept: the header and the body
// of a message have the same value, and so have most messages of a stream. If it were not kept, the
// text parts of mail with short bodies would take 1.06 times the instructions, and those of tiny
// messages with two parts 1.16 times.
type mediaType struct {
	value         []byte // of internMax bytes at most
	name, charset string
	flowed, delSp bool
}

// params returns what follows the [token] of a value.
func params(value []byte) []byte {
	value = bytes.TrimLeft(value, " \t\"")
	if k := indexOf(value, &endsToken); k >= 0 {
		return value[k:]
	}
	return nil
}

// mediaType sets the fields of p that follow from Content-Type. If that field is missing or has no
// '/', the default is set (RFC 2045, section 5.2; RFC 2046, section 5.1.5). In a digest the default
// is message/rfc822.
func (v *valueParser) mediaType(p *Part, value []byte, digest bool) {
	m := &v.last
	if len(value) == 0 {
		p.Type, p.Charset, p.Flowed, p.DelSp = "text/plain", "", false, false
		if digest {
			p.Type = "message/rfc822"
		}
		return
	}
	if digest || !bytes.Equal(value, m.value) {
		v.parseType(p, value, digest)
		if len(value) > internMax || digest {
			return
		}
		*m = mediaType{append(m.value[:0], value...), p.Type, p.Charset, p.Flowed, p.DelSp}
	}
	p.Type, p.Charset, p.Flowed, p.DelSp = m.name, m.charset, m.flowed, m.delSp
}

// parseType is mediaType for a value that differs from the last one.
func (v *valueParser) parseType(p *Part, value []byte, digest bool) {
	p.Charset, p.Flowed, p.DelSp = "", false, false
	t := token(value)
	if k := bytes.IndexByte(t, '/'); k <= 0 || k == len(t)-1 {
		p.Type = "text/plain"
		if digest && len(t) == 0 {
			p.Type = "message/rfc822"
		}
	} else {
		v.scratch = lower(v.scratch[:0], t)
		p.Type = v.strings.of(v.scratch)
	}
	value = params(value)
	p.Charset = v.lowParam(value, "charset")
	p.Flowed = p.Type == "text/plain" && v.lowParam(value, "format") == "flowed"
	p.DelSp = p.Flowed && v.lowParam(value, "delsp") == "yes"
}

// lowParam returns a parameter in lower case without surrounding white space.
func (v *valueParser) lowParam(value []byte, name string) string {
	var ok bool
	v.scratch, ok = appendParam(v.scratch[:0], value, name)
	if !ok {
		return ""
	}
	b := bytes.Trim(v.scratch, " \t'\"")
	return v.strings.of(lower(b[:0], b))
}

// boundary returns the boundary of a multipart, or nil if value has none or an invalid one. The
// slice may be used until the next call of a method of v.
func (v *valueParser) boundary(value []byte) []byte {
	var ok bool
	v.scratch, ok = appendParam(v.scratch[:0], params(value), "boundary")
	b := bytes.TrimRight(v.scratch, " \t")
	if !ok || len(b) == 0 || len(b) > boundaryMax {
		return nil
	}
	return b
}

// encoding returns the transfer encoding in value (RFC 2045, section 6.1), or "" for the identity.
// Programs write "x-base64", "base 64" and "quoted printable" too: of the two encodings that are
// decoded and of the identity, only letters and digits count.
func (v *valueParser) encoding(value []byte) string {
	if len(value) == 0 {
		return ""
	}
	v.scratch = v.scratch[:0]
	for rest := value; ; rest = rest[1:] { // each iteration passes a comment or a byte
		if rest = skipBlank(rest); len(rest) == 0 || rest[0] == ';' {
			break
		}
		if c := rest[0]; alnum(c) {
			v.scratch = lower(v.scratch, rest[:1])
		}
	}
	name, known := encodings[string(bytes.TrimPrefix(v.scratch, []byte{'x'}))]
	if !known { // the first word may be known
		v.scratch = lower(v.scratch[:0], token(value))
		if name, known = encodings[string(v.scratch)]; !known {
			name = v.strings.of(v.scratch)
		}
	}
	return name
}

// encodings has what [valueParser.encoding] returns for the names that it knows.
var encodings = map[string]string{
	"": "", "7bit": "", "8bit": "", "binary": "", "none": "",
	"base64": "base64", "quotedprintable": "quoted-printable", "quoted-printable": "quoted-printable",
}

// fileName returns the file name in the values of Content-Disposition (RFC 2183, section
// 2.3), or else of Content-Type.
func (v *valueParser) fileName(disposition, contentType []byte) string {
	var ok bool
	if len(disposition) > 0 {
		if v.scratch, ok = appendParam(v.scratch[:0], params(disposition), "filename"); ok {
			return readable(v.scratch)
		}
	}
	if v.scratch, ok = appendParam(v.scratch[:0], params(contentType), "name"); !ok {
		return ""
	}
	return readable(v.scratch)
}

// partNumber returns the number in value, the Content-Type of a message/partial; 0 if there is none.
func (v *valueParser) partNumber(value []byte) (n int64) {
	v.scratch, _ = appendParam(v.scratch[:0], params(value), "number")
	n, _ = number(bytes.TrimSpace(v.scratch))
	return n
}
