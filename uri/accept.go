package uri

// One pass validates a text by all grammars at once. It starts with the set of grammars that the
// caller wants. Each byte removes the grammars that do not allow it in its slot ([allowed]). Each
// structure of the text, such as a fragment, removes the grammars that do not have it (the named
// sets of rules.go). The grammars that remain accept the text. If none remains, the text is
// rejected at that byte.
//
// Most texts do not need this pass: see acceptbytes.go.
//
// Two grammars have productions for single schemes ([productions]). These are tried at the
// end, and only if one of the two is still in the set.

// Accepts returns the members of want that accept s as a reference: absolute or
// relative, with or without a fragment. p is [Split] of s.
//
// If got is not empty, bad is len(s). If got is empty, bad is the offset in bytes at
// which the last member rejected s, or len(s) if that member requires more at the end.
// [Explain] gives the reason. Accepts does not allocate and keeps nothing of s. No
// grammar accepts a text longer than [MaxLen].
func Accepts[T Text](s T, p Parts, want Grammar) (got Grammar, bad int) {
	t := view(s)
	if want &= Every; want != 0 && len(t) <= MaxLen {
		if got, ok := fastAccepts(t, p, want); ok {
			return got, len(t)
		}
	}
	q := p.unpack()
	got, bad, _ = accepts(t, &q, want)
	return got, bad
}

// accepts is the body of Accepts. If no member of want accepts s, the result why is the reason, or
// 0 if the reason follows from the byte at bad.
//
// Each byte is scanned once. Two things are scanned again: a host in brackets, and,
// for the grammars of perScheme, what [productionText.acceptProductions] needs.
func accepts(s string, p *offsets, want Grammar) (set Grammar, bad int, why reason) {
	set, bad, why, plain := acceptBytes(s, p, want)
	if set&perScheme != 0 {
		a := productionText{s, *p, plain, false}
		return a.acceptProductions(set)
	}
	return set, bad, why
}

// Explain returns nil if some member of g accepts s, and otherwise an [*Error] that
// says where and why the last member rejected it. p is [Split] of s. Use [Accepts]
// where only the answer is needed: Explain is slower, and the Error has a copy of s.
func Explain[T Text](s T, p Parts, g Grammar) error {
	q := p.unpack()
	got, bad, why := accepts(view(s), &q, g)
	if got != 0 {
		return nil
	}
	if why == tooLong {
		s = s[:100]
	}
	return explain(string(s), &q, g, bad, why)
}

// explain makes the Error for s, which the function accepts has rejected at offset bad. To set
// Error.Accepts, it validates s again by all grammars. The Error keeps s.
func explain(s string, p *offsets, g Grammar, bad int, why reason) *Error {
	e := &Error{Text: s, Offset: bad, Component: p.at(bad), Grammar: g}
	if why == tooLong {
		e.Text, e.Component, e.Reason = s[:100], Path, why.String()
		return e
	}
	e.Accepts, _, _ = accepts(s, p, Every)
	switch why {
	case badScheme:
		e.Component = Scheme
	case badHost: // the offset of a missing bracket is in the next component
		e.Component = Host
	case missing: // at the end of the text, or a scheme at its beginning
		if p.scheme == 0 && bad == 0 && s != "" {
			e.Component = Scheme
		}
	case 0:
		switch {
		case e.Component == Port:
			why = badPort
		case bad < len(s) && s[bad] == '%' && !escapeAt(s, bad):
			why = badEscape
		default:
			why = badByte
		}
	}
	e.Reason = why.String()
	return e
}

// A productionText is a text that is matched with productions.
type productionText struct {
	s      string
	p      offsets
	plain  bool // every form of path allows the bytes of the path
	nested bool // s is inside a [wholeURL], which may not be nested again
}

// acceptProductions removes from set the members of perScheme that have no production for the
// text. If no grammar remains, bad is the offset of the furthest mismatch, and the result why is
// the reason, or 0 if the reason follows from the byte at bad.
func (a *productionText) acceptProductions(set Grammar) (got Grammar, bad int, why reason) {
	got = set &^ perScheme
	untried := set & perScheme
	rows := productionsOf(a.s[:a.p.scheme])
	// Most texts match the same production in all grammars of the set.
	if untried != 0 && a.try(rows, untried) < 0 {
		return got | untried, len(a.s), 0
	}
	// Otherwise try each grammar by itself: at most two grammars with at most four
	// productions, each of which scans the text a fixed number of times.
	for ; untried != 0; untried &= untried - 1 {
		g := untried & -untried
		n := a.try(rows, g)
		if n >= 0 && a.p.scheme != 0 {
			if m := a.try(productions[:anyScheme], g); m < 0 || m > n {
				n = m
			}
		}
		if n < 0 {
			got |= g
		}
		bad = max(bad, n)
	}
	switch {
	case got != 0:
		return got, len(a.s), 0
	case bad == len(a.s):
		return 0, bad, missing
	case bad == 0 && a.p.scheme != 0: // the scheme has no production
		return 0, int(a.p.scheme), badScheme
	}
	return 0, bad, 0
}

