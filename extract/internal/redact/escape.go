package redact

import (
	"math/bits"
	"unicode"
)

// The levels of a character are the escapes that were decoded to get it, the outermost first, in
// kindBits bits each. A character that is not escaped has 0. There are at most maxPasses+1 levels.
type levels uint64

// An escaping is a way to escape a character.
type escaping uint8

const (
	percent   escaping = iota + 1 // %3A
	entity                        // &#58; &#x3a; &colon;
	doubtful                      // an entity without its semicolon
	backslash                     // \u003a \x3a \072 \/
	defanged                      // [:]
	wide                          // a look-alike of a character, or more bytes of UTF-8 than it needs
	utf7Run                       // +ADo-
	quoted                        // =3A
)

const kindBits = 4

// size returns the number of levels, times kindBits.
func (l levels) size() int { return (bits.Len64(uint64(l)) + kindBits - 1) / kindBits * kindBits }

// under returns l with a level of kind k around it.
func (l levels) under(k escaping) levels { return l | levels(k)<<l.size() }

// has reports whether one of l is of kind k.
func (l levels) has(k escaping) bool {
	for ; l != 0; l >>= kindBits { // at most maxPasses+1
		if escaping(l&(1<<kindBits-1)) == k {
			return true
		}
	}
	return false
}

// within reports whether undoing the levels m in order also undoes l, that is, whether l
// is m with some levels left out. A program that undoes an entity without its semicolon
// also undoes one with it.
func (l levels) within(m levels) bool {
	for ; l != 0; m >>= kindBits { // at most as many as m has levels
		if m == 0 {
			return false
		}
		want, have := escaping(l&(1<<kindBits-1)), escaping(m&(1<<kindBits-1))
		if want == have || want == entity && have == doubtful {
			l >>= kindBits
		}
	}
	return true
}

// common returns the outermost levels that l and m share.
func (l levels) common(m levels) levels {
	if l == m {
		return l
	}
	same := bits.TrailingZeros64(uint64(l^m)) / kindBits * kindBits
	return l & (1<<same - 1)
}

// isLead has the bytes with which an escape may begin.
var isLead = func() (is [256]bool) {
	for _, c := range []byte("%&\\[({=+" + wideLeads) {
		is[c] = true
	}
	return is
}()

// escapeAt returns the escape at the beginning of glyphs, and its length, or 0.
func escapeAt(glyphs []glyph) (e escape, size int) {
	switch glyphs[0].char {
	case '%':
		if c, ok := hex(glyphs[1:], 2); ok {
			return one(byte(c), percent), 3
		}
		if len(glyphs) > 1 && glyphs[1].char|0x20 == 'u' { // an escape of ECMAScript
			if r, ok := hex(glyphs[2:], 4); ok {
				return one(folded(r), percent), 6
			}
		}
	case '=':
		if c, ok := hex(glyphs[1:], 2); ok && means(byte(c)) {
			return one(byte(c), quoted), 3
		}
	case '+':
		return utf7At(glyphs)
	case '&':
		return entityAt(glyphs)
	case '\\':
		return backslashAt(glyphs)
	case '[', '(', '{':
		for i := range fangs {
			if f := &fangs[i]; begins(glyphs, f.as) {
				return escape{text: f.is, size: f.size, kind: defanged}, len(f.as)
			}
		}
	default:
		return wideAt(glyphs)
	}
	return escape{}, 0
}

// fangs are the defanged spellings that people use so that programs make no link.
var fangs = [...]struct {
	as   string
	is   [3]byte
	size int
}{
	{"[:]", [3]byte{':'}, 1}, {"(:)", [3]byte{':'}, 1}, {"{:}", [3]byte{':'}, 1},
	{"[/]", [3]byte{'/'}, 1}, {"(/)", [3]byte{'/'}, 1}, {"{/}", [3]byte{'/'}, 1},
	{"[@]", [3]byte{'@'}, 1}, {"(@)", [3]byte{'@'}, 1}, {"{@}", [3]byte{'@'}, 1},
	{"[at]", [3]byte{'@'}, 1}, {"(at)", [3]byte{'@'}, 1}, {"{at}", [3]byte{'@'}, 1},
	{"[://]", [3]byte{':', '/', '/'}, 3}, {"(://)", [3]byte{':', '/', '/'}, 3}, {"{://}", [3]byte{':', '/', '/'}, 3},
	{"[.]", [3]byte{'.'}, 1}, {"(.)", [3]byte{'.'}, 1}, {"{.}", [3]byte{'.'}, 1},
	{"[dot]", [3]byte{'.'}, 1}, {"(dot)", [3]byte{'.'}, 1}, {"{dot}", [3]byte{'.'}, 1},
	{"[//]", [3]byte{'/', '/'}, 2}, {"(//)", [3]byte{'/', '/'}, 2}, {"{//}", [3]byte{'/', '/'}, 2},
}

