package redact

// An authority begins after two slashes; after the ':' of a scheme and one slash; after the
// ':' of a scheme that needs no slash in browsers; or with a host that needs no scheme.
// levels are the escapes that all its slashes have; they decide what may end the authority.
type authority struct {
	from    int // the first glyph of the authority
	levels  levels
	colon   bool // the ':' of a scheme is in front
	network bool // a reference may begin with the slashes: they do not continue a path
	named   bool // the host shows that a reference begins here: www.example.org
	slashes int
	scheme  int // the glyph of the ':', if colon is set
}

// A search finds the passwords of a text in one round.
type search struct {
	glyphView
	spans []span // the passwords in the text, in order
	ends  []end  // of the authorities in the view, by their levels
}

// A span is text[lo:hi].
type span struct{ lo, hi int }

// find sets s.spans to the passwords in a text of that length, whose view is s.glyphs. It
// returns false if there are too many ends.
func (s *search) find(length int) bool {
	s.spans, s.ends = s.spans[:0], s.ends[:0]
	view := s.glyphs
	var a authority
	colon := -1                  // the first ':' at or after i, if it was searched that far
	for i := 0; i < len(view); { // each iteration passes a glyph or a password
		g := view[i]
		switch {
		case g.char == '/' || g.char == '\\':
			a.network = i == 0 || !inPath(view[i-1].char) && (a.slashes == 0 || a.network || s.isPassed(view[i-1].char) || g.levels != view[i-1].levels)
			a.join(g, a.slashes == 0)
			a.slashes++
			i++
			continue
		case s.isPassed(g.char) && (a.colon || a.slashes > 0): // browsers remove some of these characters
			i++
			continue
		}
		if (a.slashes < 2 || !a.colon && !a.network) && s.abbreviated(i) {
			a = authority{named: true}
		}
		if a.from = i; a.named || a.slashes > 1 || a.colon && (a.slashes == 1 || g.char != ' ' && lenient(view[:a.scheme])) {
			if len(s.ends) > maxEnds {
				return false
			}
			if colon < i {
				colon = next(view, i, ':')
			}
			if to := s.hide(a, colon, length); to > i {
				i, a = to, authority{}
				continue
			}
		}
		a = authority{}
		if g.char == ':' && i > 0 && endsScheme(view[i-1].char) {
			a = authority{colon: true, scheme: i}
			a.join(g, true) // counts only if there are no slashes
		}
		i++
	}
	return len(s.ends) <= maxEnds
}

// join adds to a the levels of g, a slash or the colon in front of the authority. A backslash has
// no levels here, because it is often the only escaped character: a URL must not contain it.
func (a *authority) join(g glyph, first bool) {
	switch {
	case g.char == '\\':
		a.levels = 0
	case first:
		a.levels = g.least
	default:
		a.levels = a.levels.common(g.least)
	}
}

// hide adds the passwords of a to s.spans. colon is the first ':' of the view from a.from
// on. It returns the glyph at which the search continues: a.from if there is no password.
func (s *search) hide(a authority, colon, length int) (to int) {
	view := s.glyphs
	e := s.endOf(a)
	at := -1
	if e.at >= a.from {
		at = e.at
	}
	// A raw '&' or a quote ends an escaped authority if the account is complete in front
	// of it. Otherwise the rest of an escaped account may follow.
	if e.softAt > colon {
		at = max(e.softAt, e.deepAt)
	}
	to = a.from
	rest := a.from // a host and a port may begin here
	if at >= 0 {
		rest = at + 1
		if colon+1 < at {
			s.add(colon+1, at, length)
			to = at
		}
	}
	if !a.mayHavePort(view) {
		return to
	}
	if a.colon && at > a.from && a.scheme >= 3 && spells(view[a.scheme-3:a.scheme], "ssh") {
		return to // ssh://git@host:path
	}
	stop := e.hard
	if e.soft > rest {
		stop = e.soft
	}
	if rest < e.clear {
		return to
	}
	lo, hi := s.noPort(rest, stop)
	if lo < hi {
		s.add(lo, hi, length)
		return hi
	}
	e.clear = hi
	return to
}

// mayHavePort reports whether a port, or something that looks like one, follows the host
// of a. After the slashes of a path, as in dir//a:b, a colon is part of a name.
func (a *authority) mayHavePort(view []glyph) bool {
	switch {
	case a.named:
		return true
	case a.slashes > 1:
		return a.colon || a.network
	}
	return a.colon && lenient(view[:a.scheme])
}

// add adds the span of the glyphs lo to hi.
func (s *search) add(lo, hi, length int) {
	p := span{int(s.glyphs[lo].start), length}
	if hi < len(s.glyphs) {
		p.hi = int(s.glyphs[hi].start)
	}
	// Glyphs of one escape begin at the same offset: [://] has three.
	if n := len(s.spans); n > 0 {
		p.lo = max(p.lo, s.spans[n-1].hi)
	}
	if p.lo < p.hi {
		s.spans = append(s.spans, p)
	}
}

// maxEnds is the largest number of ends. A text with more is replaced completely.
const maxEnds = 64

// endOf returns the end of a. It scans only what no other authority with the same levels
// has scanned.
func (s *search) endOf(a authority) *end {
	for i := range s.ends { // at most maxEnds
		if e := &s.ends[i]; e.levels == a.levels {
			if e.hard < a.from {
				*e = s.newEnd(a.from, a.levels)
			} else if e.soft < a.from {
				s.soften(e, a.from)
			}
			return e
		}
	}
	s.ends = append(s.ends, s.newEnd(a.from, a.levels))
	return &s.ends[len(s.ends)-1]
}

// next returns the index of the first c in view at or after from, or len(view).
func next(view []glyph, from int, c byte) int {
	for i := from; i < len(view); i++ {
		if view[i].char == c {
			return i
		}
	}
	return len(view)
}
