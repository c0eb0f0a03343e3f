package uri

import "strings"

// A normal form is a few [step]s, each of which rewrites one component; which
// steps a grammar takes is in the table of [norms]. The steps are taken from left
// to right in one pass, and what they write is never read again, but for the
// path: its escapes are undone before its dots are looked at, so that "%2e" is a
// dot (3986, section 6.2.2).

// A step is one thing that a normal form does. Steps combine as bits.
type step uint32

const (
	lowerScheme     step = 1 << iota // ASCII letters, if it is a scheme
	lowerHostname                    // if the host is a hostname
	lowerHost                        // whatever the host is
	idnaHost                         // names beyond ASCII as the DNS has them
	dropDefaultPort                  // the scheme's own
	dropEmptyPort                    // ':' without a port
	bareUser                         // escapes of inData undone, in the userinfo
	bareHost                         // ... in the host
	barePath                         // ... in the path
	bareHTTP                         // ... in the path, if the scheme is http
	bareRest                         // ... in query and fragment
	upperHex                         // digits of escapes
	dropDots                         // dot segments of a path that begins with '/'
	rootPath                         // "/" behind an authority without a path
	lowerMailbox                     // the domains of mailto
	hunches                          // what only somebody who knows the scheme can say
	everyStep       = hunches<<1 - 1
)

// Those of 3986, section 6.2.2, and of 6.2.3. What a hunch says is in neither.
const (
	syntaxSteps = lowerScheme | lowerHost | bareUser | bareHost | barePath | bareRest | upperHex | dropDots
	schemeSteps = dropDefaultPort | dropEmptyPort | rootPath | lowerMailbox | idnaHost
)

// AppendNormal appends s, split as p, in the normal form that the newest member
// of g has for it, and returns the grown slice. Texts with one normal form mean
// the same by the document; [Equal] knows more.
//
//   - url-1993, url-1994, url-1996 have none: s comes out as it is.
//   - url-1997, section 6: scheme and hostname in lower case, no port that is the
//     scheme's own, and no escapes of unreserved characters (2.4.2), but for the
//     host, which may have none.
//   - uri-2002, section 6: the same, but escapes of unreserved characters go from
//     the path of http alone. That is the example of 2.4.2, which leaves the rest
//     to the schemes.
//   - rfc3986, sections 6.2.2 and 6.2.3: any host in lower case, escapes of
//     unreserved characters undone everywhere and the rest in upper case, no dot
//     segments in a path that begins with a slash, no empty port, "/" for an empty
//     path behind an authority, the domain of a mailto in lower case, and names
//     beyond ASCII as A-labels (3.2.2) if the scheme looks names up in the DNS.
//     Dots of a relative path stay: they mean something.
//
// Reserved characters are never escaped or unescaped. What a grammar takes, it
// takes in normal form, and the normal form is its own. Text that it does not
// take has no normal form, and what comes out for it means nothing.
//
// dst must not overlap s, which is neither kept nor changed. With room in dst for
// s and four bytes more nothing is allocated, unless a host is converted to
// A-labels.
func AppendNormal[T Text](dst []byte, s T, p Parts, g Grammar) []byte {
	n := normOf(g)
	q := p.open()
	return appendForm(dst, view(s), &q, n.in, n.do)
}

// normOf returns the row of [norms] for the newest member of g, with that member
// alone in it.
func normOf(g Grammar) norm {
	g = g.newest()
	for _, n := range norms { // a few
		if n.in&g != 0 {
			n.in = g
			return n
		}
	}
	return norm{in: g}
}

// appendForm appends s with the steps of do taken, by the rules of g, which is one
// grammar.
func appendForm(dst []byte, s string, p *parts, g Grammar, do step) []byte {
	if do == 0 || len(s) > MaxLen {
		return append(dst, s...)
	}
	kind := knownScheme(s, p)
	if scheme := s[:p.schemeEnd()]; do&lowerScheme != 0 && isScheme(s[:p.scheme]) {
		dst = appendLower(dst, scheme)
	} else {
		dst = append(dst, scheme...)
	}
	rooted := p.hasAuthority()
	if rooted {
		dst = append(dst, "//"...)
		dst = appendFormAuthority(dst, s, p, kind, g, do)
	} else if do&hunches != 0 && kind.name == "file" {
		dst, rooted = append(dst, "//"...), true // the host is the same without them
	}
	bare := barePath
	if kind.name == "http" {
		bare |= bareHTTP
	}
	start := len(dst)
	dst = appendBare(dst, s[p.path:p.query], g, do, bare)
	if do&dropDots != 0 && (len(dst) > start && dst[start] == '/' || do&hunches != 0 && p.scheme != 0) {
		dst = removeDots(dst, start)
		if !rooted && strings.HasPrefix(view(dst[start:]), "//") { // which would begin an authority
			dst = append(dst, "/."...)
			copy(dst[start+2:], dst[start:])
			dst[start+1] = '.'
		}
	}
	if len(dst) == start && rooted && do&rootPath != 0 {
		dst = append(dst, '/')
	}
	if kind.name == "mailto" && do&lowerMailbox != 0 {
		lowerDomains(dst[start:])
	}
	if do&hunches != 0 {
		dst = hunchPath(dst, start, kind.name)
	}
	return appendBare(dst, s[p.query:p.end], g, do, bareRest)
}