// entities are the named entities of characters that matter here. Case is ignored.
var entities = [...]struct {
	name string
	is   byte
}{
	{"amp", '&'}, {"colon", ':'}, {"sol", '/'}, {"commat", '@'}, {"percnt", '%'}, {"bsol", '\\'}, {"num", '#'}, {"quest", '?'},
	{"semi", ';'}, {"lsqb", '['}, {"lbrack", '['}, {"rsqb", ']'}, {"rbrack", ']'}, {"lpar", '('}, {"rpar", ')'},
	{"lcub", '{'}, {"lbrace", '{'}, {"rcub", '}'}, {"rbrace", '}'}, {"tab", '\t'}, {"newline", '\n'},
}

// entityAt returns the entity at the beginning of glyphs, whose first glyph is '&'. An entity
// without its semicolon is doubtful.
func entityAt(glyphs []glyph) (e escape, size int) {
	if begins(glyphs, "&#") {
		n, base := 2, 10
		if len(glyphs) > n && glyphs[n].char|0x20 == 'x' {
			n, base = 3, 16
		}
		value, first := 0, n
		for n < len(glyphs) { // linear in all: no digit belongs to two entities
			d := digit(glyphs[n].char)
			if d >= base {
				break
			}
			value = min(value*base+d, 0x110000)
			n++
		}
		if n == first {
			return escape{}, 0
		}
		return ended(glyphs, one(folded(uint32(value)), entity), n)
	}
	for i := range entities {
		if t := &entities[i]; len(glyphs) > 1 && glyphs[1].char|0x20 == t.name[0] && begins(glyphs[1:], t.name) {
			return ended(glyphs, one(t.is, entity), 1+len(t.name))
		}
	}
	return escape{}, 0
}

// ended returns e and its length, including the semicolon after n glyphs if there is one.
func ended(glyphs []glyph, e escape, n int) (escape, int) {
	if n < len(glyphs) && glyphs[n].char == ';' {
		return e, n + 1
	}
	e.kind = doubtful
	return e, n
}

// backslashAt returns the escape of JSON, JavaScript, C or CSS at the beginning of glyphs,
// whose first glyph is '\'.
func backslashAt(glyphs []glyph) (e escape, size int) {
	if len(glyphs) < 2 {
		return escape{}, 0
	}
	switch glyphs[1].char {
	case '/', '.':
		return one(glyphs[1].char, backslash), 2
	case 'x', 'X':
		if c, ok := hex(glyphs[2:], 2); ok {
			return one(byte(c), backslash), 4
		}
	case 'u', 'U':
		if len(glyphs) > 2 && glyphs[2].char == '{' {
			r, n := digits(glyphs[3:], 16, 8)
			if n > 0 && n+3 < len(glyphs) && glyphs[n+3].char == '}' {
				return one(folded(r), backslash), n + 4
			}
			return escape{}, 0
		}
		if r, ok := hex(glyphs[2:], 8); ok && glyphs[1].char == 'U' && r <= unicode.MaxRune {
			return one(folded(r), backslash), 10
		}
		if r, ok := hex(glyphs[2:], 4); ok {
			return one(folded(r), backslash), 6
		}
	default:
		return numberAt(glyphs)
	}
	return escape{}, 0
}

// numberAt returns the escape of C (octal) or of CSS (hexadecimal) at the beginning of glyphs.
// Few numbers are valid escapes in both languages and represent a character that matters.
func numberAt(glyphs []glyph) (e escape, size int) {
	if r, n := digits(glyphs[1:], 8, 3); n > 1 && r < 0x100 && (means(byte(r)) || n == 3 && r >= 0x80) {
		return one(byte(r), backslash), 1 + n
	}
	r, n := digits(glyphs[1:], 16, 6)
	if c := folded(r); n > 1 && means(c) {
		e = one(c, backslash)
		e.ended = n+1 < len(glyphs) && (glyphs[n+1].char == ' ' || isBreak(glyphs[n+1].char))
		return e, n + 1
	}
	return escape{}, 0
}

// hex returns the value of the n hexadecimal digits at the beginning of glyphs; n is at
// most 8.
func hex(glyphs []glyph, n int) (value uint32, ok bool) {
	value, have := digits(glyphs, 16, n)
	return value, have == n
}

