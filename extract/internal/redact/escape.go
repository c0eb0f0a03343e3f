package redact

import (
	"unicode"
)

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
