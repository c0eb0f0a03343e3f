package sources

import (
	"bytes"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/urlsift/urlsift/extract"
)

// A BaseMap says by which URL sources were retrieved (1997 and 2002, section 5.1.3).
type BaseMap []Mapping

// A Mapping is a line of the map: Prefix is the path of a source, or of a directory above it,
// and URL what takes its place.
type Mapping struct{ Prefix, URL string }

// maxBaseMap is how many bytes a map may have.
const maxBaseMap = 1 << 20

// ReadBaseMap reads a map: on each line a path, blanks, and a URL. Empty lines are skipped.
func ReadBaseMap(name string) (BaseMap, error) {
	text, err := os.ReadFile(name)
	switch {
	case err != nil:
		return nil, err
	case len(text) > maxBaseMap:
		return nil, fmt.Errorf("more than %d bytes", maxBaseMap)
	}
	var m BaseMap
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
			return nil, fmt.Errorf("line %d: %s is no URL with a scheme", number, extract.AppendRedacted(nil, []byte(s[i+1:])))
		}
		m = append(m, Mapping{strings.TrimRight(s[:i], " \t"), s[i+1:]})
	}
	return m, nil
}

// of sets the base of s by the mapping with the longest prefix of its name. What follows the
// prefix follows the URL, with what no URL can hold escaped.
func (m BaseMap) of(s *extract.Source) {
	best := -1
	for i := range m { // the map is short
		if isBelow(s.Name, m[i].Prefix) && (best < 0 || len(m[i].Prefix) > len(m[best].Prefix)) {
			best = i
		}
	}
	if best < 0 {
		return
	}
	rest := filepath.ToSlash(s.Name[len(m[best].Prefix):])
	text := m[best].URL + (&url.URL{Path: rest}).EscapedPath()
	if strings.HasSuffix(m[best].URL, "/") && strings.HasPrefix(rest, "/") {
		text = text[:len(m[best].URL)] + text[len(m[best].URL)+1:]
	}
	_ = s.Base.UnmarshalText([]byte(text)) // the zero base is none
}

// isBelow reports whether name is prefix, or in the directory of that name.
func isBelow(name, prefix string) bool {
	rest, ok := strings.CutPrefix(name, prefix)
	return ok && (rest == "" || strings.HasSuffix(prefix, "/") || os.IsPathSeparator(rest[0]))
}
