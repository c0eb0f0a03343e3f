package unwrap

import (
	"bytes"
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"github.com/urlsift/urlsift/uri"
)

// A service is a rewriting service: its hosts, and where the inner reference is.
type service struct {
	by    By
	hosts []name
	also  func(host []byte) bool // other hosts; may be nil

	// find appends the inner reference to dst, decoded, or nothing. rest is what follows the authority
	// of the outer one.
	find func(dst, rest []byte) []byte
}

// A name is the name of a host in lower case, or after '.' that of all hosts below it.
type name string

// matches reports whether n is host, in any case, or above it.
func (n name) matches(host []byte) bool {
	at := len(host) - len(n)
	return (at == 0 || at > 0 && n[0] == '.') && bytes.EqualFold(host[at:], []byte(n))
}

// services is the table, with what is publicly said of each.
var services = []service{
	// learn.microsoft.com/defender-office-365/safe-links-about: "the original URL is wrapped". The third is
	// for links in Teams.
	{by: Safelinks, hosts: []name{".safelinks.protection.outlook.com", ".safelinks.protection.office365.us", "statics.teams.cdn.office.net"}, find: valueOf("/", "url")},

	// help.proofpoint.com: "URL Decoder" describes the three forms, with a program for each.
	{by: URLDefense, hosts: proofpoint, find: valueOf("/v1/url", "u")},
	{by: URLDefense, hosts: proofpoint, find: urlDefense2},
	{by: URLDefense, hosts: proofpoint, find: urlDefense3},

	// developers.google.com/search: a click on a result is a request for /url, with the result as q or url.
	{by: Google, also: isGoogle, find: valueOf("/url", "q", "url")},

	// engineering.fb.com, "Link Shim": the link is the parameter u of l.php.
	{by: Facebook, hosts: []name{"l.facebook.com", "lm.facebook.com", "www.facebook.com", "m.facebook.com", "l.messenger.com"}, find: valueOf("/l.php", "u")},
	{by: Facebook, hosts: []name{"l.instagram.com", "l.threads.net", "l.wl.co"}, find: valueOf("/", "u")},

	// campus.barracuda.com, "Link Protection": the link is the parameter a.
	{by: Barracuda, hosts: []name{"linkprotect.cudasvc.com"}, find: valueOf("/url", "a")},

	// cisco.com, "URL Rewriting" in the guide to Secure Email Gateway: a token, and the escaped link.
	{by: Cisco, hosts: []name{"secure-web.cisco.com"}, find: secondSegment},

	// RFC 7089 (Memento), and the archives' own pages: the time in digits, and the URL as it is.
	{by: Archive, hosts: []name{
		"web.archive.org", "wayback.archive.org", "wayback.archive-it.org", "webarchive.loc.gov", "webarchive.nationalarchives.gov.uk", "www.webarchive.org.uk",
		"arquivo.pt", "archive.today", "archive.is", "archive.ph", "archive.li", "archive.fo", "archive.vn", "archive.md", "webarchive.nla.gov.au",
	}, find: afterTime},
}

var proofpoint = []name{"urldefense.proofpoint.com", "urldefense.com", "urldefense.us"}

// opaque are services that keep the target to themselves, and how the paths begin that they make.
var opaque = []struct {
	host name
	path string
}{
	{"t.co", "/"},                   // help.x.com, "About our link service": each link in a post
	{"lnkd.in", "/"},                // linkedin.com/help: long links in a post
	{".mimecast.com", "/s/"},        // Mimecast, "URL Protect"
	{".mimecastprotect.com", "/s/"}, // the same
	{"clicktime.symantec.com", "/"}, // Symantec Email Security.cloud, "Click-time URL Protection"
	{".ct.sendgrid.net", "/ls/"},    // SendGrid, "Click Tracking"
}

// valueOf returns a find for the value of one of these parameters, where the path is path or, if path is
// "/", anything.
func valueOf(path string, names ...string) func(dst, rest []byte) []byte {
	return func(dst, rest []byte) []byte {
		if p, _, _ := bytes.Cut(rest, []byte("?")); path == "/" || string(p) == path {
			return uri.AppendUnescaped(dst, value(rest, names...))
		}
		return dst
	}
}

// value returns the first value of these parameters that is not empty.
func value(rest []byte, names ...string) []byte {
	for rest := query(rest); len(rest) > 0; {
		var name, value []byte
		name, value, rest = parameter(rest)
		for _, n := range names {
			if len(value) > 0 && n == string(name) {
				return value
			}
		}
	}
	return nil
}

