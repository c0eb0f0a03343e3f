package uri

// The grammars of perScheme have productions for single schemes. The rows of [forms]
// are these productions: the form of the authority, the form of the path, and whether
// a search may follow. Each form has one function. The bytes have been checked by
// then (rows, in rules.go). The functions check the rest: which byte comes first,
// what must not be empty, and which delimiter is between two pieces.
//
// A host or a name can contain more than one expects: xalpha has '@' in both
// documents and ':' in the older, so that "http://u@h/" has the host "u@h". The
// documents are followed literally here.

// A form is one production: a way to write references of one scheme.
type form struct {
	scheme string // as written; "" is a relative form and "*" any scheme
	in     Grammar
	auth   authForm
	path   pathForm
	search bool // whether '?' and a search may follow
}

// An authForm is the form of what follows "//".
type authForm uint8

const (
	noAuth   authForm = iota
	aName             // hostname
	aHost             // hostname or hostnumber
	hostPort          // host [ : port ]
	userHost          // [ user @ ] hostport, where the user is any name
	login             // [ user [ : password ] @ ] hostport, of few bytes
)

// A pathForm is the form of what follows the authority, or else the scheme.
type pathForm uint8

const (
	noPath      pathForm = iota
	bare                 // path, which is empty or does not begin with '/'
	bareSome             // the same, but not empty
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
	messageID            // addr-spec (RFC 822)
	wholeURL             // another reference of these forms
)

// formsOf returns the rows of [forms] for a scheme, which are adjacent. There are
// few schemes, and most differ in length, so a linear search is faster than a map.
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

// formBlocks has the rows of each scheme.
var formBlocks = func() (blocks []formBlock) {
	for i, f := range forms {
		if i == 0 || f.scheme != forms[i-1].scheme {
			blocks = append(blocks, formBlock{f.scheme, i, i})
		}
		blocks[len(blocks)-1].hi = i + 1
	}
	return blocks
}()

// A formText is a text that is matched with forms.
type formText struct {
	s      string
	p      parts
	plain  bool // every form of path allows the bytes of the path
	nested bool // s is inside a [wholeURL], which may not be nested again
}

// judgeForms removes from set the members of perScheme that have no form for the
// text. If no grammar remains, bad is the offset of the furthest mismatch, and why is
// the reason, or 0 if it follows from the byte at bad.
func (a *formText) judgeForms(set Grammar) (got Grammar, bad int, why Reason) {
	got = set &^ perScheme
	ask := set & perScheme
	rows := formsOf(a.s[:a.p.scheme])
	// Most texts have the same form in all grammars of the set.
	if ask != 0 && a.try(rows, ask) < 0 {
		return got | ask, len(a.s), 0
	}
	// Otherwise try each grammar by itself: at most two grammars with at most four
	// forms, each of which scans the text a fixed number of times.
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
	case bad == 0 && a.p.scheme != 0: // the scheme has no form
		return 0, int(a.p.scheme), BadScheme
	}
	return 0, bad, 0
}

// try returns -1 if the text has one of the forms in every member of g. Otherwise it
// returns the furthest offset at which a form does not match, or 0 without a form.
func (a *formText) try(rows []form, g Grammar) (far int) {
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

// fault returns the offset at which the text does not match the form, or -1.
func (f *form) fault(a *formText, g Grammar) int {
	s, p := a.s, &a.p
	lo := int(p.schemeEnd())
	if f.path == wholeURL {
		return shift(lo, nestedFault(s[lo:], g))
	}
	if p.hasAuthority() != (f.auth != noAuth) {
		return lo // of the slashes, or where they are missing
	}
	// Every form accepts a host alone that begins with a letter.
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

// nestedFault is for the reference after a prefix. It is not called recursively.
func nestedFault(s string, g Grammar) int {
	p := split(s)
	got, bad, _, plain := judgeBytes(s, &p, g)
	if got != 0 {
		a := formText{s, p, plain, true}
		got, bad, _ = a.judgeForms(got)
	}
	if got != 0 {
		return -1
	}
	return bad
}
