package redact

import "strings"

// maxPasses is how many levels of escapes are decoded. A text with more is replaced
// completely.
const maxPasses = 10

// view makes r.view from text. It returns false if escapes are left after the last pass.
func (r *glyphView) view(text []byte) bool {
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

// undo undoes one level of escapes in place: an escape is never shorter than its text. It reports
// whether there was any escape. Each glyph is visited a bounded number of times, except the digits
// of a numeric entity, which belong to one entity only.
func (r *glyphView) undo() (changed bool) {
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
				if e.ended { // may be a line end, which browsers remove
					in[i+size].char, in[i+size].levels, in[i+size].least = '\n', g.levels, g.least
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

// put writes the text of e into view at n and returns the new length. g has its start and
// levels. before is the character in front.
//
// After a ':' or a slash, a backslash may act as a slash: browsers read http:\u0040 as
// http://u0040. So there, put keeps the backslash of an escape such as "\u0040" in front of the
// character that it represents.
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

// merged returns the glyph for the escape e that is spelled as glyphs, without its character.
// Some programs escape only the characters of a spelling that a URL must not have: "&#47;"
// becomes "&%2347;", a backslash "%5C", and a wide colon "%EF%BC%9A". So the characters of one
// spelling may have different levels. The level of such a percent escape is left out of the
// field least.
func merged(glyphs []glyph, e escape) glyph {
	g := glyph{start: glyphs[0].start, levels: glyphs[0].levels, least: glyphs[0].least}
	for i := range glyphs[1:] {
		s := &glyphs[1+i]
		if s.levels.size() > g.levels.size() {
			g.levels = s.levels
		}
		if !isWord(s.char) {
			g.least = g.least.common(s.least)
		}
	}
	g.levels = g.levels.under(e.kind)
	if e.kind != percent || e.text[0] < 0x80 && strings.IndexByte(`\[]{}`, e.text[0]) < 0 {
		g.least = g.least.under(e.kind)
	}
	return g
}