// try returns -1 if the text matches one of the productions in every member of g. Otherwise it
// returns the furthest offset at which a production does not match, or 0 if there is none.
func (a *productionText) try(rows []production, g Grammar) (far int) {
	for i := range rows {
		f := &rows[i]
		if g&^f.in != 0 || a.nested && f.path == wholeURL {
			continue
		}
		n := f.fault(a, g)
		if n < 0 {
			return -1
		}
		far = max(far, n)
	}
	return far
}

// A production is one way to write references of one scheme.
type production struct {
	scheme string // as written; "" is a relative form and "*" any scheme
	in     Grammar
	auth   authForm
	path   pathForm
	search bool // whether '?' and a search may follow
}

// fault returns the offset at which the text does not match the production, or -1.
func (f *production) fault(a *productionText, g Grammar) int {
	s, p := a.s, &a.p
	lo := int(p.schemeEnd())
	if f.path == wholeURL {
		return shift(lo, nestedFault(s[lo:], g))
	}
	if p.hasAuthority() != (f.auth != noAuth) {
		return lo // the offset of the slashes, or where they are missing
	}
	// Every production accepts an authority that is only a host, if the host begins with a letter.
	if f.auth != noAuth && (p.user != uint32(lo)+2 || p.host != p.path || p.path == p.user || !isAlpha(s[p.user])) {
		if n := f.auth.fault(s[lo+2:p.path], g); n >= 0 {
			return lo + 2 + n
		}
	}
	if n := f.path.fault(s[p.path:p.query], g, a.plain); n >= 0 {
		return int(p.path) + n
	}
	if p.query != p.frag {
		if !f.search {
			return int(p.query)
		}
		return shift(int(p.query)+1, searchFault(s[p.query+1:p.frag], g))
	}
	return -1
}

// nestedFault returns the offset at which s, the text after the prefix "URL:", is not a
// reference, or -1. It is not called recursively.
func nestedFault(s string, g Grammar) int {
	p := split(s)
	got, bad, _, plain := acceptBytes(s, &p, g)
	if got != 0 {
		a := productionText{s, p, plain, true}
		got, bad, _ = a.acceptProductions(got)
	}
	if got != 0 {
		return -1
	}
	return bad
}

// productionsOf returns the rows of [productions] for a scheme, which are adjacent. There are
// few schemes, and most differ in length, so a linear search is faster than a map.
func productionsOf(scheme string) []production {
	for _, b := range formBlocks {
		if b.scheme == scheme {
			return productions[b.lo:b.hi]
		}
	}
	return nil
}

// A productionBlock is productions[lo:hi].
type productionBlock struct {
	scheme string
	lo, hi int
}

// formBlocks has the rows of each scheme.
var formBlocks = func() (blocks []productionBlock) {
	for i, f := range productions {
		if i == 0 || f.scheme != productions[i-1].scheme {
			blocks = append(blocks, productionBlock{f.scheme, i, i})
		}
		blocks[len(blocks)-1].hi = i + 1
	}
	return blocks
}()

// init makes the tables of class.go from the rows.
func init() {
	for at := range allowed {
		for b := range allowed[at] {
			if b != '%' {
				allowed[at][b] = noEscape
			}
			if at == int(inQuery) && b != '+' {
				allowed[at][b] |= noPlus
			}
		}
	}
	for _, r := range rows {
		for _, at := range r.in {
			for i := range len(r.bytes) {
				allowed[at][r.bytes[i]] |= r.have
			}
		}
	}
	for c := Userinfo; c <= Fragment; c++ {
		if dataSlot[c] == inScheme {
			continue // a scheme has no escapes
		}
		for b := range mustEscape[c] {
			mustEscape[c][b] = Every &^ allowed[dataSlot[c]][b]
		}
		mustEscape[c]['%'] = Every
	}
	for _, r := range reserved {
		for i := range len(r.bytes) {
			mustEscape[r.in][r.bytes[i]] |= r.have
		}
	}
}
