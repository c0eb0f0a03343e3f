// Package filter keeps the results of some schemes and hosts.
//
//	o.AddHost("*.example.org")
//	o.Keeps(result)
package filter

import (
	"bytes"
	"strings"

	"github.com/urlsift/urlsift/extract"
)

// Options say which results are kept. The zero value keeps all.
type Options struct {
	schemes []string // lower case; none means every scheme
	hosts   []glob   // none means every host
}

// Any reports whether there is a filter.
func (o *Options) Any() bool { return len(o.schemes) > 0 || len(o.hosts) > 0 }

// A glob is a pattern of a host: '*' stands for any bytes, '?' for one, every
// other byte for itself in any case. Brackets are no class, because those of an
// IP literal are part of the host. Package doublestar, with its other characters
// escaped, matches the same hosts, but a run with --host over a log takes half as
// much time again: it wants the host as a string in lower case.
type glob string

// match reports whether all of host matches g. Where the text after a '*' does not
// match, that '*' is tried again with one byte more. Only the last '*' has to be, so
// the time is at most len(g) times len(host).
func (g glob) match(host []byte) bool {
	// host[:j] matches g[:i]. star is the index of the last '*' in g[:i], or -1, and
	// again is the place in host at which the pattern after it was tried last.
	star, again := -1, 0
	i, j := 0, 0
	for j < len(host) {
		switch {
		case i < len(g) && g[i] == '*':
			star, again = i, j
			i++
		case i < len(g) && (g[i] == '?' || g[i] == lower(host[j])):
			i++
			j++
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

// lower returns an ASCII letter in lower case. Hosts in other scripts are written
// as they are compared, or in ASCII.
func lower(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		return b | 0x20
	}
	return b
}

// AddScheme adds a scheme of --scheme. People write the colon, too.
func (o *Options) AddScheme(name string) {
	o.schemes = append(o.schemes, strings.ToLower(strings.TrimSuffix(name, ":")))
}

// AddHost adds a pattern of --host. The pattern is in lower case, and match makes
// the host so.
func (o *Options) AddHost(pattern string) {
	o.hosts = append(o.hosts, glob(strings.ToLower(pattern)))
}

// Keeps reports whether r is one of those that were asked for. What counts is
// what is printed in text: the target, where one is known. A reference without
// scheme or host is none of those with a given one; mailto has no host.
func (o *Options) Keeps(r *extract.Result) bool {
	if len(o.schemes) > 0 && !hasScheme(o.schemes, r.Scheme()) {
		return false
	}
	if len(o.hosts) == 0 {
		return true
	}
	host := r.Host()
	for _, g := range o.hosts {
		if len(host) > 0 && g.match(host) {
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
