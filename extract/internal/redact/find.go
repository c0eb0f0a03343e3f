package redact

// An authority begins after two slashes, after a scheme's ':' and one slash, after the ':'
// of a scheme for which browsers need no slash, or with a host that needs no scheme.
// layers are those that all its slashes have: they decide what may end it.
type authority struct {
	from    int // the first glyph of the authority
	layers  layers
	colon   bool // a scheme's ':' is in front
	network bool // the slashes do not continue a path: a reference may begin with them
	named   bool // the host shows that a reference begins here: www.example.org
	slashes int
	scheme  int // the glyph of that ':', if colon
}

// An end remembers where authorities of the same layers end, so that authorities that
// overlap are not scanned again: each end scans the view once.
type end struct {
	layers layers
	hard   int // the first glyph that ends them
	soft   int // the first that may end an escaped one, at most hard
	at     int // the last '@' in front of hard, or -1
	deepAt int // the last '@' in front of hard that is escaped, or -1
	softAt int // the last '@' in front of soft, or -1
	clear  int // up to here there is nothing wrong with ports
}

// find sets r.spans to the passwords of the text of that length, of which r.glyphs is
// the view. It returns false if there are too many ends.
func (r *Redactor) find(length int) bool {
	r.spans, r.ends = r.spans[:0], r.ends[:0]
	view := r.glyphs
	var a authority
	colon := -1                  // the first ':' at or after i, as far as it was asked for
	for i := 0; i < len(view); { // to skip a password moves i forward, too
		g := view[i]
		switch {
		case g.char == '/' || g.char == '\\':
			a.network = i == 0 || !inPath(view[i-1].char) && (a.slashes == 0 || a.network || r.isPassed(view[i-1].char) || g.layers != view[i-1].layers)
			a.join(g, a.slashes == 0)
			a.slashes++
			i++
			continue
		case r.isPassed(g.char) && (a.colon || a.slashes > 0): // browsers take some out
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
			a.join(g, true) // counts if there are no slashes
		}
		i++
	}
	return len(r.ends) <= maxEnds
}

// join adds a slash, or the colon, in front of a. A backslash has no layers here: it is
// often escaped alone, because a URL must not have it.
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

// hide adds the passwords of a to r.spans; colon is the first ':' of the view from there
// on. It returns the glyph at which the search goes on, which is a.from if there is no
// password.
func (r *Redactor) hide(a authority, colon, length int) (to int) {
	view := r.glyphs
	e := r.endOf(a)
	at := -1
	if e.at >= a.from {
		at = e.at
	}
	// A raw '&' or quote ends an escaped authority if the account is complete by
	// then. But the rest of an escaped account may follow.
	if e.softAt > colon {
		at = max(e.softAt, e.deepAt)
	}
	to = a.from
	rest := a.from // what may be host and port
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

// mayHavePort reports whether what follows the host of a is a port, or looks like one. After
// the slashes of a path, as in dir//a:b, it is part of a name.
func (a *authority) mayHavePort(view []glyph) bool {
	switch {
	case a.named:
		return true
	case a.slashes > 1:
		return a.colon || a.network
	}
	return a.colon && lenient(view[:a.scheme])
}

// add adds the span of glyphs lo to hi.
func (r *Redactor) add(lo, hi, length int) {
	s := span{int(r.glyphs[lo].start), length}
	if hi < len(r.glyphs) {
		s.hi = int(r.glyphs[hi].start)
	}
	// Glyphs of one escape begin at one place: [://] has three.
	if n := len(r.spans); n > 0 {
		s.lo = max(s.lo, r.spans[n-1].hi)
	}
	if s.lo < s.hi {
		r.spans = append(r.spans, s)
	}
}

// maxEnds is how many ends a text may have. Text with more is replaced as a whole.
const maxEnds = 64

// endOf returns the end of a. It scans what no other authority of its layers has
// scanned.
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
func (r *Redactor) newEnd(a authority) end {
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

// soften finds the soft end of e at or after from: a gap, or what parts parameters of a
// query, if something escaped is in one.
func (r *Redactor) soften(e *end, from int) {
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

// isAt reports whether the '@' at r.glyphs[i] may end an account of an authority of those
// layers. "=40" is also the beginning of a parameter's value, as in ?width=400, so it counts
// only if the slashes are written in that way too.
func (r *Redactor) isAt(i int, of layers) bool {
	return !r.glyphs[i].layers.has(quoted) || of.has(quoted)
}

// isParameter reports whether view begins with a raw '&' and a parameter's name and '='.
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

// noPort returns what stands in the place of a port in that part of the view, which is a host
// and what follows it, if it has a letter: it may be the beginning of a password, as in
// http://u:pa, which is cut at a line's end. What has only digits and signs is a port
// with the end of a sentence. An IPv6 address without brackets has no port. If there is
// nothing, lo and hi are where the host and its port end.
func (r *Redactor) noPort(from, stop int) (lo, hi int) {
	view := r.glyphs
	hi = from
	for hi < stop && !r.isGap(view[hi]) {
		hi++
	}
	for hi > from && view[hi-1].char == ':' { // of a scheme: what follows it is read next
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

// literal returns the length of the IPv6 address in brackets that view begins with, or 0.
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
			zone = true // its name has any letters
		case digit(g.char) > 15 && g.char != ':' && g.char != '.' && !zone:
			return 0
		}
	}
	return 0
}

// isGap reports whether g ends a reference in ordinary text. One reference has no gap.
func (r *Redactor) isGap(g glyph) bool {
	if r.single {
		return false
	}
	switch g.char {
	case ' ', '\t', '\r', '\n', '"', '<', '>':
		return g.layers == 0
	}
	return false
}

// spells reports whether view is name, in any case.
func spells(view []glyph, name string) bool { return len(view) == len(name) && begins(view, name) }

// isBreak reports whether c is white space that browsers take out of a reference.
func isBreak(c byte) bool { return c == '\n' || c == '\r' || c == '\t' }

// isPassed reports whether c may stand within the slashes of a reference: a control character
// or, where spaces do not end it, a space.
func (r *Redactor) isPassed(c byte) bool { return c < ' ' || c == 0x7F || c == ' ' && r.single }

// next returns the first c in view at or after from, or the view's length.
func next(view []glyph, from int, c byte) int {
	for i := from; i < len(view); i++ {
		if view[i].char == c {
			return i
		}
	}
	return len(view)
}