// urlDefense2 finds the target in /v2/url?u=: '-' stands for '%', and '_' for '/'.
func urlDefense2(dst, rest []byte) []byte {
	if !bytes.HasPrefix(rest, []byte(secondForm)) {
		return dst
	}
	start := len(dst)
	for _, c := range value(rest, "u") {
		switch c {
		case '-':
			c = '%'
		case '_':
			c = '/'
		}
		dst = append(dst, c)
	}
	end := len(dst)
	dst = uri.AppendUnescaped(dst, dst[start:end])
	return append(dst[:start], dst[end:]...)
}

const secondForm = "/v2/url?"

// urlDefense3 finds the target in /v3/__TARGET__;BYTES!: some characters of TARGET are '*', and "**L"
// stands for as many as the letter L says. They are, in this order, the bytes that BYTES has in base64.
func urlDefense3(dst, rest []byte) []byte {
	target, ok := bytes.CutPrefix(rest, []byte("/v3/__"))
	end := bytes.LastIndex(target, []byte("__;"))
	if !ok || end < 0 {
		return dst
	}
	code := target[end+len("__;"):]
	mark := bytes.IndexAny(code, "!%") // "%21" where a program has escaped it
	if mark < 0 || code[mark] == '%' && !bytes.HasPrefix(code[mark:], []byte("%21")) {
		return dst
	}
	start := len(dst)
	with, err := base64.RawURLEncoding.AppendDecode(dst, bytes.TrimRight(code[:mark], "="))
	if err != nil {
		return dst
	}
	octets := with[start:] // they and the text with its marks are removed in the end
	marked := len(with)
	dst = uri.AppendUnescaped(with, target[:end])
	first := len(dst)
	for i := marked; i < first; i++ {
		c, n := dst[i], 1
		if c != '*' {
			dst = append(dst, c)
			continue
		}
		if i+2 < first && dst[i+1] == '*' {
			if run := strings.IndexByte(runs, dst[i+2]); run >= 0 {
				n = run + 2 // 2 is the shortest run
				i += 2
			}
		}
		for ; n > 0 && len(octets) > 0; n-- {
			_, size := utf8.DecodeRune(octets)
			dst, octets = append(dst, octets[:size]...), octets[size:]
		}
	}
	return append(dst[:start], dst[first:]...)
}

// runs are the letters for the lengths of runs in urlDefense3, from 2.
const runs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// isGoogle reports whether host is google. and a top-level domain, or one of two labels as co.uk.
func isGoogle(host []byte) bool {
	if len(host) > 4 && bytes.EqualFold(host[:4], []byte("www.")) {
		host = host[4:]
	}
	const google = "google."
	if len(host) <= len(google) || !bytes.EqualFold(host[:len(google)], []byte(google)) {
		return false
	}
	top := host[len(google):]
	if second, country, two := bytes.Cut(top, []byte(".")); two {
		return len(country) == 2 && (bytes.EqualFold(second, []byte("co")) || bytes.EqualFold(second, []byte("com")))
	}
	return len(top) == 2 || bytes.EqualFold(top, []byte("com")) || bytes.EqualFold(top, []byte("cat"))
}

// secondSegment finds the second segment of the path.
func secondSegment(dst, rest []byte) []byte {
	_, rest, _ = bytes.Cut(bytes.TrimPrefix(rest, []byte("/")), []byte("/"))
	text, _, _ := bytes.Cut(rest, []byte("?"))
	return uri.AppendUnescaped(dst, text)
}

// afterTime finds what follows the segment with the time: 4 to 14 digits, and perhaps "id_", "if_" or
// the like. The query and the fragment are those of the target.
func afterTime(dst, rest []byte) []byte {
	for range 4 { // at most three segments stand in front of the time
		segment, after, more := bytes.Cut(bytes.TrimPrefix(rest, []byte("/")), []byte("/"))
		if !more {
			break
		}
		flags := bytes.TrimLeft(segment, "0123456789")
		scheme, _, _ := bytes.Cut(after, []byte(":"))
		if n := len(segment) - len(flags); isKnown(scheme) && 4 <= n && n <= 14 && (len(flags) == 0 || string(flags) == "*" || len(flags) == 3 && flags[2] == '_') {
			return append(dst, after...)
		}
		rest = after
	}
	return dst
}
