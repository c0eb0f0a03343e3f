package redact

// An end stores where authorities of the same levels end, so that overlapping authorities
// are not scanned again. Each end scans the view once.
type end struct {
	levels levels
	hard   int // the first glyph that ends such authorities
	soft   int // the first glyph that may end an escaped one, at most hard
	at     int // the last '@' in front of hard, or -1
	deepAt int // the last '@' in front of hard that is escaped, or -1
	softAt int // the last '@' in front of soft, or -1
	clear  int // up to this glyph, no port may be the beginning of a password
}

// newEnd scans an authority that begins at from and has those levels up to its end.
func (r *glyphView) newEnd(from int, of levels) end {
	e := end{levels: of, hard: len(r.glyphs), at: -1, deepAt: -1}
	for i := from; i < len(r.glyphs); i++ {
		g := r.glyphs[i]
		switch g.char {
		case '/', '?', '#':
			if g.levels.within(of) {
				e.hard = i
				r.soften(&e, from)
				return e
			}
		case '@':
			if !r.isAt(i, of) {
				continue
			}
			e.at = i
			if g.levels != 0 {
				e.deepAt = i
			}
		}
	}
	r.soften(&e, from)
	return e
}

// soften finds the soft end of e at or after from. In an escaped authority, the soft end is the
// first gap or separator of query parameters. Otherwise, or without these, the soft end is the hard
// end.
func (r *glyphView) soften(e *end, from int) {
	e.softAt = -1
	for e.soft = from; e.soft < e.hard; e.soft++ {
		g := r.glyphs[e.soft]
		if g.char == '@' && r.isAt(e.soft, e.levels) {
			e.softAt = e.soft
		}
		if e.levels != 0 && (g.char == '&' && isParameter(r.glyphs[e.soft:]) || r.isGap(g)) {
			return
		}
	}
}

// isAt reports whether the '@' at r.glyphs[i] may end an account of an authority with those
// levels. "=40" may also begin the value of a parameter (?width=400). So it counts as '@' only
// if the slashes are quoted-printable too.
func (r *glyphView) isAt(i int, of levels) bool {
	return !r.glyphs[i].levels.has(quoted) || of.has(quoted)
}

// isParameter reports whether view begins with a raw '&', a parameter name and '='.
func isParameter(view []glyph) bool {
	if view[0].levels != 0 {
		return false
	}
	const longest = 40
	for i := 1; i < min(len(view), longest); i++ {
		switch c := view[i].char; {
		case c == '=':
			return i > 1
		case !isWord(c) && c != '_' && c != '-' && c != '.':
			return false
		}
	}
	return false
}

// noPort examines the port in r.glyphs[from:stop], which begins with a host. If the port has a
// letter, noPort returns the bounds of this text: it may be the beginning of a password that is cut
// at a line end, as in http://u:pa. Text of digits and signs is a port followed by the punctuation
// of a sentence. An IPv6 address without brackets has no port. If there is no password, lo and hi
// are the end of the host and its port.
func (r *glyphView) noPort(from, stop int) (lo, hi int) {
	view := r.glyphs
	hi = from
	for hi < stop && !r.isGap(view[hi]) {
		hi++
	}
	for hi > from && view[hi-1].char == ':' { // the ':' of a scheme: what follows it is examined next
		hi--
	}
	lo = from + literal(view[from:hi])
	for lo < hi && view[lo].char != ':' {
		lo++
	}
	lo++
	letter, colons, address := false, 0, true
	for i := from; i < hi; i++ {
		c := view[i].char
		if c == ':' {
			colons++
		}
		address = address && (c == ':' || digit(c) < 16)
		letter = letter || i >= lo && (c >= notASCII || c == '%' || 'a' <= lower(c) && lower(c) <= 'z')
	}
	if !letter || address && colons > 1 {
		return hi, hi
	}
	return lo, hi
}

// literal returns the length of the IPv6 address in brackets at the beginning of view, or
// 0.
func literal(view []glyph) int {
	if len(view) == 0 || view[0].char != '[' {
		return 0
	}
	zone := false
	for i, g := range view[1:] {
		switch {
		case g.char == ']':
			return i + 2
		case g.char == '%':
			zone = true // the name of a zone may have any letters
		case digit(g.char) > 15 && g.char != ':' && g.char != '.' && !zone:
			return 0
		}
	}
	return 0
}

// isGap reports whether g ends a reference in ordinary text. In a text that is one
// reference there are no gaps.
func (r *glyphView) isGap(g glyph) bool {
	if r.single {
		return false
	}
	switch g.char {
	case ' ', '\t', '\r', '\n', '"', '<', '>':
		return g.levels == 0
	}
	return false
}

// isPassed reports whether c may be between the slashes of a reference: a control
// character or, if spaces do not end the reference, a space.
func (r *glyphView) isPassed(c byte) bool { return c < ' ' || c == 0x7F || c == ' ' && r.single }
