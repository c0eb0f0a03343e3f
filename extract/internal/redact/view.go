package redact

import "strings"

// maxPasses is how many layers of escapes are undone. Text that has more is replaced
// as a whole.
const maxPasses = 10

// A glyph is a character of the view.
type glyph struct {
	start  int32  // where its spelling begins in the text; it ends where the next begins
	char   byte   // of what is not ASCII a byte of its UTF-8, or notASCII
	layers layers // that were undone to get it, of the part of its spelling that has most
	least  layers // those that all signs in its spelling have
}

// notASCII stands for a character outside ASCII that is escaped as a whole. It delimits
// nothing, and neither does any byte that is not ASCII.
const notASCII = 0xFF

// view makes r.view from text. It returns false if escapes are left after the last
// pass.
func (r *Redactor) view(text []byte) bool {
	r.glyphs = r.glyphs[:0]
	for i, c := range text {
		r.glyphs = append(r.glyphs, glyph{start: int32(i), char: c})
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
				if e.ended { // as a line's end, which may be taken out
					in[i+size].char, in[i+size].layers, in[i+size].least = '\n', g.layers, g.least
				}
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
