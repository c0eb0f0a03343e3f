package filter

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/names"
	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/extract/record"
)

// A reference without scheme or host matches no pattern for these; mailto has no host.

// A glob is a pattern in lower case: '*' matches any bytes, '?' one character, any other byte itself,
// ignoring case. Brackets have no special meaning, because an IP literal has
// them. Package doublestar, with its other special characters escaped, matches the same
// hosts, but needs the host as a string in lower case: with it, a run with --host over a
// log takes 1.5 times as long.
type glob string

// match reports whether text matches g completely. If the text after a '*' does not
// match, that '*' is tried with one more byte. Only the last '*' needs this, so the time
// is at most len(g) times len(text).
func (g glob) match(text []byte) bool { return matches(string(g), text, lower, '?') }

// matches matches text, whose bytes fold maps, with a pattern in which one is any one character.
func matches(g string, text []byte, fold func(byte) byte, one byte) bool {
	// text[:j] matches g[:i]. star is the index of the last '*' in g[:i], or -1; again is
	// the index in text at which the rest of the pattern was tried last.
	star, again := -1, 0
	i, j := 0, 0
	for j < len(text) {
		switch {
		case i < len(g) && g[i] == '*':
			star, again = i, j
			i++
		case i < len(g) && (g[i] == one || g[i] == fold(text[j])):
			if j++; g[i] == one {
				for j < len(text) && !utf8.RuneStart(text[j]) {
					j++
				}
			}
			i++
		case star >= 0:
			again++
			i, j = star+1, again
		default:
			return false
		}
	}
	for i < len(g) && g[i] == '*' {
		i++
	}
	return i == len(g)
}

// lower returns an ASCII letter in lower case. Texts beyond ASCII are in lower case.
func lower(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		return b | 0x20
	}
	return b
}

// A url is a pattern for the whole URL, in which '*' is any text, and any other character itself.
type url string

func newURL(value string) (pattern, error) { return url(value), nil }

func (u url) match(_ *keeper, r *extract.Result) bool {
	return matches(string(u), r.Shown(), func(b byte) byte { return b }, '*')
}

// A scheme is in lower case.
type scheme string

// newScheme removes a colon at the end.
func newScheme(value string) (pattern, error) {
	return scheme(strings.ToLower(strings.TrimSuffix(value, ":"))), nil
}

func (s scheme) match(_ *keeper, r *extract.Result) bool {
	return bytes.EqualFold(r.Scheme(), []byte(s))
}

// A host is a pattern for hosts, in the spellings that a host may have: as written, with
// A-labels, and in Unicode.
type host struct{ written, ascii, unicode glob }

// newHost returns the spellings of a pattern. Its labels may be in Unicode, A-labels or escaped. A label
// with '*' or '?' has only the spelling that is given. A dot at the end, the root of the DNS, makes no
// difference.
func newHost(value string) (pattern, error) {
	low := strings.TrimSuffix(strings.ToLower(value), ".")
	h := &host{written: glob(low), ascii: glob(low), unicode: glob(low)}
	if !strings.HasPrefix(low, "[") {
		var ascii, unicode []string
		for label := range strings.SplitSeq(low, ".") {
			a, u := label, label
			if !strings.ContainsAny(label, "*?") {
				a, u = record.HostNames(label)
			}
			ascii, unicode = append(ascii, a), append(unicode, u)
		}
		h.ascii, h.unicode = glob(strings.Join(ascii, ".")), glob(strings.Join(unicode, "."))
	}
	return h, nil
}

// match reports whether h matches the host of r. A host that is beyond ASCII, or has
// A-labels, is matched in each of its spellings.
func (h *host) match(_ *keeper, r *extract.Result) bool {
	written := bytes.TrimSuffix(r.Host(), []byte("."))
	if len(written) == 0 {
		return false
	}
	if h.ascii.match(written) {
		return true
	}
	if isPlain(written) && !bytes.Contains(written, []byte("--")) { // an A-label begins with xn--
		return false
	}
	ascii := bytes.TrimSuffix(record.AppendHost(nil, r), []byte("."))
	unicode := bytes.TrimSuffix(record.AppendHostUnicode(nil, r), []byte("."))
	return h.written.match(written) || h.ascii.match(ascii) || len(unicode) > 0 && h.unicode.match(unicode)
}

// isPlain reports whether host is ASCII without escapes.
func isPlain(host []byte) bool {
	for _, b := range host {
		if b == '%' || b >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// A domain is a registrable domain, as written and with A-labels.
type domain struct{ written, ascii string }

// newDomain takes a domain in any spelling.
func newDomain(value string) (pattern, error) {
	name := strings.ToLower(strings.TrimSuffix(value, "."))
	ascii, _ := record.HostNames(name)
	return &domain{name, ascii}, nil
}

// match reports whether d is the registrable domain of r. It
// first compares the end of the host, unless that may have another spelling. If it found the domain of
// each host, access logs would take 2.2 times the processor time.
func (d *domain) match(_ *keeper, r *extract.Result) bool {
	host := bytes.TrimSuffix(r.Host(), []byte("."))
	if n := len(host) - len(d.ascii); isPlain(host) && (n < 0 || !bytes.EqualFold(host[n:], []byte(d.ascii))) {
		return false
	}
	return string(record.AppendDomain(nil, r)) == d.ascii
}

func (s scheme) doubt() string {
	schemes := slices.Sorted(delimit.Schemes())
	if _, known := slices.BinarySearch(schemes, string(s)); known {
		return ""
	}
	return "no scheme of this name is registered" + meant(nearest(string(s), schemes))
}

func (h *host) doubt() string {
	host := hostOf(string(h.written))
	if host == string(h.written) {
		return ""
	}
	return "this is no host" + meant(host)
}

func (d *domain) doubt() string {
	domain := record.Domain(hostOf(d.written))
	if domain == d.ascii {
		return ""
	}
	return "this is no registrable domain" + meant(domain)
}

func (u url) doubt() string {
	if strings.ContainsAny(string(u), "*:/#?") {
		return ""
	}
	return "this is compared with whole URLs" + meant("*"+string(u)+"*")
}

// meant returns the end of a doubt that offers another value, if there is one.
func meant(other string) string {
	if other == "" {
		return ""
	}
	return "; did you mean " + other + "?"
}

// common are the schemes that nearest prefers if several are equally near.
var common = []string{"http", "https", "ftp", "mailto"}

// nearest returns the scheme that differs from name in the fewest letters: at most two, and
// less than half of them.
func nearest(name string, schemes []string) (near string) {
	best := min(2, (len(name)-1)/2) + 1
	for _, list := range [][]string{common, schemes} {
		for _, s := range list {
			if d := names.Distance(name, s, best); d < best {
				best, near = d, s
			}
		}
	}
	return near
}

// hostOf returns the host in pattern if pattern is written as a URL, and pattern itself if that
// may be a host. Brackets, as of an IP literal, may hold colons.
func hostOf(pattern string) string {
	if strings.HasPrefix(pattern, "[") && strings.IndexAny(pattern, "/]") == len(pattern)-1 {
		return pattern
	}
	host := pattern
	if _, after, found := strings.Cut(host, "//"); found {
		host = after
	}
	if end := strings.IndexAny(host, "/#"); end >= 0 {
		host = host[:end]
	}
	host = host[strings.LastIndexByte(host, '@')+1:]
	if strings.HasPrefix(host, "[") {
		if end := strings.IndexByte(host, ']'); end >= 0 {
			return host[:end+1]
		}
		return host
	}
	host, _, _ = strings.Cut(host, ":")
	return host
}
