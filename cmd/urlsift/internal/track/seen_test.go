package track

import (
	"encoding/binary"
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

// TestKeySet compares a set with a map, with keys that share slots or parts, and after clear.
func TestKeySet(t *testing.T) {
	var s keySet
	for _, n := range []uint64{3, 100_000, 20} {
		want := make(map[TextKey]bool)
		for i := range 2 * n {
			var key TextKey // the zero key is the first
			binary.LittleEndian.PutUint64(key[:], i%n)
			binary.LittleEndian.PutUint64(key[8:], i%n/5)
			if got := s.add(key); got == want[key] {
				t.Fatalf("key %d of %d is new: %v", i, n, got)
			}
			want[key] = true
		}
		s.clear()
	}
}
