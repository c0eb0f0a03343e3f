package sources

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/urlsift/urlsift/extract"
)

// A BaseMap gives the URLs from which sources were retrieved (1997 and 2002, section
// 5.1.3).
type BaseMap []Mapping

// A Mapping is a line of the map: Prefix is the path of a source, or of a directory above
// it, and URL is the text that replaces Prefix. Paths are made absolute before they are compared,
// so "d", "./d" and "/home/jim/d/" may be the same.
type Mapping struct {
	Prefix, URL string

	line int
	path string // Prefix as absolutePath returns it
	met  bool   // a source matches
}

// maxBaseMap is how many bytes a map may have.
const maxBaseMap = 1 << 20

// ReadBaseMap reads a map: on each line a path, blanks, and a URL. Empty lines are skipped.
// Two lines that give one path different URLs are an error. "-" is not accepted as a name:
// standard input may have lists and texts, from which a map could not be distinguished.
func ReadBaseMap(name string) (BaseMap, error) {
	if name == stdin {
		return nil, errors.New("the map is a file, and not standard input; ./- is the file -")
	}
	text, err := os.ReadFile(name)
	switch {
	case err != nil:
		return nil, err
	case len(text) > maxBaseMap:
		return nil, fmt.Errorf("more than %d bytes", maxBaseMap)
	}
	var m BaseMap
	lines := map[string]int{} // index in m of each path
	number := 0
	for line := range bytes.Lines(text) {
		number++
		s := strings.TrimSpace(string(line))
		if s == "" {
			continue
		}
		i := strings.LastIndexAny(s, " \t")
		if i < 0 {
			return nil, fmt.Errorf("line %d has no URL after the path", number)
		}
		var probe extract.Source
		if err := probe.Base.UnmarshalText([]byte(s[i+1:])); err != nil || !probe.Base.IsAbs() {
			return nil, fmt.Errorf("line %d: %s is no URL with a scheme", number, new(extract.Redactor).Append(nil, []byte(s[i+1:])))
		}
		prefix := strings.TrimRight(s[:i], " \t")
		one := Mapping{Prefix: prefix, URL: s[i+1:], line: number, path: absolutePath(prefix)}
		at, again := lines[one.path]
		if again && !one.agrees(&m[at]) {
			return nil, fmt.Errorf("lines %d and %d give %q different URLs", m[at].line, number, prefix)
		}
		if !again {
			lines[one.path] = len(m)
			m = append(m, one)
		}
	}
	return m, nil
}

// agrees reports whether a and b, which have the same path, give each source the same base.
func (a *Mapping) agrees(b *Mapping) bool {
	return a.URL == b.URL && (endsInSlash(a.Prefix) == endsInSlash(b.Prefix) || !strings.ContainsAny(a.URL, "?#"))
}

// absolutePath returns the absolute path of name, without "." and "..". The name of
// standard input is unchanged. Links are not followed.
func absolutePath(name string) string {
	if name == stdin {
		return name
	}
	if path, err := filepath.Abs(name); err == nil {
		return path
	}
	return filepath.Clean(name)
}

// setBase sets the base of s by the mapping with the longest prefix of its path. The rest of the
// path is appended to the URL, with escapes for bytes that no URL can hold.
func (m BaseMap) setBase(s *extract.Source) {
	best, path := -1, absolutePath(s.Name)
	for i := range m { // the map is short
		if isBelow(path, m[i].path) {
			if m[i].met = true; best < 0 || len(m[i].path) > len(m[best].path) {
				best = i
			}
		}
	}
	if best < 0 {
		return
	}
	line := &m[best]
	rest := filepath.ToSlash(strings.TrimPrefix(path, line.path))
	if rest != "" && !strings.HasPrefix(rest, "/") { // the prefix is the root directory
		rest = "/" + rest
	}
	if strings.HasSuffix(line.URL, "/") || endsInSlash(line.Prefix) && strings.ContainsAny(line.URL, "?#") {
		rest = strings.TrimPrefix(rest, "/") // URL has the slash, or ends in a query that needs none, as in "?file="
	}
	_ = s.Base.UnmarshalText([]byte(line.URL + (&url.URL{Path: rest}).EscapedPath())) // after an error the base is zero, that is none
}

// isBelow reports whether path is prefix, or in the directory of that name.
func isBelow(path, prefix string) bool {
	rest, ok := strings.CutPrefix(path, prefix)
	return ok && (rest == "" || endsInSlash(prefix) || os.IsPathSeparator(rest[0]))
}

func endsInSlash(path string) bool { return path != "" && os.IsPathSeparator(path[len(path)-1]) }

// unmet calls report for each line of the map that no source matches.
func (m BaseMap) unmet(report func(what string)) {
	for i := range m {
		if !m[i].met {
			report(fmt.Sprintf("line %d of --base-map, %q", m[i].line, m[i].Prefix))
		}
	}
}

// watch yields the sources in found, with their bases. After the last one it calls unmatched,
// unless that is nil, for each line of the map that no source matches.
func (m BaseMap) watch(found iter.Seq[extract.Source], unmatched func(what string)) iter.Seq[extract.Source] {
	return func(yield func(extract.Source) bool) {
		for s := range found {
			if m.setBase(&s); !yield(s) {
				return
			}
		}
		if unmatched != nil {
			m.unmet(unmatched)
		}
	}
}
