package filter

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract/record"
)

// Doubts returns a warning for each value that can match nothing, or only rare references. distance
// returns how many letters two words differ in, or limit if that is less.
func (o *Options) Doubts(distance func(a, b string, limit int) int) (all []string) {
	schemes := slices.Sorted(delimit.Schemes())
	for _, s := range o.schemes {
		if _, known := slices.BinarySearch(schemes, s); known {
			continue
		}
		doubt := fmt.Sprintf("--scheme %s: no scheme of this name is registered", s)
		if near := nearest(s, schemes, distance); near != "" {
			doubt += "; did you mean " + near + "?"
		}
		all = append(all, doubt)
	}
	for _, h := range o.hosts {
		if host := hostOf(string(h.written)); host != string(h.written) {
			doubt := fmt.Sprintf("--host %s: this is no host", h.written)
			if host != "" {
				doubt += "; did you mean " + host + "?"
			}
			all = append(all, doubt)
		}
	}
	for _, d := range o.domains {
		if domain := record.Domain(hostOf(d.written)); domain != d.ascii {
			doubt := fmt.Sprintf("--domain %s: this is no registrable domain", d.written)
			if domain != "" {
				doubt += "; did you mean " + domain + "?"
			}
			all = append(all, doubt)
		}
	}
	return all
}

// common are the schemes that nearest prefers if several are equally near.
var common = []string{"http", "https", "ftp", "mailto"}

// nearest returns the scheme that differs from name in the fewest letters: at most two, and
// less than half of them.
func nearest(name string, schemes []string, distance func(a, b string, limit int) int) (near string) {
	best := min(2, (len(name)-1)/2) + 1
	for _, list := range [][]string{common, schemes} {
		for _, s := range list {
			if d := distance(name, s, best); d < best {
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
