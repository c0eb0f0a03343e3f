package uri_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/uri"
	"github.com/urlsift/urlsift/uri/scheme"
)

// TestEqualities reads fixtures/equal. A row has an answer for each grammar, oldest first, and then
// the two texts; "x" means that the grammar rejects one of them.
func TestEqualities(t *testing.T) {
	for name, lines := range linesOf(t, "equal/pairs*.txt") {
		for _, l := range lines {
			cells := strings.Fields(l.text)
			if len(cells) != 8 {
				t.Fatalf("%s:%d: %d cells", name, l.n, len(cells))
			}
			a, b := plain(t, l, cells[6]), plain(t, l, cells[7])
			i := 0
			for g := range uri.Every.Each() {
				mark, err := compare(a, b, g)
				if err != nil {
					mark = "x"
				}
				if mark != cells[i] {
					t.Errorf("%s:%d: %v: %q and %q: %s, want %s (%v)", name, l.n, g, a, b, mark, cells[i], err)
				}
				i++
			}
		}
	}
}

// TestNormalForms reads fixtures/equal/normal.txt. A block has a line "as" and then a line for each
// reference: "ref = normal form", or "ref" alone if it is in normal form.
func TestNormalForms(t *testing.T) {
	for name, lines := range linesOf(t, "equal/normal*.txt") {
		var g uri.Grammar
		for _, l := range lines {
			if word, ok := strings.CutPrefix(l.text, "as "); ok {
				if err := g.UnmarshalText([]byte(word)); err != nil {
					t.Fatalf("%s:%d: %v", name, l.n, err)
				}
				continue
			}
			s, want, ok := strings.Cut(l.text, " = ")
			if s = strings.TrimSpace(s); !ok {
				want = s
			}
			p := uri.Split(s)
			if err := uri.Explain(s, p, g); err != nil {
				t.Errorf("%s:%d: %v", name, l.n, err)
			}
			if got := string(uri.AppendNormal(nil, s, p, g)); got != want {
				t.Errorf("%s:%d: %v: %q becomes %q, want %q", name, l.n, g, s, got, want)
			}
		}
	}
}

// TestSchemeFields reads fixtures/schemes. A block has lines "as" and "of", and then all fields of
// that reference in order, with their values as JSON.
func TestSchemeFields(t *testing.T) {
	for name, lines := range linesOf(t, "schemes/*.txt") {
		t.Run(name, func(t *testing.T) {
			var g uri.Grammar
			var left []scheme.Field
			for _, l := range lines {
				key, value, _ := strings.Cut(strings.TrimSpace(l.text), " ")
				switch key {
				case "as":
					if err := g.UnmarshalText([]byte(value)); err != nil {
						t.Fatalf("line %d: %v", l.n, err)
					}
					continue
				case "of":
					if len(left) > 0 {
						t.Errorf("line %d: before it, %s is missing", l.n, left[0].Name)
					}
					left = scheme.Fields(value, uri.Split(value), g)
					continue
				}
				if len(left) == 0 {
					t.Errorf("line %d: there is no %s", l.n, key)
					continue
				}
				f := left[0]
				left = left[1:]
				text, err := json.Marshal(f.Value())
				if err != nil {
					t.Fatal(err)
				}
				if f.Name != key || string(text) != strings.TrimSpace(value) {
					t.Errorf("line %d: %s %s, want %s", l.n, f.Name, text, l.text)
				}
			}
			if len(left) > 0 {
				t.Errorf("at the end, %s is missing", left[0].Name)
			}
		})
	}
}
