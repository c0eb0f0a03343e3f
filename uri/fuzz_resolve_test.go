package uri_test

import (
	"testing"

	"github.com/urlsift/urlsift/uri"
)

// FuzzResolve compares AppendTarget with a literal implementation of the documents' algorithms, for
// any base and reference.
func FuzzResolve(f *testing.F) {
	for _, row := range rowsOf(f, "rfc3986_5_4.public.jsonl") {
		base, _ := text(f, row, "base")
		ref, _ := text(f, row, "ref")
		f.Add(base, ref, byte(0))
	}
	for i, ref := range []string{"", "#", "?", "..", "../../../..", "//", "///", "/./", "http:", "HTTP:g", "a:b", ".//", "..//../", "g;x=1/../y", "?y/../x", "/.//g", "http:/.//g"} {
		for _, base := range []string{"http://a", "http://a/b/c/d;p?q", "http:", "http:/", "mid:", "http://a/..//b/", "http:/a/b", "http:/.//b"} {
			f.Add(base, ref, byte(i))
		}
	}
	f.Fuzz(func(t *testing.T, base, ref string, how byte) {
		if len(base)+len(ref) > 2000 { // the algorithms are not linear
			return
		}
		r, err := uri.Parse(base, uri.Every)
		if err != nil {
			return
		}
		p := uri.Split(ref)
		for _, g := range []uri.Grammar{uri.URL1993, uri.URL1994, uri.URL1996, uri.URL1997, uri.URI2002, uri.RFC3986} {
			b, err := uri.NewBase(r, g)
			if err != nil {
				return
			}
			b.Lax, b.Excess = how&1 != 0, uri.Excess(how>>1%3)
			got, err := uri.AppendTarget([]byte("before"), b, []byte(ref), p)
			if string(got[:6]) != "before" {
				t.Fatalf("%q stands before", got)
			}
			if g != uri.URL1994 { // URL1994 has no relative references
				want, ok := slowTarget(base, ref, g, b.Lax, b.Excess)
				if ok != (err == nil) || ok && string(got[6:]) != want {
					t.Fatalf("%v: %q by %q (%v, lax %v): %q, %v; by the document %q, %v", g, base, ref, b.Excess, b.Lax, got[6:], err, want, ok)
				}
			}
			if err != nil {
				if e, ok := err.(*uri.Error); !ok || e.Text != ref || len(got) != 6 || e.Error() == "" {
					t.Fatalf("%v: %q by %q: %v beside %q", g, base, ref, err, got)
				}
				continue
			}
			if again, err := uri.AppendTarget(nil, b, ref, p); err != nil || string(again) != string(got[6:]) {
				t.Fatalf("%q as text: %q, %v", ref, again, err)
			}
		}
	})
}
