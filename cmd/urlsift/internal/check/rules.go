package check

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/uri"
)

// A rule is a row of the table of what may be wrong. find returns what is wrong with a reference, or "".
type rule struct {
	name string // for programs
	find func(r *extract.Result) string
}

// rules is the table. The first rule that finds something decides.
var rules = []rule{
	{"colon", missingColon},
	{"scheme", misspelledScheme},
	{"twice", schemeTwice},
	{"slashes", wrongSlashes},
	{"brackets", openAddress},
	{"grammar", refused},
	{"host", impossibleHost},
	{"port", impossiblePort},
	{"escape", brokenEscape},
}

// Wrong returns the name of the first rule that finds something wrong with r, and what it finds, in words.
// It returns "" if r is clean.
func Wrong(r *extract.Result) (rule, what string) {
	if isPlain(r) {
		return "", ""
	}
	for i := range rules {
		if what := rules[i].find(r); what != "" {
			if isPlaceholder(r.Candidate.Text) {
				break
			}
			return rules[i].name, what
		}
	}
	return "", ""
}

// isPlain reports whether r needs no look at the rules, as nearly all. The warnings are about more than
// some of the rules.
func isPlain(r *extract.Result) bool {
	lo, hi, _ := r.Parts.Span(uri.Host)
	text := r.Candidate.Text
	return r.Valid && hi-lo > len("https") && r.Target == nil && r.Warnings() == 0 && bytes.IndexByte(text, '%') < 0 &&
		(bytes.HasPrefix(text, []byte("http://")) || bytes.HasPrefix(text, []byte("https://")))
}

// placeholder matches what stands for another text: {name}, ${name}, $NAME, %s, %1$s, %(name)s, %NAME%, <name>,
// *, [name] without a colon, and dots in place of a host.
var placeholder = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\{[^{}]*\}|\$[A-Za-z0-9_({]|%(?:[0-9]\$)?[sdvqiu](?:\b|_)|%\([a-z_]+\)|%[A-Za-z_]{3,}%|%%|<|//[^/?#]*\*|//X+[.:/]|\[[^\]:]*[^\]:0-9.][^\]:]*\]|\[[^\]]*$|//\.\.+|//…|\\[dwsSDW.]|[({]\?[:=!]|(?i::port\b)`)
})

// isPlaceholder reports whether text is a template, a pattern or the like, and no reference itself. An
// address in brackets has a colon.
func isPlaceholder(text []byte) bool {
	if bytes.Contains(text, []byte("//[")) && !bytes.Contains(text, []byte("]")) {
		return false // see openAddress
	}
	return placeholder().Match(text)
}

// schemes are those that need a host and two slashes.
var schemes = []string{"http", "https", "ftp", "ftps", "sftp", "ws", "wss", "gopher", "rtsp"}

// schemeOf returns the scheme that s begins with, and what follows it.
func schemeOf(s []byte) (scheme, rest string) {
	end := bytes.IndexAny(s[:min(len(s), len("gopher")+1)], ":/;.")
	for _, name := range schemes {
		if len(name) == end && strings.EqualFold(string(s[:end]), name) {
			return string(s[:end]), string(s[end:])
		}
	}
	return "", ""
}

func missingColon(r *extract.Result) string {
	switch scheme, rest := schemeOf(r.Candidate.Text); {
	case scheme == "":
	case strings.HasPrefix(rest, "//"):
		return "':' is missing after " + scheme
	case strings.HasPrefix(rest, ";//"), strings.HasPrefix(rest, ".//"):
		return "'" + rest[:1] + "' after " + scheme + " instead of ':'"
	}
	return ""
}

// misspellings are schemes that nobody has registered, and that are written in place of others: a letter too
// many, one too few, or two in the wrong order.
var misspellings = map[string][]string{
	"http":  {"htp", "hhtp", "htpp", "htttp", "httpp", "htpt", "thtp", "hptt", "hppt", "hhttp"},
	"https": {"htps", "hhtps", "htpps", "htttps", "httpps", "httpss", "htpts", "thtps", "hptts", "httsp", "hhttps"},
}

func misspelledScheme(r *extract.Result) string {
	text := r.Candidate.Text
	end := bytes.Index(text[:min(len(text), len("httpps://"))], []byte("://"))
	if end < 0 {
		return ""
	}
	for right, wrong := range misspellings {
		if slices.ContainsFunc(wrong, func(w string) bool { return strings.EqualFold(w, string(text[:end])) }) {
			return string(text[:end]) + " instead of " + right
		}
	}
	return ""
}

// schemeTwice finds http://http://www.example.com/, where the second scheme is taken for the host.
func schemeTwice(r *extract.Result) string {
	text := r.Shown()
	p := uri.Split(text)
	lo, hi, _ := p.Span(uri.Host)
	from, to, _ := p.Span(uri.Path)
	switch string(text[lo:hi]) {
	case "http", "https", "ftp":
		if bytes.HasPrefix(text[from:to], []byte("//")) {
			return string(text[lo:hi]) + " is the host, so the scheme stands twice"
		}
	}
	return ""
}