// digits reads the digits at the beginning of glyphs, but no more than the limit most, which is 8
// or less. It returns their value and their number.
func digits(glyphs []glyph, base, most int) (value uint32, n int) {
	for n < min(most, len(glyphs)) {
		d := digit(glyphs[n].char)
		if d >= base {
			break
		}
		value = value*uint32(base) + uint32(d)
		n++
	}
	return value, n
}

// Three kinds of characters are decoded here: those that are encoded with more bytes than needed;
// those that look like other characters, to which some programs convert them (Unicode's
// compatibility forms); and those that stand for other characters in file names.

// wideLeads are the first bytes of such spellings.
const wideLeads = "\xC0\xC1\xC2\xE0\xE2\xEA\xEF\xF0\xF8\xFC"

// wideAt decodes the character at the beginning of glyphs, if it is an ASCII character that was
// encoded in several bytes, or a character that looks like one of ASCII.
func wideAt(glyphs []glyph) (e escape, size int) {
	lead, n := glyphs[0].char, 0
	for mask := byte(0x40); lead&mask != 0 && n < 5; mask >>= 1 {
		n++
	}
	if n == 0 || len(glyphs) <= n {
		return escape{}, 0
	}
	value := uint32(lead) & (0x3F >> n)
	for _, g := range glyphs[1 : 1+n] {
		if g.char&0xC0 != 0x80 {
			return escape{}, 0
		}
		value = value<<6 | uint32(g.char&0x3F)
	}
	c := folded(value)
	if c == notASCII {
		return escape{}, 0
	}
	return one(c, wide), 1 + n
}

// folded returns r if it is ASCII, the ASCII character that r looks like, a line feed if r
// is invisible, or notASCII.
func folded(r uint32) byte {
	switch {
	case r < 0x80:
		return byte(r)
	case 0xFF01 <= r && r <= 0xFF5E: // full width
		return byte(r - 0xFEE0)
	case invisible(r):
		return '\n'
	}
	switch r {
	case 0xFE13, 0xFE55, 0x2236, 0xA789:
		return ':'
	case 0x2044, 0x2215, 0x29F8:
		return '/'
	case 0xFE68, 0x2216, 0x29F5, 0x29F9:
		return '\\'
	case 0xFE6B:
		return '@'
	case 0xFE6A:
		return '%'
	case 0xFE60:
		return '&'
	case 0xFE5F:
		return '#'
	case 0xFE56, 0xFE16:
		return '?'
	}
	return notASCII
}

// invisible reports whether r is a character that shows nothing: a soft hyphen, a joiner, a
// mark of direction, a variation selector. Programs may remove it, as they remove a line
// end.
func invisible(r uint32) bool {
	switch {
	case r == 0xAD, 0x200B <= r && r <= 0x200F, 0x202A <= r && r <= 0x202E, 0x2060 <= r && r <= 0x2069, 0xFE00 <= r && r <= 0xFE0F, r == 0xFEFF:
		return true
	}
	return false
}

// utf7At returns the escape of UTF-7 (RFC 2152) at the beginning of glyphs, whose first
// glyph is '+': one to three characters that matter here, in base64. Longer runs are not
// decoded.
func utf7At(glyphs []glyph) (e escape, size int) {
	var bits uint64
	n := 0
	for n < 8 && n+1 < len(glyphs) {
		d := base64Digit(glyphs[n+1].char)
		if d < 0 {
			break
		}
		bits = bits<<6 | uint64(d)
		n++
	}
	for chars := min(n*6/16, 3); chars > 0; chars-- {
		long := (chars*16 + 5) / 6 // base64 digits for that many characters
		if e, ok := utf7(bits>>(6*(n-long)), chars, long*6-chars*16); ok {
			if size = 1 + long; size < len(glyphs) && glyphs[size].char == '-' {
				size++
			}
			return e, size
		}
	}
	return escape{}, 0
}

// utf7 returns the escape of as many characters as chars says. bits holds the characters,
// followed by as many zeros as zeros says.
func utf7(bits uint64, chars, zeros int) (e escape, ok bool) {
	if bits&(1<<zeros-1) != 0 {
		return e, false
	}
	bits >>= zeros
	e = escape{size: chars, kind: utf7Run}
	for i := range chars {
		c := folded(uint32(bits >> (16 * (chars - 1 - i)) & 0xFFFF))
		if !means(c) {
			return e, false
		}
		e.text[i] = c
	}
	return e, true
}

// base64Digit returns the value of a digit of base64, or -1.
func base64Digit(c byte) int {
	switch {
	case 'A' <= c && c <= 'Z':
		return int(c - 'A')
	case 'a' <= c && c <= 'z':
		return int(c-'a') + 26
	case '0' <= c && c <= '9':
		return int(c-'0') + 52
	case c == '+':
		return 62
	case c == '/':
		return 63
	}
	return -1
}
