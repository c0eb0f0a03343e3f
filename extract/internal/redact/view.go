package redact

import "strings"

// maxPasses is how many layers of escapes are undone. Text that has more is replaced
// as a whole.
const maxPasses = 10

// A glyph is a character of the view.
type glyph struct {
	start  int32  // where its spelling begins in the text; it ends where the next begins
	char   byte   // 0x80 for all that is not ASCII
	layers layers // that were undone to get it, of the part of its spelling that has most
	least  layers // those that all signs in its spelling have
}

// notASCII stands for every character outside ASCII: none of them delimits anything.
const notASCII = 0x80

// view makes r.view from text. It returns false if escapes are left after the last
// pass.
func (r *Redactor) view(text []byte) bool {
	r.glyphs = r.glyphs[:0]
	for i, c := range text {
		r.glyphs = append(r.glyphs, glyph{start: int32(i), char: min(c, notASCII)})
	}
	for range maxPasses {
		if !r.undo() {
			return true
		}
	}
	return !r.undo()
}

// undo undoes one layer of escapes, in place: no escape is shorter than what it stands
// for. It reports whether there was one. Each glyph is visited a bounded number of
// times, except the digits of a numeric entity, which belong to one entity only.
func (r *Redactor) undo() (changed bool) {
	in, n := r.glyphs, 0
	for i := 0; i < len(in); {
		g := in[i]
		size := 0
		if isLead[g.char] {
			var e escape
			e, size = escapeAt(in[i:])
			if size > 0 {
				before := byte(0)
				if n > 0 {
					before = in[n-1].char
				}
				g = merged(in[i:i+size], e)
				n = put(in, n, g, e, before)
				changed = true
			}
		}
		if size == 0 {
			in[n] = g
			n, size = n+1, 1
		}
		i += size
	}
	r.glyphs = in[:n]
	return changed
}

// put writes what e stands for into view at n and returns the new length. g has its
// start and layers; before is the character in front.
//
// "\u0040" after a ':' or a slash may also be read as a backslash in the place of a
// slash, with a name after it: http:\u0040 is http://u0040 to a browser. So the
// backslash is kept there, in front of the character.
func put(view []glyph, n int, g glyph, e escape, before byte) int {
	if e.kind == backslash && e.text[0] != '/' && e.text[0] != '\\' && (before == ':' || before == '/' || before == '\\') {
		view[n] = g
		view[n].char = '\\'
		n++
	}
	for i := range e.size {
		view[n] = g
		view[n].char = e.text[i]
		n++
	}
	return n
}

// merged returns the glyph that e, spelled as some, makes; without its character. A
// program that escapes what a URL must not have makes "&%2347;" of "&#47;" and "%5C" of a
// backslash, and leaves all else. So signs in one spelling may have different layers, and
// the percent sign of such a character is not one of the least.
func merged(some []glyph, e escape) glyph {
	g := glyph{start: some[0].start, layers: some[0].layers, least: some[0].least}
	for i := range some[1:] {
		s := &some[1+i]
		if s.layers.size() > g.layers.size() {
			g.layers = s.layers
		}
		if !isWord(s.char) {
			g.least = g.least.common(s.least)
		}
	}
	g.layers = g.layers.under(e.kind)
	if e.kind != percent || strings.IndexByte(`\[]{}`, e.text[0]) < 0 {
		g.least = g.least.under(e.kind)
	}
	return g
}

// isWord reports whether c is a letter or a digit.
func isWord(c byte) bool { return '0' <= c && c <= '9' || 'a' <= lower(c) && lower(c) <= 'z' }

// An escape is what some glyphs stand for.
type escape struct {
	text [3]byte
	size int
	kind kind
}

// one returns the escape that stands for one character.
func one(c byte, k kind) escape { return escape{[3]byte{min(c, notASCII)}, 1, k} }

// isLead has the characters that an escape may begin with.
var isLead = [256]bool{'%': true, '&': true, '\\': true, '[': true, '(': true, '{': true}

// escapeAt returns the escape that some begins with, and its length, or 0.
func escapeAt(some []glyph) (e escape, size int) {
	switch some[0].char {
	case '%':
		if c, ok := hex(some[1:], 2); ok {
			return one(c, percent), 3
		}
	case '&':
		return entityAt(some)
	case '\\':
		return backslashAt(some)
	case '[', '(', '{':
		for i := range fangs {
			if f := &fangs[i]; begins(some, f.as) {
				return escape{f.is, f.size, defanged}, len(f.as)
			}
		}
	}
	return escape{}, 0
}

