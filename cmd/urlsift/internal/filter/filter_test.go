package filter

import (
	"strings"
	"testing"
	"time"
)

func TestGlob(t *testing.T) {
	for _, c := range []struct {
		pattern, host string
		want          bool
	}{
		{"example.org", "example.org", true},
		{"example.org", "EXAMPLE.Org", true},
		{"example.org", "www.example.org", false},
		{"*.example.org", "www.example.org", true},
		{"*.example.org", "a.b.example.org", true},
		{"*.example.org", "example.org", false},
		{"*example.org", "example.org", true},
		{"*", "x", true},
		{"**", "x", true},
		{"?", "x", true},
		{"?", "xy", false},
		{"a*b*c", "axxbxxc", true},
		{"a*b*c", "axxcxxb", false},
		{"a*", "a", true},
		{"[::1]", "[::1]", true},
		{"[*]", "[2001:DB8::1]", true},
		{"10.?.*", "10.1.2.3", true},
	} {
		if got := glob(c.pattern).match([]byte(c.host)); got != c.want {
			t.Errorf("%s and %s: %v", c.pattern, c.host, got)
		}
	}
}

// TestGlobTime checks that many stars do not multiply the time.
func TestGlobTime(t *testing.T) {
	g, host := glob(strings.Repeat("a*", 100)+"b"), []byte(strings.Repeat("a", 8000))
	began := time.Now()
	if g.match(host) {
		t.Error("there is no b")
	}
	if d := time.Since(began); d > time.Second {
		t.Errorf("took %v", d)
	}
}
