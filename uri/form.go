package uri

// Two grammars have no syntax that serves all schemes, or have one beside
// productions for single schemes. Those productions are rows of [forms]: what
// stands for an authority, for a path and for a query, in pieces of which there
// is one function each here. The bytes of the pieces have been looked at by then
// (the rows of grammar.go); what is left to see to is which byte comes first, what
// must not be empty, and what is parted by what.
//
// A host or a name swallows more here than one would think: xalpha has '@' in
// both documents and ':' in the older, so that "http://u@h/" has a host called
// "u@h". That is taken as printed.

// A form is one production: a way to write references of one scheme.
type form struct {
	scheme string // as written; "" is a relative form and "*" any scheme
	in     Grammar
	auth   authForm
	path   pathForm
	search bool // '?' and a search may follow
}

// An authForm is what stands behind "//".
type authForm uint8

const (
	noAuth   authForm = iota
	aName             // hostname
	aHost             // hostname or hostnumber
	hostPort          // host [ : port ]
	userHost          // [ user @ ] hostport, where the user is any name
	login             // [ user [ : password ] @ ] hostport, of few bytes
)

// A pathForm is what stands behind the authority, or behind the scheme.
type pathForm uint8

const (
	noPath      pathForm = iota
	bare                 // path, which is void or does not begin with '/'
	bareSome             // the same, but not void
	slashed              // / path
	maybe                // [ / path ]
	typed                // / path [ ;type= ftptype ]
	selector             // [ / gtype [ path ] ]
	database             // / database
	waisID               // / database / wtype / digits / path
	waisFields           // / database / wtype / 1*( digits = path ; )
	group                // * | group | article
	groupNumber          // group / digits
	mailbox              // xalphas @ hostname
	messageID            // what the documents of mail call an addr-spec
	wholeURL             // another reference of these forms
)

// formsOf returns the rows of [forms] for a scheme, which lie together. There
// are few schemes and most are told apart by their length, so that a walk is
// quicker than a map.
func formsOf(scheme string) []form {
	for _, b := range formBlocks {
		if b.scheme == scheme {
			return forms[b.lo:b.hi]
		}
	}
	return nil
}

// A formBlock is forms[lo:hi].
type formBlock struct {
	scheme string
	lo, hi int
}

// formBlocks says where the rows of one scheme lie.
var formBlocks = func() (blocks []formBlock) {
	for i, f := range forms {
		if i == 0 || f.scheme != forms[i-1].scheme {
			blocks = append(blocks, formBlock{f.scheme, i, i})
		}
		blocks[len(blocks)-1].hi = i + 1
	}
	return blocks
}()

// asked is a text that is held against forms.
type asked struct {
	s      string
	p      parts
	plain  bool // the path has no bytes that only some forms have
	nested bool // s stands in a [wholeURL], which holds no other
}

// judgeForms takes from set those members that go by schemes and have no form
// for the text. If nothing is left, bad is where the form that went furthest gave
// up.
func (a *asked) judgeForms(set Grammar) (got Grammar, bad int, why Reason) {
	got = set &^ perScheme
	ask := set & perScheme
	rows := formsOf(a.s[:a.p.scheme])
	// Most texts have a form in all grammars asked, and the same one.
	if ask != 0 && a.try(rows, ask) < 0 {
		return got | ask, len(a.s), 0
	}
	// Otherwise a grammar asked and its forms: at most 2 times 4, and each looks
	// at the text a fixed number of times.
	for ; ask != 0; ask &= ask - 1 {
		g := ask & -ask
		n := a.try(rows, g)
		if n >= 0 && a.p.scheme != 0 {
			if m := a.try(forms[:anyScheme], g); m < 0 || m > n {
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
		return 0, bad, Missing
	case bad == 0 && a.p.scheme != 0: // there was no form to try
		return 0, int(a.p.scheme), BadScheme
	}
	return 0, bad, 0
}

// try returns -1 if the text has one of the forms in every member of g, and else
// the furthest offset at which one gives up, which is 0 if there are none.
func (a *asked) try(rows []form, g Grammar) (far int) {
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

// fault returns the offset at which the text stops having the form, or -1.
func (f *form) fault(a *asked, g Grammar) int {
	s, p := a.s, &a.p
	lo := int(p.schemeEnd())
	if f.path == wholeURL {
		return shift(lo, nestedFault(s[lo:], g))
	}
	if p.hasAuthority() != (f.auth != noAuth) {
		return lo // of the slashes, or of what stands where they should
	}
	// A name alone, with a letter first, is all that any of them wants.
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

// nestedFault is for what stands behind a prefix. It comes to itself no second
// time.
func nestedFault(s string, g Grammar) int {
	p := split(s)
	got, bad, _, plain := judgeBytes(s, &p, g)
	if got != 0 {
		a := asked{s, p, plain, true}
		got, bad, _ = a.judgeForms(got)
	}
	if got != 0 {
		return -1
	}
	return bad
}
