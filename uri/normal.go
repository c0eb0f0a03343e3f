package uri

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// A normal form is made in steps, each of which rewrites one component. The table
// [normalForms] has the steps of each grammar. One pass rewrites the components from left to
// right and does not read its output again. The exception is the path: its escapes are decoded
// before its dot segments are removed, so that "%2e" is a dot (3986, section 6.2.2).

// AppendNormal appends the normal form of s to dst and returns the extended slice. p is
// [Split] of s. The rules are those of the newest member of g, or of [Default] if g is
// empty. Texts with the same normal form are equivalent by the document. To compare,
// use [Equal], which also finds the cases that the document leaves open.
//
//   - url-1993, url-1994 and url-1996 have no normal form: s is appended unchanged.
//   - url-1997, section 6: scheme and hostname in lower case, no port that is the
//     scheme's default, no escapes of unreserved characters (section 2.4.2) except in
//     the host.
//   - uri-2002, section 6: the same, but escapes of unreserved characters are decoded
//     only in the path of http. That is the example in section 2.4.2, which leaves
//     the rest to the schemes.
//   - rfc3986, sections 6.2.2 and 6.2.3: scheme and host in lower case, escapes of
//     unreserved characters decoded and other escapes in upper case, no dot segments in
//     a path that begins with a slash, no default or empty port, "/" for an empty path
//     after an authority, the domains of mailto and the namespace of urn (RFC 8141, section
//     3.1) in lower case, and host names beyond ASCII as A-labels (section 3.2.2) if the scheme uses the DNS. Dot segments of a
//     relative path are kept, because they have a meaning.
//
// Reserved characters are never escaped or unescaped. If the grammar accepts s, it
// accepts the normal form, and normalizing again does not change the normal form. If the grammar
// does not accept s, the result is undefined.
//
// dst must not overlap s. AppendNormal does not allocate if dst has room for len(s)+4
// bytes, unless it converts a host to A-labels.
func AppendNormal[T Text](dst []byte, s T, p Parts, g Grammar) []byte {
	n := normalFormOf(g)
	q := p.unpack()
	return appendForm(dst, view(s), &q, n.in, n.steps)
}

// normalFormOf returns the row of [normalForms] for the newest member of g, with only that member
// in it.
func normalFormOf(g Grammar) normalForm {
	g = g.Newest()
	for _, n := range normalForms { // at most one for each grammar
		if n.in&g != 0 {
			n.in = g
			return n
		}
	}
	return normalForm{in: g}
}

// appendForm appends s rewritten by the steps of do, for g, which is a set of one.
func appendForm(dst []byte, s string, p *offsets, g Grammar, steps step) []byte {
	if steps == 0 || len(s) > MaxLen {
		return append(dst, s...)
	}
	kind := knownScheme(s, p)
	if scheme := s[:p.schemeEnd()]; steps&lowerScheme != 0 && isScheme(s[:p.scheme]) {
		dst = appendLower(dst, scheme)
	} else {
		dst = append(dst, scheme...)
	}
	rooted := p.hasAuthority()
	if rooted {
		dst = append(dst, "//"...)
		dst = appendFormAuthority(dst, s, p, kind, g, steps)
	} else if steps&fileAuthority != 0 && kind.name == "file" {
		dst, rooted = append(dst, "//"...), true // an empty host is the same as none
	}
	undo := undoPath
	if kind.name == "http" {
		undo |= undoHTTP
	}
	start := len(dst)
	dst = appendUndone(dst, s[p.path:p.query], g, steps, undo)
	if steps&dropDots != 0 && (len(dst) > start && dst[start] == '/' || steps&otherDefaults != 0 && p.scheme != 0) {
		dst = removeDots(dst, start)
		dst = guardPath(dst, start, rooted)
	}
	if len(dst) == start && rooted && steps&rootPath != 0 {
		dst = append(dst, '/')
	}
	if kind.name == "mailto" && steps&lowerMailbox != 0 {
		lowerDomains(dst[start:])
	}
	dst = pathDefaults(dst, start, rooted, kind.name, steps)
	rest := s[p.query:p.end]
	if steps&lowerNamespace != 0 && kind.name == "urn" && !rooted {
		lowerNID(dst[start:])
	}
	if r := kind.own; r != nil && steps&ownRules != 0 && !rooted {
		dst = r.reduce(dst, start)
		rest = r.rest(s, p)
	}
	if steps&dropVoid != 0 && p.frag+1 == p.end {
		rest = rest[:len(rest)-1]
	}
	return appendUndone(dst, rest, g, steps, undoRest)
}

