package track

import (
	"testing"

	"github.com/urlsift/urlsift/extract"
)

// TestFilter has results as source, message and URL, and in which of them the URL is new in each scope.
func TestFilter(t *testing.T) {
	for _, c := range []struct {
		source  string
		message int
		url     string
		is      map[Scope]bool
	}{
		{"a", 1, "x", map[Scope]bool{PerRun: true, PerSource: true, PerMessage: true}},
		{"a", 1, "x", nil},
		{"a", 1, "", map[Scope]bool{PerRun: true, PerSource: true, PerMessage: true}},
		{"a", 2, "x", map[Scope]bool{PerMessage: true}},
		{"b", 2, "x", map[Scope]bool{PerSource: true, PerMessage: true}},
		{"b", 2, "y", map[Scope]bool{PerRun: true, PerSource: true, PerMessage: true}},
	} {
		for scope := PerRun; scope <= PerMessage; scope++ {
			for _, ends := range []bool{false, true} {
				key := [2]any{scope, ends}
				if filters[key] == nil {
					filters[key] = NewFilter(scope, ends)
				}
				r := &extract.Result{URL: []byte(c.url), Origin: extract.Origin{Source: c.source, Message: c.message}}
				if _, got := filters[key].New(r); got != c.is[scope] {
					t.Errorf("scope %d (%v): %s %d %q: %v", scope, ends, c.source, c.message, c.url, got)
				}
			}
		}
	}
}

var filters = make(map[[2]any]*Filter)
