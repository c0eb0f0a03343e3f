// Package filter decides which results are kept: those with given schemes, hosts and domains.
//
//	o.AddHost("*.example.org")
//	o.Keeps(result)
package filter

import (
	"bytes"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/extract/record"
)

// Options say which results are kept. The zero value keeps all.
type Options struct {
	schemes []string // lower case; none means every scheme
	hosts   []host   // none means every host
	domains []domain // none means every domain

	OnlyRefused bool // references that the grammar accepts are not kept
}

// Any reports whether there is a filter. It does not name the fields, so a new field is included.
func (o *Options) Any() bool { return !reflect.ValueOf(*o).IsZero() }

// A host is a pattern of --host, in the spellings that a host may have: as written, with
// A-labels, and in Unicode.
type host struct{ written, ascii, unicode glob }

// A domain is a domain of --domain, as written and with A-labels.
type domain struct{ written, ascii string }

// A glob is a pattern for hosts: '*' matches any bytes, '?' one character, any other byte
// itself, ignoring case. Brackets have no special meaning, because an IP literal has
// them. Package doublestar, with its other special characters escaped, matches the same
// hosts, but needs the host as a string in lower case: with it, a run with --host over a
// log takes 1.5 times as long.
type glob string

// match reports whether host matches g completely. If the text after a '*' does not
// match, that '*' is tried with one more byte. Only the last '*' needs this, so the time
// is at most len(g) times len(host).
func (g glob) match(host []byte) bool {
	// host[:j] matches g[:i]. star is the index of the last '*' in g[:i], or -1; again is
	// the index in host at which the rest of the pattern was tried last.
	star, again := -1, 0
	i, j := 0, 0
	for j < len(host) {
		switch {
		case i < len(g) && g[i] == '*':
			star, again = i, j
			i++
		case i < len(g) && (g[i] == '?' || g[i] == lower(host[j])):
			if j++; g[i] == '?' {
				for j < len(host) && !utf8.RuneStart(host[j]) {
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

// lower returns an ASCII letter in lower case. Hosts beyond ASCII are in lower case.
func lower(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		return b | 0x20
	}
	return b
}

// AddScheme adds a scheme of --scheme. A colon at its end is removed.
func (o *Options) AddScheme(name string) {
	o.schemes = append(o.schemes, strings.ToLower(strings.TrimSuffix(name, ":")))
}

// AddHost adds a pattern of --host. Its labels may be in Unicode, A-labels or escaped. A label
// with '*' or '?' has only the spelling that is given.
func (o *Options) AddHost(pattern string) {
	low := strings.ToLower(pattern)
	h := host{written: glob(low), ascii: glob(low), unicode: glob(low)}
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
	o.hosts = append(o.hosts, h)
}

// Keeps reports whether r passes the filter. It examines the text that is printed: the
// target if there is one, otherwise the URL. A reference without scheme or host never
// passes a filter for these; mailto has no host.
func (o *Options) Keeps(r *extract.Result) bool {
	switch {
	case o.OnlyRefused && r.Valid,
		len(o.schemes) > 0 && !hasScheme(o.schemes, r.Scheme()),
		len(o.domains) > 0 && !o.inDomain(r):
		return false
	case len(o.hosts) == 0:
		return true
	}
	return o.hasHost(r)
}

// hasHost reports whether a pattern matches the host of r. A host that is beyond ASCII, or has
// A-labels, is matched in each of its spellings.
func (o *Options) hasHost(r *extract.Result) bool {
	written := r.Host()
	if len(written) == 0 {
		return false
	}
	for _, h := range o.hosts {
		if h.ascii.match(written) {
			return true
		}
	}
	if isPlain(written) && !bytes.Contains(written, []byte("--")) { // an A-label begins with xn--
		return false
	}
	ascii, unicode := record.AppendHost(nil, r), record.AppendHostUnicode(nil, r)
	for _, h := range o.hosts {
		if h.written.match(written) || h.ascii.match(ascii) || len(unicode) > 0 && h.unicode.match(unicode) {
			return true
		}
	}
	return false
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

// AddDomain adds a domain of --domain, in any spelling.
func (o *Options) AddDomain(name string) {
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	ascii, _ := record.HostNames(name)
	o.domains = append(o.domains, domain{name, ascii})
}

// inDomain reports whether the registrable domain of r is one of the requested ones. It
// first compares the end of the host, unless that may have another spelling. If it found the domain of
// each host, access logs would take 2.2 times the processor time.
func (o *Options) inDomain(r *extract.Result) bool {
	host := bytes.TrimSuffix(r.Host(), []byte("."))
	plain := isPlain(host)
	for _, d := range o.domains {
		if n := len(host) - len(d.ascii); plain && (n < 0 || !bytes.EqualFold(host[n:], []byte(d.ascii))) {
			continue
		}
		if string(record.AppendDomain(nil, r)) == d.ascii {
			return true
		}
	}
	return false
}

// hasScheme reports whether scheme, in any case, is one of list.
func hasScheme(list []string, scheme []byte) bool {
	for _, s := range list {
		if len(s) == len(scheme) && bytes.EqualFold(scheme, []byte(s)) {
			return true
		}
	}
	return false
}
