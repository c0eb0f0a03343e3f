package filter

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract/record"
)

// A distance returns how many letters two words differ in, or limit if that is less.
type distance = func(a, b string, limit int) int

// Doubts returns a warning for each value that can match nothing, or only rare references.
func (o *Options) Doubts(differ distance) (all []string) {
	var first, last int64
	for _, v := range o.given {
		for _, p := range v.patterns {
			value, doubt := "", ""
			switch p := p.(type) {
			case scheme:
				value, doubt = string(p), p.doubt(differ)
			case *host:
				value, doubt = string(p.written), p.doubt()
			case *domain:
				value, doubt = p.written, p.doubt()
			case url:
				value, doubt = string(p), p.doubt()
			case from:
				value, doubt = string(p), p.doubt()
			case since:
				first = int64(p)
			case until:
				if last = int64(p); last < first {
					all = append(all, "--until is before --since: nothing is between them")
				}
			}
			if doubt != "" {
				all = append(all, fmt.Sprintf("--%s %s: %s", v.flag, value, doubt))
			}
		}
	}
	return all
}

func (s scheme) doubt(differ distance) string {
	schemes := slices.Sorted(delimit.Schemes())
	if _, known := slices.BinarySearch(schemes, string(s)); known {
		return ""
	}
	return "no scheme of this name is registered" + meant(nearest(string(s), schemes, differ))
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

func (f from) doubt() string {
	if strings.ContainsAny(string(f), "*?@ ") {
		return ""
	}
	return "this is compared with whole addresses and fields" + meant("*"+string(f)+"*")
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
func nearest(name string, schemes []string, differ distance) (near string) {
	best := min(2, (len(name)-1)/2) + 1
	for _, list := range [][]string{common, schemes} {
		for _, s := range list {
			if d := differ(name, s, best); d < best {
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
