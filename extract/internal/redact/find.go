package redact

// An authority begins after two slashes; after the ':' of a scheme and one slash; after
// the ':' of a scheme that needs no slash in browsers; or with a host that needs no
// scheme. layers are those that all its slashes have. They decide what may end it.
type authority struct {
	from    int // the first glyph of the authority
	layers  layers
	colon   bool // the ':' of a scheme is in front
	network bool // a reference may begin with the slashes: they do not continue a path
	named   bool // the host shows that a reference begins here: www.example.org
	slashes int
	scheme  int // the glyph of the ':', if colon is set
}

// An end stores where authorities of the same layers end, so that overlapping authorities
// are not scanned again. Each end scans the view once.
type end struct {
	layers layers
	hard   int // the first glyph that ends such authorities
	soft   int // the first glyph that may end an escaped one, at most hard
	at     int // the last '@' in front of hard, or -1
	deepAt int // the last '@' in front of hard that is escaped, or -1
	softAt int // the last '@' in front of soft, or -1
	clear  int // up to this glyph nothing looks like a wrong port
}

// find sets r.spans to the passwords in a text of that length, whose view is r.glyphs. It
// returns false if there are too many ends.
func (r *Redactor) find(length int) bool {
	r.spans, r.ends = r.spans[:0], r.ends[:0]
	view := r.glyphs
	var a authority
	colon := -1                  // the first ':' at or after i, if it was searched that far
	for i := 0; i < len(view); { // i also skips passwords
		g := view[i]
		switch {
		case g.char == '/' || g.char == '\\':
			a.network = i == 0 || !inPath(view[i-1].char) && (a.slashes == 0 || a.network || r.isPassed(view[i-1].char) || g.layers != view[i-1].layers)
			a.join(g, a.slashes == 0)
			a.slashes++
			i++
			continue
		case r.isPassed(g.char) && (a.colon || a.slashes > 0): // browsers remove some of these characters
			i++
			continue
		}
		if (a.slashes < 2 || !a.colon && !a.network) && r.abbreviated(i) {
			a = authority{named: true}
		}
		if a.from = i; a.named || a.slashes > 1 || a.colon && (a.slashes == 1 || g.char != ' ' && lenient(view[:a.scheme])) {
			if len(r.ends) > maxEnds {
				return false
			}
			if colon < i {
				colon = next(view, i, ':')
			}
			if to := r.hide(a, colon, length); to > i {
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
	return len(r.ends) <= maxEnds
}

// join adds a slash or the colon in front of a. A backslash has no layers here, because
// it is often the only escaped character: a URL must not contain it.
func (a *authority) join(g glyph, first bool) {
	switch {
	case g.char == '\\':
		a.layers = 0
	case first:
		a.layers = g.least
	default:
		a.layers = a.layers.common(g.least)
	}
}

// hide adds the passwords of a to r.spans. colon is the first ':' of the view from a.from
// on. It returns the glyph at which the search continues: a.from if there is no password.
func (r *Redactor) hide(a authority, colon, length int) (to int) {
	view := r.glyphs
	e := r.endOf(a)
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
	rest := a.from // may be host and port
	if at >= 0 {
		rest = at + 1
		if colon+1 < at {
			r.add(colon+1, at, length)
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
	lo, hi := r.noPort(rest, stop)
	if lo < hi {
		r.add(lo, hi, length)
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
func (r *Redactor) add(lo, hi, length int) {
	s := span{int(r.glyphs[lo].start), length}
	if hi < len(r.glyphs) {
		s.hi = int(r.glyphs[hi].start)
	}
	// Glyphs of one escape begin at the same offset: [://] has three.
	if n := len(r.spans); n > 0 {
		s.lo = max(s.lo, r.spans[n-1].hi)
	}
	if s.lo < s.hi {
		r.spans = append(r.spans, s)
	}
}

// maxEnds is the largest number of ends. A text with more is replaced completely.
const maxEnds = 64

// endOf returns the end of a. It scans only what no other authority with the same layers
// has scanned.
func (r *Redactor) endOf(a authority) *end {
	for i := range r.ends { // at most maxEnds
		if e := &r.ends[i]; e.layers == a.layers {
			if e.hard < a.from {
				*e = r.newEnd(a)
			} else if e.soft < a.from {
				r.soften(e, a.from)
			}
			return e
		}
	}
	r.ends = append(r.ends, r.newEnd(a))
	return &r.ends[len(r.ends)-1]
}

// newEnd scans a up to its end.
func (r *reading) newEnd(a authority) end {
	e := end{layers: a.layers, hard: len(r.glyphs), at: -1, deepAt: -1}
	for i := a.from; i < len(r.glyphs); i++ {
		g := r.glyphs[i]
		switch g.char {
		case '/', '?', '#':
			if g.layers.within(a.layers) {
				e.hard = i
				r.soften(&e, a.from)
				return e
			}
		case '@':
			if !r.isAt(i, a.layers) {
				continue
			}
			e.at = i
			if g.layers != 0 {
				e.deepAt = i
			}
		}
	}
	r.soften(&e, a.from)
	return e
}

// soften finds the soft end of e at or after from: a gap, or a separator of query
// parameters, if something escaped is in front of it.
func (r *reading) soften(e *end, from int) {
	e.softAt = -1
	for e.soft = from; e.soft < e.hard; e.soft++ {
		g := r.glyphs[e.soft]
		if g.char == '@' && r.isAt(e.soft, e.layers) {
			e.softAt = e.soft
		}
		if e.layers != 0 && (g.char == '&' && isParameter(r.glyphs[e.soft:]) || r.isGap(g)) {
			return
		}
	}
}

// isAt reports whether the '@' at r.glyphs[i] may end an account of an authority with
// those layers. "=40" may also begin the value of a parameter (?width=400), so it counts
// as '@' only if the slashes are escaped in that way too.
func (r *reading) isAt(i int, of layers) bool {
	return !r.glyphs[i].layers.has(quoted) || of.has(quoted)
}

// isParameter reports whether view begins with a raw '&', a parameter name and '='.
func isParameter(view []glyph) bool {
	if view[0].layers != 0 {
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

// noPort examines the port in r.glyphs[from:stop], which begins with a host. If the port
// has a letter, noPort returns its bounds: it may be the beginning of a password, as in
// http://u:pa, which is cut at a line end. If it has only digits and signs, it is a port
// with the end of a sentence. An IPv6 address without brackets has no port. If there is
// no password, lo and hi are the end of the host and its port.
func (r *reading) noPort(from, stop int) (lo, hi int) {
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
func (r *reading) isGap(g glyph) bool {
	if r.single {
		return false
	}
	switch g.char {
	case ' ', '\t', '\r', '\n', '"', '<', '>':
		return g.layers == 0
	}
	return false
}

// spells reports whether view is name, ignoring case.
func spells(view []glyph, name string) bool { return len(view) == len(name) && begins(view, name) }

// isBreak reports whether c is white space that browsers remove from a reference.
func isBreak(c byte) bool { return c == '\n' || c == '\r' || c == '\t' }

// isPassed reports whether c may be between the slashes of a reference: a control
// character or, if spaces do not end the reference, a space.
func (r *reading) isPassed(c byte) bool { return c < ' ' || c == 0x7F || c == ' ' && r.single }

// next returns the index of the first c in view at or after from, or len(view).
func next(view []glyph, from int, c byte) int {
	for i := from; i < len(view); i++ {
		if view[i].char == c {
			return i
		}
	}
	return len(view)
}
