package uri_test

import (
	"regexp"
	"strings"

	"github.com/urlsift/urlsift/uri"
)

// A second implementation of the grammars, which is slow and simple. Each production is a regular
// expression made of the expressions of the productions that it names, with the names and the order
// of the documents. It shares nothing with the package. Where a document contradicts itself, it
// follows fixtures/cases/README.md.

func alt(s ...string) string { return "(?:" + strings.Join(s, "|") + ")" }
func opt(s ...string) string { return "(?:" + strings.Join(s, "") + ")?" }
func any(s ...string) string { return "(?:" + strings.Join(s, "") + ")*" }
func some(s ...string) string {
	return "(?:" + strings.Join(s, "") + ")+"
}

// one matches one of the bytes.
func one(bytes string) string {
	var b strings.Builder
	b.WriteByte('[')
	for _, c := range bytes {
		if strings.ContainsRune(`[]\^-`, c) {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String() + "]"
}

const (
	slowAlpha  = "[A-Za-z]"
	slowDigit  = "[0-9]"
	slowHex    = "[0-9A-Fa-f]"
	slowEscape = "%" + slowHex + slowHex
)

// slow has one expression for each grammar, which matches its references.
var slow = map[uri.Grammar]*regexp.Regexp{
	uri.URL1993: whole(slow1993()),
	uri.URL1994: whole(slow1994()),
	uri.URL1996: whole(slow1997()), // 1996 and 1997 differ only in names
	uri.URL1997: whole(slow1997()),
	uri.URI2002: whole(slow2002()),
	uri.RFC3986: whole(slow3986()),
}

func whole(re string) *regexp.Regexp { return regexp.MustCompile(`\A(?:` + re + `)\z`) }

// slowAccepts matches s with each expression.
func slowAccepts(s string) (got uri.Grammar) {
	for g, re := range slow {
		// Byte by byte: text that is not UTF-8 must not match, and "." is not used.
		if re.MatchString(s) {
			got |= g
		}
	}
	return got
}

func slow1993() string {
	safe, extra := one("$-_@.&"), one(`!*"'():;,`)
	xalpha := alt(slowAlpha, slowDigit, safe, extra, slowEscape)
	xalphas := some(xalpha)
	xpalphas := some(alt(xalpha, `\+`))
	ialpha := slowAlpha + opt(xalphas)
	hostname := ialpha + any(`\.`, ialpha)
	digits := some(slowDigit)
	hostnumber := digits + `\.` + digits + `\.` + digits + `\.` + digits
	host := alt(hostname, hostnumber)
	hostport := host + opt(":", digits)
	path := opt(xpalphas, any("/", xpalphas), "/?")
	search := xalphas + any(`\+`, xalphas)
	selector := path
	url := alt(
		ialpha+":"+path+opt(`\?`, search), // the generic form; a scheme is an ialpha
		"http://"+hostport+opt("/", path)+opt(`\?`, search),
		"ftp://"+host+"/"+path,
		"afs://"+hostname+"/"+path,
		"news:"+alt(`\*`, ialpha+any(`\.`, ialpha), xalphas+"@"+host),
		"wais://"+hostport+"/"+xalphas+opt(`\?`, search),
		"wais://"+hostport+"/"+xalphas+"/"+xalphas+"/"+digits+"/"+path,
		"prospero://"+hostport+"/"+path+opt("%00", digits, any(some(alt(slowAlpha, slowDigit)))),
		"telnet://"+opt(xalphas, "@")+hostport,
		"gopher://"+hostport+opt("/", xalpha, opt(selector))+opt(`\?`, search),
	)
	// The partial form: no colon in front of the first slash.
	noColon := alt(slowAlpha, slowDigit, safe, one(`!*"'();,`), slowEscape, `\+`)
	first := some(noColon)
	partial := alt(
		"//"+opt(xalphas, "@")+hostport+opt("/", path)+opt(`\?`, search),
		"/"+path+opt(`\?`, search),
		first+opt("/", path)+opt(`\?`, search),
	)
	return alt(url, partial) + opt("#", opt(xalphas))
}

func slow1994() string {
	safe, extra := one("$-_@.&+"), one(`!*"'(),`)
	xalpha := alt(slowAlpha, slowDigit, safe, extra, slowEscape)
	xalphas := some(xalpha)
	ialpha := slowAlpha + opt(xalphas)
	hostname := ialpha + any(`\.`, ialpha)
	digits := some(slowDigit)
	host := alt(hostname, digits+`\.`+digits+`\.`+digits+`\.`+digits)
	hostport := host + opt(":", digits)
	alphanum2 := alt(slowAlpha, slowDigit, one("-_.+"))
	login := opt(some(alphanum2), opt(":", some(alphanum2)), "@") + hostport
	path := opt(xalphas, any("/", xalphas), "/?")
	search := xalphas + any(`\+`, xalphas)
	group := ialpha + any(`\.`, ialpha)
	ftptype := alt("A[NTC]", "E[NTC]", "I", "L"+digits)
	wpath := some(digits, "=", path, ";")
	atom := some(alt(slowAlpha, slowDigit, one("$-_&+!*'"), slowEscape))
	addrSpec := atom + any(`\.`, atom) + "@" + atom + any(`\.`, atom)
	url := alt(
		"http://"+hostport+opt("/", path)+opt(`\?`, search),
		"ftp://"+login+"/"+path+opt(";type=", ftptype),
		"news:"+alt(`\*`, group, xalphas+"@"+host),
		"nntp:"+group+"/"+digits,
		"mid:"+addrSpec,
		"cid:"+addrSpec,
		"mailto:"+xalphas+"@"+hostname,
		"wais://"+hostport+"/"+xalphas+opt(`\?`, search),
		"wais://"+hostport+"/"+xalphas+"/"+xalphas+"/"+wpath,
		"prospero://"+hostport+"/"+path,
		"telnet://"+login,
		"gopher://"+hostport+opt("/", xalpha, opt(path)),
	)
	return alt("", "url:", "URL:") + url
}

func slow1997() string {
	unreserved := alt(slowAlpha, slowDigit, one("$-_.!~*'(),"))
	reserved := one(";/?:@&=+")
	urlc := alt(reserved, unreserved, slowEscape)
	pchar := alt(unreserved, slowEscape, one(":@&=+"))
	segment := any(pchar) + any(";", any(pchar))
	pathSegments := segment + any("/", segment)
	alphanum := alt(slowAlpha, slowDigit)
	label := func(first string) string { return first + opt(any(alt(alphanum, "-")), alphanum) }
	hostname := any(label(alphanum), `\.`) + label(slowAlpha)
	number := some(slowDigit)
	hostnumber := number + `\.` + number + `\.` + number + `\.` + number
	hostport := alt(hostname, hostnumber) + opt(":", any(slowDigit))
	user := any(alt(unreserved, slowEscape, one(";&=+")))
	site := opt(opt(user, opt(":", user), "@"), hostport)
	relPath := opt(pathSegments) + opt(`\?`, any(urlc))
	absPath := "/" + relPath
	relativeURL := alt("//"+site+opt(absPath), absPath, relPath)
	scheme := some(alt(slowAlpha, slowDigit, one("+-.")))
	absoluteURL := alt(scheme+":"+relativeURL, scheme+":"+any(urlc))
	return opt(alt(absoluteURL, relativeURL)) + opt("#", any(urlc))
}

func slow2002() string {
	unreserved := alt(slowAlpha, slowDigit, one("-_.!~*'()"))
	pchar := alt(unreserved, slowEscape, one(";:@&=+$,"))
	pathSegments := any(pchar) + any("/", any(pchar))
	absPath := "/" + pathSegments
	query := any(alt(pchar, one("/?")))
	uricNoSlash := alt(unreserved, slowEscape, one("[];?:@&=+$,"))
	uric := alt(one("[];/?:@&=+$,"), unreserved, slowEscape)
	alphanum := alt(slowAlpha, slowDigit)
	label := func(first string) string {
		return first + "(?:(?:[A-Za-z0-9-]){0,61}" + alphanum + ")?"
	}
	hostname := label(alphanum) + opt(any(`\.`, label(alphanum)), opt(`\.`, label(slowAlpha), `\.?`))
	host := alt(`\[`+slowIPv6()+`\]`, slowIPv4(), hostname)
	userinfo := any(alt(unreserved, slowEscape, one(";:&=+$,")))
	server := opt(opt(userinfo, "@"), host, opt(":", any(slowDigit)))
	regName := some(alt(unreserved, slowEscape, one(";:@&=+$,")))
	netPath := "//" + alt(server, regName) + opt(absPath)
	scheme := slowAlpha + any(alt(slowAlpha, slowDigit, one("+-.")))
	hierPart := opt(alt(netPath, absPath)) + opt(`\?`, query)
	absoluteURI := scheme + ":" + alt(hierPart, uricNoSlash+any(uric))
	relPath := some(alt(unreserved, slowEscape, one(";@&=+$,"))) + opt(absPath)
	relativeURI := opt(alt(netPath, absPath, relPath)) + opt(`\?`, query)
	return opt(alt(absoluteURI, relativeURI)) + opt("#", query)
}

func slow3986() string {
	unreserved := alt(slowAlpha, slowDigit, one("-._~"))
	subDelims := one("!$&'()*+,;=")
	pchar := alt(unreserved, slowEscape, subDelims, one(":@"))
	segment := any(pchar)
	pathAbempty := any("/", segment)
	pathAbsolute := "/" + opt(some(pchar), any("/", segment))
	pathRootless := some(pchar) + any("/", segment)
	pathNoscheme := some(alt(unreserved, slowEscape, subDelims, "@")) + any("/", segment)
	query := any(alt(pchar, one("/?")))
	future := "[vV]" + some(slowHex) + `\.` + some(alt(unreserved, subDelims, ":"))
	literal := `\[` + alt(slowIPv6(), future) + `\]`
	regName := any(alt(unreserved, slowEscape, subDelims))
	userinfo := any(alt(unreserved, slowEscape, subDelims, ":"))
	authority := opt(userinfo, "@") + alt(literal, slowIPv4(), regName) + opt(":", any(slowDigit))
	scheme := slowAlpha + any(alt(slowAlpha, slowDigit, one("+-.")))
	hierPart := alt("//"+authority+pathAbempty, pathAbsolute, pathRootless, "")
	relativePart := alt("//"+authority+pathAbempty, pathAbsolute, pathNoscheme, "")
	tail := opt(`\?`, query) + opt("#", query)
	return alt(scheme+":"+hierPart, relativePart) + tail
}

func slowIPv4() string {
	octet := alt("25[0-5]", "2[0-4][0-9]", "1[0-9][0-9]", "[1-9][0-9]", "[0-9]")
	return octet + `\.` + octet + `\.` + octet + `\.` + octet
}

// slowIPv6 is IPv6address of RFC 3986, which is what 2002 meant.
func slowIPv6() string {
	h16 := slowHex + "{1,4}"
	ls32 := alt(h16+":"+h16, slowIPv4())
	n := func(min, max, re string) string { return "(?:" + re + "){" + min + "," + max + "}" }
	group := h16 + ":"
	upTo := func(max string) string { return opt(n("0", max, group), h16) }
	return alt(
		n("6", "6", group)+ls32,
		"::"+n("5", "5", group)+ls32,
		opt(h16)+"::"+n("4", "4", group)+ls32,
		upTo("1")+"::"+n("3", "3", group)+ls32,
		upTo("2")+"::"+n("2", "2", group)+ls32,
		upTo("3")+"::"+group+ls32,
		upTo("4")+"::"+ls32,
		upTo("5")+"::"+h16,
		upTo("6")+"::",
	)
}

// appendixB is the expression of RFC 3986, appendix B, except that "." is any byte.
var appendixB = regexp.MustCompile(`(?s)\A(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?`)
