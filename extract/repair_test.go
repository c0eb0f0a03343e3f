package extract_test

import (
	"testing"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/uri"
)

// TestRepaired checks what is repaired, for each grammar. By has Repaired only for a broken escape,
// because only that repair changes the meaning.
func TestRepaired(t *testing.T) {
	page := `<a href="http://a.example/%s"><a href="http://a.example/%s"><a href="http://a.example/ü"> http://a.example/100%/x http://%s/ http://u%@h/`
	want := []struct {
		url string
		by  delimit.Extra
	}{
		{"http://a.example/%25s", delimit.Repaired},
		{"http://a.example/%25s", delimit.Repaired},
		{"http://a.example/%C3%BC", 0},
		{"http://a.example/100%25/x", delimit.Repaired},
	}
	for _, g := range []uri.Grammar{uri.URI2002, uri.RFC3986} {
		n := 0
		for r, err := range extractor(t, extract.Options{Format: extract.HTML, Grammar: g}).Run(t.Context(), one(memory("x", []byte(page)).Open)) {
			if err != nil {
				t.Fatal(err)
			}
			if n == len(want) || string(r.URL) != want[n].url || r.Candidate.By != want[n].by || !r.Valid {
				t.Fatalf("%v: %d: %s by %v", g, n, r.URL, r.Candidate.By)
			}
			n++
		}
		if n != len(want) {
			t.Errorf("%v: %d references", g, n)
		}
	}
}