// appendFormAuthority appends the authority of s, without the slashes.
func appendFormAuthority(dst []byte, s string, p *offsets, kind scheme, g Grammar, steps step) []byte {
	start := len(dst)
	if lo, hi, ok := p.Span(Userinfo); ok {
		dst = appendUndone(dst, s[lo:hi], g, steps, undoUser)
		if steps&statedDefaults != 0 && kind.name == "ftp" && string(dst[start:]) == "anonymous" {
			dst = dst[:start]
		} else {
			dst = append(dst, '@')
		}
	}
	start = len(dst)
	dst = appendUndone(dst, s[p.user:p.host], g, steps, undoHost)
	if steps&lowerHost != 0 || steps&lowerHostname != 0 && isHostname(view(dst[start:]), g) {
		lowerInPlace(dst[start:])
	}
	if steps&idnaHost != 0 && kind.usesNames {
		dst = hostToASCII(dst, start)
	}
	dst = hostDefaults(dst, start, kind.name, steps)
	lo, hi, ok := p.Span(Port)
	if !ok {
		return dst
	}
	port := s[lo:hi]
	if steps&otherDefaults != 0 {
		if port = strings.TrimLeft(port, "0"); kind.port == 0 { // the default is not known
			return dst
		}
	}
	n, isNumber := number(port, 65535)
	if port == "" && steps&dropEmptyPort != 0 || port != "" && port[0] != '0' && isNumber && n == kind.port && steps&dropDefaultPort != 0 {
		return dst
	}
	return append(append(dst, ':'), port...)
}

// appendUndone appends part. If steps has a step of which, it decodes escapes of inSame (with
// undoNames, of inData). If steps has upperHex, it writes the digits of other escapes in upper
// case.
func appendUndone(dst []byte, part string, g Grammar, steps, which step) []byte {
	undo, up := steps&which != 0, steps&upperHex != 0
	at := inSame
	if steps&undoNames != 0 {
		at = inData
	}
	if !undo && !up {
		return append(dst, part...)
	}
	for { // each iteration continues after a '%'
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
		case undo && b != '%' && allowed[at][b]&g != 0:
			dst = append(dst, b)
		case up:
			dst = appendEscape(dst, b)
		default:
			dst = append(dst, part[:3]...)
		}
		part = part[3:]
	}
}

// lowerInPlace changes ASCII letters to lower case, except in escapes.
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

// lowerDomains changes the domains in path to lower case. Commas separate mailboxes,
// and the domain follows the last '@' of each. A quoted local part may contain '@' and
// commas, and the case of a local part is significant, so a path with a quote is not changed.
func lowerDomains(path []byte) {
	s := view(path)
	if strings.IndexByte(s, '"') >= 0 || strings.Contains(s, "%22") {
		return
	}
	for lo := 0; lo < len(s); {
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

// Names beyond ASCII are converted to the form that the DNS has, by IDNA 2008. The
// standard library does not export its tables, so this file imports x/net/idna, which
// converts text to text and looks nothing up.

// longestName is the length in bytes of the longest name that is converted: four for
// each of the 255 bytes of a name in the DNS. No name is longer in UTF-8.
const longestName = 1020

// hostToASCII converts the host at dst[start:] to A-labels if it has characters beyond
// ASCII, escaped or not, that IDNA allows (3986, section 3.2.2). Otherwise the host is
// unchanged. hostToASCII allocates if it converts.
func hostToASCII(dst []byte, start int) []byte {
	host := dst[start:]
	if len(host) > 3*longestName || !beyondASCII(view(host)) {
		return dst
	}
	name := AppendUnescaped(nil, host)
	if len(name) > longestName || !utf8.Valid(name) {
		return dst
	}
	ascii, err := idna.Lookup.ToASCII(string(name))
	if err != nil || ascii == "" {
		return dst
	}
	// The mapping of unusual characters may contain delimiters.
	for i := range len(ascii) {
		if allowed[inName][ascii[i]]&Every == 0 || ascii[i] == '%' || strings.IndexByte("@:", ascii[i]) >= 0 {
			return dst
		}
	}
	return append(dst[:start], ascii...)
}

// beyondASCII reports whether s has a non-ASCII byte, escaped or not.
func beyondASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf || escapeAt(s, i) && s[i+1] >= '8' {
			return true
		}
	}
	return false
}

