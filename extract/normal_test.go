package extract_test

import (
	"slices"
	"testing"

	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/uri"
)

// TestNormalize checks the normal forms of references: by the grammar that accepts them, after
// bytes that are not allowed are escaped, and before and after resolution.
func TestNormalize(t *testing.T) {
	base, err := uri.Parse("http://Example.org:80/a/b", uri.RFC3986)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text             string
		grammar          uri.Grammar
		base             bool
		url, target, raw string
	}{
		{"HTTP://Example.ORG:80/%7ea/../b", uri.RFC3986, false, "http://example.org/b", "", "HTTP://Example.ORG:80/%7ea/../b"},
		{"HTTP://Example.ORG:80/%7ea/../b", uri.URI2002, false, "http://example.org/~a/../b", "", "HTTP://Example.ORG:80/%7ea/../b"},
		{"http://Example.ORG:80/%7ea", uri.URL1994, false, "http://Example.ORG:80/%7ea", "", "http://Example.ORG:80/%7ea"},
		{"<URL:http://Example.org/a^b%2f>", uri.RFC3986, false, "http://example.org/a%5Eb%2F", "", "http://Example.org/a^b%2f"},
		{"<URL:../%7ec>", uri.RFC3986, true, "../~c", "http://example.org/~c", "../%7ec"},
		{"<URL:HTTP://Example.org:80/a/>", uri.RFC3986, true, "http://example.org/a/", "", "HTTP://Example.org:80/a/"},
	} {
		o := extract.Options{Grammar: c.grammar, Normalize: true, Workers: 1}
		if c.base {
			o.Base = base
		}
		found := 0
		for r, err := range extractor(t, o).Run(t.Context(), slices.Values([]extract.Source{memory("t", []byte(c.text+" \n"))})) {
			if err != nil {
				t.Fatal(err)
			}
			found++
			if string(r.URL) != c.url || string(r.Target) != c.target || string(r.Candidate.Text) != c.raw || (r.Base == "") != (r.Target == nil) {
				t.Errorf("%s by %v: URL %s, target %s, text %s, base %q", c.text, c.grammar, r.URL, r.Target, r.Candidate.Text, r.Base)
			}
			if p := uri.Split(r.URL); p != r.Parts {
				t.Errorf("%s: parts %v, not %v", c.text, r.Parts, p)
			}
		}
		if found != 1 {
			t.Errorf("%s by %v: %d found", c.text, c.grammar, found)
		}
	}
}