// fangs are how people write a reference so that no program makes it live.
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
	{"[//]", [3]byte{'/', '/'}, 2}, {"(//)", [3]byte{'/', '/'}, 2}, {"{//}", [3]byte{'/', '/'}, 2},
}

// entities are the named entities of characters that mean something here. Upper and
// lower case are the same.
var entities = [...]struct {
	name string
	is   byte
}{
	{"amp", '&'}, {"colon", ':'}, {"sol", '/'}, {"commat", '@'}, {"percnt", '%'}, {"bsol", '\\'}, {"num", '#'}, {"quest", '?'},
	{"semi", ';'}, {"lsqb", '['}, {"lbrack", '['}, {"rsqb", ']'}, {"rbrack", ']'}, {"lpar", '('}, {"rpar", ')'},
	{"lcub", '{'}, {"lbrace", '{'}, {"rcub", '}'}, {"rbrace", '}'}, {"tab", '\t'}, {"newline", '\n'},
}

// entityAt returns the entity that some, whose first is '&', begins with. A missing
// semicolon makes it doubtful.
func entityAt(some []glyph) (e escape, size int) {
	if begins(some, "&#") {
		n, base := 2, 10
		if len(some) > n && some[n].char|0x20 == 'x' {
			n, base = 3, 16
		}
		value, first := 0, n
		for n < len(some) { // the digits, which are part of this entity only
			d := digit(some[n].char)
			if d >= base {
				break
			}
			value = min(value*base+d, 0x110000)
			n++
		}
		if n == first {
			return escape{}, 0
		}
		return ended(some, one(byte(min(value, notASCII)), entity), n)
	}
	for i := range entities {
		if t := &entities[i]; len(some) > 1 && some[1].char|0x20 == t.name[0] && begins(some[1:], t.name) {
			return ended(some, one(t.is, entity), 1+len(t.name))
		}
	}
	return escape{}, 0
}

// ended returns e and its length with the semicolon, if it has one after n glyphs.
func ended(some []glyph, e escape, n int) (escape, int) {
	if n < len(some) && some[n].char == ';' {
		return e, n + 1
	}
	e.kind = doubtful
	return e, n
}

// backslashAt returns the escape of JSON or JavaScript that some, whose first is '\',
// begins with.
func backslashAt(some []glyph) (e escape, size int) {
	if len(some) < 2 {
		return escape{}, 0
	}
	switch some[1].char {
	case '/':
		return one('/', backslash), 2
	case 'x', 'X':
		if c, ok := hex(some[2:], 2); ok {
			return one(c, backslash), 4
		}
	case 'u', 'U':
		n := 2 // of the zeros and the brace in front of the two digits
		if n < len(some) && some[n].char == '{' {
			for n++; n < len(some) && n < 8 && some[n].char == '0'; n++ {
			}
			if c, ok := hex(some[n:], 2); ok && n+2 < len(some) && some[n+2].char == '}' {
				return one(c, backslash), n + 3
			}
			return escape{}, 0
		}
		for n < len(some) && n < 4 && some[n].char == '0' {
			n++
		}
		if c, ok := hex(some[n:], 2); ok && n == 4 {
			return one(c, backslash), 6
		}
	}
	return escape{}, 0
}

// begins reports whether some spells text, which is in lower case, in any case.
func begins(some []glyph, text string) bool {
	if len(some) < len(text) {
		return false
	}
	for i := range len(text) {
		if lower(some[i].char) != text[i] {
			return false
		}
	}
	return true
}

// hex returns the value of the n digits that some begins with.
func hex(some []glyph, n int) (value byte, ok bool) {
	if len(some) < n {
		return 0, false
	}
	for _, g := range some[:n] {
		d := digit(g.char)
		if d > 15 {
			return 0, false
		}
		value = value<<4 | byte(d)
	}
	return value, true
}

// digit returns the value of a digit up to f, or 16.
func digit(c byte) int {
	switch c = lower(c); {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	}
	return 16
}

// lower returns an ASCII letter in lower case, and every other byte unchanged.
func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c | 0x20
	}
	return c
}
