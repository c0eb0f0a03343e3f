package check

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
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
	{"slashes", wrongSlashes},
	{"brackets", openAddress},
	{"grammar", refused},
	{"host", impossibleHost},
	{"port", impossiblePort},
}

// Wrong returns the name of the first rule that finds something wrong with r, and what it finds, in words.
// It returns "" if r is clean.
func Wrong(r *extract.Result) (rule, what string) {
	if lo, hi, _ := r.Parts.Span(uri.Host); r.Valid && lo < hi && r.Target == nil && r.Warnings() == 0 {
		return "", "" // nearly all; the warnings are about more than the rules
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

// placeholder matches what stands for another text: {name}, ${name}, $NAME, %s, %(name)s, <name>, *, [name]
// without a colon, and dots in place of a host.
var placeholder = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\{[^{}]*\}|\$[A-Za-z_({]|%[sdvq]\b|%[sdvq]/|%\([a-z_]+\)|<|//[^/?#]*\*|\[[^\]:]*[^\]:0-9.][^\]:]*\]|\[[^\]]*$|//\.\.+|//…|\\[dwsSDW.]|[({]\?[:=!]|(?i::port\b)`)
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
	end := bytes.IndexAny(s[:min(len(s), len("gopher")+1)], ":/")
	for _, name := range schemes {
		if len(name) == end && strings.EqualFold(string(s[:end]), name) {
			return string(s[:end]), string(s[end:])
		}
	}
	return "", ""
}

func missingColon(r *extract.Result) string {
	if scheme, rest := schemeOf(r.Candidate.Text); strings.HasPrefix(rest, "//") && scheme != "" {
		return "':' is missing after " + scheme
	}
	return ""
}

func wrongSlashes(r *extract.Result) string {
	scheme, rest := schemeOf(r.Candidate.Text)
	switch {
	case scheme == "":
	case strings.HasPrefix(rest, ":///"):
		return "three '/' after " + scheme + ":, so there is no host"
	case strings.HasPrefix(rest, ":/") && !strings.HasPrefix(rest, "://"):
		return "one '/' after " + scheme + ": instead of two"
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

func impossiblePort(r *extract.Result) string {
	text := r.Shown()
	lo, hi, _ := uri.Split(text).Span(uri.Port)
	port := string(text[lo:hi])
	if n, err := strconv.ParseUint(port, 10, 64); port == "" || err == nil && 0 < n && n <= 65535 {
		return ""
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
	case strings.Contains(hostFaults[why], "%s"):
		return fmt.Sprintf(hostFaults[why], host)
	}
	return hostFaults[why]
}
