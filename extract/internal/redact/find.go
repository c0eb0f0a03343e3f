package redact

// An authority begins after two slashes, after a scheme's ':' and one slash, or after
// the ':' of a scheme for which browsers need no slash. depth and kinds are the greatest
// depth and the union of kinds of its slashes: they decide what may end it.
type authority struct {
	from    int // the first glyph of the authority
	depth   uint8
	kinds   kind
	colon   bool // a scheme's ':' is in front
	slashes int
	scheme  int // the glyph of that ':', if colon
}

// An end remembers where authorities of one depth and kinds end, so that authorities
// that overlap are not scanned again: each end scans the view once. There are at most
// as many ends as there are depths and sets of kinds.
type end struct {
	depth  uint8
	kinds  kind
	hard   int // the first glyph that ends them
	soft   int // the first that may end an escaped one, at most hard
	at     int // the last '@' in front of hard, or -1
	deepAt int // the last '@' in front of hard that is escaped, or -1
	softAt int // the last '@' in front of soft, or -1
	clear  int // up to here there is nothing wrong with ports
}

// find sets r.spans to the passwords of the text of that length, of which r.glyphs is
// the view.
func (r *Redactor) find(length int) {
	r.spans, r.ends = r.spans[:0], r.ends[:0]
	view := r.glyphs
	var a authority
	colon := -1                  // the first ':' at or after i, as far as it was asked for
	for i := 0; i < len(view); { // to skip a password moves i forward, too
		g := view[i]
		switch {
		case g.char == '/' || g.char == '\\':
			if a.slashes == 0 {
				a.depth, a.kinds = 0, 0
			}
			a.slashes++
			a.join(g)
			i++
			continue
		case isBreak(g.char) && (a.colon || a.slashes > 0): // browsers take them out
			i++
			continue
		}
		if a.from = i; a.slashes > 1 || a.colon && (a.slashes == 1 || g.char != ' ' && lenient(view[:a.scheme])) {
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
			a.join(g) // counts if there are no slashes
		}
		i++
	}
}

// join adds a slash, or the colon, in front of a.
func (a *authority) join(g glyph) {
	a.depth = max(a.depth, g.depth)
	a.kinds |= g.kinds
	if g.char == '\\' {
		a.kinds |= backslash
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
	if !a.colon || a.slashes < 2 && !lenient(view[:a.scheme]) {
		return to
	}
	if at >= 0 && a.scheme >= 3 && spells(view[a.scheme-3:a.scheme], "ssh") {
		return to // ssh://git@host:path
	}
	stop := e.hard
	if e.soft > rest {
		stop = e.soft
	}
	if rest < e.clear {
		return to
	}
	lo, hi := noPort(view, rest, stop)
	if lo < hi {
		r.add(lo, hi, length)
		return hi
	}
	e.clear = hi
	return to
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

// endOf returns the end of a. It scans what no other authority of its depth and kinds
// has scanned.
func (r *Redactor) endOf(a authority) *end {
	for i := range r.ends { // at most one for each depth and set of kinds
		if e := &r.ends[i]; e.depth == a.depth && e.kinds == a.kinds {
			if e.hard < a.from {
				*e = r.newEnd(a)
			} else if e.soft < a.from {
				e.soften(r.glyphs, a.from)
			}
			return e
		}
	}
	r.ends = append(r.ends, r.newEnd(a))
	return &r.ends[len(r.ends)-1]
}

// newEnd scans a up to its end.
func (r *Redactor) newEnd(a authority) end {
	e := end{depth: a.depth, kinds: a.kinds, hard: len(r.glyphs), at: -1, deepAt: -1}
	for i := a.from; i < len(r.glyphs); i++ {
		g := r.glyphs[i]
		switch g.char {
		case '/', '?', '#':
			if g.depth <= a.depth && g.kinds&^a.kinds == 0 {
				e.hard = i
				e.soften(r.glyphs, a.from)
				return e
			}
		case '@':
			e.at = i
			if g.depth > 0 {
				e.deepAt = i
			}
		}
	}
	e.soften(r.glyphs, a.from)
	return e
}

// soften finds the soft end at or after from.
func (e *end) soften(view []glyph, from int) {
	e.softAt = -1
	for e.soft = from; e.soft < e.hard; e.soft++ {
		g := view[e.soft]
		if g.char == '@' {
			e.softAt = e.soft
		}
		if e.depth > 0 && g.depth == 0 && isSoft[g.char] {
			return
		}
	}
}

// isSoft has the characters that no query holds, or that part those of a query, so that
// something escaped in it ends there.
var isSoft = [256]bool{'&': true, ' ': true, '\t': true, '\r': true, '\n': true, '"': true, '<': true, '>': true}

// noPort returns what stands in the place of a port in view[from:stop], which is a host
// and what follows it, if it has a letter: it may be the beginning of a password, as in
// http://u:pa, which is cut at a line's end. What has only digits and signs is a port
// with the end of a sentence. An IPv6 address without brackets has no port. If there is
// nothing, lo and hi are where the host and its port end.
func noPort(view []glyph, from, stop int) (lo, hi int) {
	hi = from
	for hi < stop && !isGap(view[hi]) {
		hi++
	}
	for hi > from && view[hi-1].char == ':' { // of a scheme: what follows it is read next
		hi--
	}
	lo = from
	if lo < hi && view[lo].char == '[' {
		for i := lo; i < hi; i++ {
			if view[i].char == ']' {
				lo = i + 1
				break
			}
		}
	}
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

// isGap reports whether g ends the place of a port in ordinary text.
func isGap(g glyph) bool {
	switch g.char {
	case ' ', '\t', '\r', '\n', '"', '<', '>', '\\':
		return g.depth == 0
	}
	return false
}

// lenient reports whether view ends in the name of a scheme after which browsers look
// for an account whether there are slashes or not.
func lenient(view []glyph) bool {
	for _, name := range [...]string{"http", "https", "ftp", "ws", "wss", "hxxp", "hxxps", "fxp"} {
		n := len(view) - len(name)
		if n >= 0 && spells(view[n:], name) && (n == 0 || !endsScheme(view[n-1].char) && view[n-1].char != '-' && view[n-1].char != '.' && view[n-1].char != '+') {
			return true
		}
	}
	return false
}

// spells reports whether view is name, in any case.
func spells(view []glyph, name string) bool { return len(view) == len(name) && begins(view, name) }

// endsScheme reports whether a scheme may end in c, or what hides one.
func endsScheme(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= lower(c) && lower(c) <= 'z' || c == '*'
}

// isBreak reports whether c is white space that browsers take out of a reference.
func isBreak(c byte) bool { return c == '\n' || c == '\r' || c == '\t' }

// next returns the first c in view at or after from, or the view's length.
func next(view []glyph, from int, c byte) int {
	for i := from; i < len(view); i++ {
		if view[i].char == c {
			return i
		}
	}
	return len(view)
}