// hostDefaults removes defaults from the host at dst[start:]. With statedDefaults that is
// "localhost" of file (2002, section 3.2.2; 3986, section 3.2.2). With otherDefaults it is
// the dot of the DNS root, too, and an IPv6 address is written as its eight groups.
func hostDefaults(dst []byte, start int, scheme string, steps step) []byte {
	host := dst[start:]
	if steps&otherDefaults != 0 && len(host) > 1 && host[len(host)-1] == '.' {
		dst = dst[:len(dst)-1]
		host = dst[start:]
	}
	if steps&statedDefaults != 0 && scheme == "file" && string(host) == "localhost" {
		return dst[:start]
	}
	if steps&otherDefaults != 0 && len(host) > 2 && host[0] == '[' {
		if groups, ok := groupsOf(view(host[1 : len(host)-1])); ok {
			dst = dst[:start]
			for _, n := range groups { // eight
				dst = append(dst, ':', byte(n>>8), byte(n))
			}
		}
	}
	return dst
}

// pathDefaults adds or removes defaults of the path at dst[start:]. With statedDefaults
// that is the type 1 (menu) of gopher (1993, "Gopher"), with otherDefaults ";type=" of
// ftp. rooted is whether there is an authority.
func pathDefaults(dst []byte, start int, rooted bool, scheme string, steps step) []byte {
	path := view(dst[start:])
	switch {
	case steps&statedDefaults != 0 && scheme == "gopher" && rooted && len(path) <= 1: // "" or "/"
		return append(dst[:start], "/1"...)
	case steps&otherDefaults != 0 && scheme == "ftp":
		if i := strings.LastIndex(path, ";type="); i >= 0 {
			return dst[:start+i]
		}
	}
	return dst
}

// Some schemes have rules of their own by which references are equivalent: urn (RFC 8141,
// section 3), tel (RFC 3966, section 4), sip and sips (RFC 3261, section 19.1.4), geo (RFC 5870,
// section 3.4.4). Only the namespace of urn is in the normal form: it is the part of these rules
// that holds for each URN. Each namespace may have further rules, and none of the six
// documents has those of the other schemes. So [Equal] does not know the answer where two
// references differ only in what such a rule may ignore.

// A schemeRule says what the rules of one scheme may ignore.
type schemeRule struct {
	ignore    string // bytes of the path
	end       string // bytes that end what is compared: parameters follow, in any order, some with defaults
	caseFrom  byte   // the case of letters after the last such byte; 0 is the case of all letters
	query     bool   // the query
	fragment  bool   // the fragment
	wholePath bool   // the spelling of the path
}

var schemeRules = map[string]*schemeRule{
	"urn":  {ignore: "-", query: true, fragment: true}, // hyphens: as in an ISBN
	"tel":  {ignore: "-.()", end: ";"},                 // visual separators
	"sip":  {end: ";", caseFrom: '@', query: true},     // the user has a case
	"sips": {end: ";", caseFrom: '@', query: true},
	"geo":  {wholePath: true}, // numbers
}

// rest returns the query and fragment of s that are compared by r.
func (r *schemeRule) rest(s string, p *offsets) string {
	lo, hi := p.query, p.end
	if r.query {
		lo = p.frag
	}
	if r.fragment {
		hi = p.frag
	}
	return s[lo:max(lo, hi)]
}

// reduce removes what r ignores from the path at dst[start:].
func (r *schemeRule) reduce(dst []byte, start int) []byte {
	path := dst[start:]
	from := 0
	if r.caseFrom != 0 {
		from = bytes.LastIndexByte(path, r.caseFrom) + 1
	}
	if n := bytes.IndexAny(path[from:], r.end); n >= 0 {
		path = path[:from+n]
	}
	if r.wholePath {
		path = nil
	}
	lowerInPlace(path[from:])
	dst = dst[:start] // kept bytes move to the front
	for _, b := range path {
		if strings.IndexByte(r.ignore, b) < 0 {
			dst = append(dst, b)
		}
	}
	return dst
}

// lowerNID changes the namespace of a urn, in front of the first colon of path, to lower case. It
// consists of letters, digits and hyphens (RFC 8141, section 2).
func lowerNID(path []byte) {
	for i, b := range path {
		if !isAlpha(b) && !isDigit(b) && b != '-' {
			if b == ':' {
				lowerInPlace(path[:i])
			}
			return
		}
	}
}