func wrongSlashes(r *extract.Result) string {
	scheme, rest := schemeOf(r.Candidate.Text)
	switch {
	case scheme == "":
	case strings.HasPrefix(rest, `:\\`):
		return `'\' after ` + scheme + ": instead of '/'"
	case strings.HasPrefix(rest, ":///"):
		n := len(rest) - len(":") - len(strings.TrimLeft(rest[1:], "/"))
		return fmt.Sprintf("%d '/' after %s: instead of 2", n, scheme)
	case strings.HasPrefix(rest, ":/") && !strings.HasPrefix(rest, "://"):
		return "1 '/' after " + scheme + ": instead of 2"
	}
	return ""
}

func openAddress(r *extract.Result) string {
	if _, rest := schemeOf(r.Candidate.Text); strings.HasPrefix(rest, "://[") && !strings.Contains(rest, "]") {
		return "']' is missing after the address in the host"
	}
	return ""
}

// parts are what messages call the components.
var parts = map[uri.Component]string{
	uri.Scheme: "the scheme", uri.Authority: "the host", uri.Userinfo: "the user", uri.Host: "a host", uri.Port: "a port",
	uri.Path: "a path", uri.Query: "a query", uri.Fragment: "a fragment",
}

// refused says why the grammar does not accept r.
func refused(r *extract.Result) string {
	var e *uri.Error
	if r.Valid || !errors.As(r.Err, &e) {
		return ""
	}
	part := parts[e.Component]
	if e.Offset >= len(e.Text) {
		return "something is missing at the end of " + part
	}
	c, size := utf8.DecodeRuneInString(e.Text[e.Offset:])
	char := strconv.QuoteRune(c)
	if c == utf8.RuneError && size == 1 {
		char = fmt.Sprintf("byte %#02x", e.Text[e.Offset])
	}
	switch e.Reason {
	case "broken escape":
		return "'%' without two hexadecimal digits in " + part
	case "bad host":
		return char + " is not allowed in an address in brackets"
	case "bad start":
		return char + " is not allowed at the beginning of " + part
	}
	return char + " is not allowed in " + part
}

// brokenEscape finds a '%' that had to be escaped itself.
func brokenEscape(r *extract.Result) string {
	text := r.Candidate.Text
	p := uri.Split(text)
	for i, b := range text {
		if b == '%' && (len(text)-i < 3 || !isHex(text[i+1]) || !isHex(text[i+2])) {
			for _, c := range []uri.Component{uri.Userinfo, uri.Path, uri.Query, uri.Fragment} {
				if lo, hi, _ := p.Span(c); lo <= i && i < hi {
					return "'%' without two hexadecimal digits in " + parts[c]
				}
			}
		}
	}
	return ""
}

func isHex(b byte) bool { return '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'f' }

func impossiblePort(r *extract.Result) string {
	text := r.Shown()
	lo, hi, _ := uri.Split(text).Span(uri.Port)
	port := string(text[lo:hi])
	n, err := strconv.ParseUint(port, 10, 64)
	if errors.Is(err, strconv.ErrSyntax) || err == nil && 0 < n && n <= 65535 {
		return "" // other than digits are the grammar's to refuse
	}
	return "no port is " + port + ": ports are 1 to 65535"
}

// hostFaults are what messages say of the faults that uri.HostFault names. In place of %s is the host, or
// the character at the fault.
var hostFaults = map[string]string{
	"no host":      "there is no host",
	"bad literal":  "%s is no address in brackets",
	"bad address":  "%s is no IPv4 address",
	"empty label":  "a label of the host is empty",
	"first hyphen": "'-' is not allowed at the beginning of a label of the host",
	"last hyphen":  "'-' is not allowed at the end of a label of the host",
	"bad byte":     "%s is not allowed in a label of the host",
	"long label":   "a label of the host has more than 63 bytes",
	"long name":    "the host has more than 253 bytes",
	"bad A-label":  "what follows \"xn--\" in a label of the host encodes nothing",
}

// impossibleHost finds a host that is missing or cannot exist.
func impossibleHost(r *extract.Result) string {
	text := r.Shown()
	p := uri.Split(text)
	if _, _, ok := p.Span(uri.Authority); !ok {
		if scheme, rest := schemeOf(text); scheme != "" && strings.HasPrefix(rest, ":") {
			return hostFaults["no host"]
		}
		return ""
	}
	why, at := uri.HostFault(text, p)
	lo, hi, _ := p.Span(uri.Host)
	host := string(text[lo:hi])
	switch {
	case why == "last hyphen" && at+1 == len(text): // the text is cut
		return ""
	case why == "bad byte":
		end := at + 1
		if text[at] == '%' {
			end = min(hi, at+len("%2F"))
		}
		return fmt.Sprintf(hostFaults[why], "'"+string(text[at:end])+"'")
	case why == "bad address" && strings.Contains(r.Warnings().String(), "ip-decimal"):
		return host + " is an IPv4 address only for programs that read other forms than four numbers"
	case strings.Contains(hostFaults[why], "%s"):
		return fmt.Sprintf(hostFaults[why], host)
	}
	return hostFaults[why]
}