// appendFormAuthority appends the authority of s, without the slashes.
func appendFormAuthority(dst []byte, s string, p *parts, kind scheme, g Grammar, do step) []byte {
	if lo, hi, ok := p.Span(Userinfo); ok && !(do&hunches != 0 && kind.name == "ftp" && s[lo:hi] == "anonymous") {
		dst = appendBare(dst, s[lo:hi], g, do, bareUser)
		dst = append(dst, '@')
	}
	host, start := s[p.user:p.host], len(dst)
	dst = appendBare(dst, host, g, do, bareHost)
	if do&lowerHost != 0 || do&lowerHostname != 0 && (isHostname(host, g)) {
		lowerInPlace(dst[start:])
	}
	if do&idnaHost != 0 && kind.usesNames {
		dst = lookUp(dst, start)
	}
	if do&hunches != 0 {
		dst = hunchHost(dst, start, kind.name)
	}
	lo, hi, ok := p.Span(Port)
	if !ok {
		return dst
	}
	port := s[lo:hi]
	if do&hunches != 0 {
		if port = strings.TrimLeft(port, "0"); kind.port == 0 { // who knows what it would be
			return dst
		}
	}
	n, isNumber := number(port, 65535)
	if port == "" && do&dropEmptyPort != 0 || port != "" && port[0] != '0' && isNumber && n == kind.port && do&dropDefaultPort != 0 {
		return dst
	}
	return append(append(dst, ':'), port...)
}

// appendBare appends part with escapes of inData undone, if do has a step of
// which, and with the digits of the others in upper case, if it has that.
// Stretches without escapes are copied whole.
func appendBare(dst []byte, part string, g Grammar, do, which step) []byte {
	undo, up := do&which != 0, do&upperHex != 0
	if !undo && !up {
		return append(dst, part...)
	}
	for { // each turn goes on behind a '%'
		i := strings.IndexByte(part, '%')
		if i < 0 {
			return append(dst, part...)
		}
		dst = append(dst, part[:i]...)
		if part = part[i:]; !escapeAt(part, 0) {
			dst, part = append(dst, '%'), part[1:]
			continue
		}
		b := unhex(part[1])<<4 | unhex(part[2])
		switch {
		case undo && b != '%' && allowed[inData][b]&g != 0:
			dst = append(dst, b)
		case up:
			dst = appendEscape(dst, b)
		default:
			dst = append(dst, part[:3]...)
		}
		part = part[3:]
	}
}

// lowerInPlace puts ASCII letters in lower case, but for those of escapes.
func lowerInPlace(b []byte) {
	for i := 0; i < len(b); i++ {
		switch {
		case escapeAt(view(b), i):
			i += 2
		case class[b[i]]&upper != 0:
			b[i] |= 0x20
		}
	}
}

// lowerDomains puts the domains of the mailboxes in path, which commas part, in
// lower case: what stands behind the last '@' of each. A quoted local part may
// hold an '@' or a comma of its own, and its case counts; a path with a quote is
// left as it is.
func lowerDomains(path []byte) {
	s := view(path)
	if strings.IndexByte(s, '"') >= 0 || strings.Contains(s, "%22") {
		return
	}
	for lo := 0; lo < len(s); { // each turn takes a mailbox
		hi := len(s)
		if n := strings.IndexByte(s[lo:], ','); n >= 0 {
			hi = lo + n
		}
		if n := strings.LastIndexByte(s[lo:hi], '@'); n >= 0 {
			lowerInPlace(path[lo+n+1 : hi])
		}
		lo = hi + 1
	}
}
