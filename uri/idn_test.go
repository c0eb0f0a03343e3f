package uri_test

import (
	"testing"

	"github.com/urlsift/urlsift/uri"
)

// TestInternationalNames checks that names with characters beyond ASCII become A-labels only if the
// scheme uses the DNS.
func TestInternationalNames(t *testing.T) {
	for s, want := range map[string]string{
		"http://b%C3%BCcher.example/":        "http://xn--bcher-kva.example/",
		"http://B%C3%9CCHER.example/":        "http://xn--bcher-kva.example/",
		"http://xn--BCHER-kva.example/":      "http://xn--bcher-kva.example/",
		"http://u@stra%C3%9Fe.example:80/":   "http://u@xn--strae-oqa.example/",
		"http://h%E3%80%82example/":          "http://h.example/", // an ideographic full stop
		"http://%EF%BC%88/":                  "http://%EF%BC%88/", // no letter
		"http://b%C3.example/":               "http://b%C3.example/",
		"http://a%2Fb.example/":              "http://a%2Fb.example/",
		"http://b%C3%BC%2Fcher.example/":     "http://b%C3%BC%2Fcher.example/",
		"http://xn--%C3%BC.example/":         "http://xn--%C3%BC.example/",
		"http://%C3%BC_x.example/":           "http://%C3%BC_x.example/",
		"foo://b%C3%BCcher.example/":         "foo://b%C3%BCcher.example/",
		"//b%C3%BCcher.example/":             "//b%C3%BCcher.example/",
		"http://%D7%90%D7%91.example/%C3%BC": "http://xn--4dbc.example/%C3%BC",
		"mailto:x@b%C3%BCcher.example":       "mailto:x@b%C3%BCcher.example",
		"http://%E2%80%8D.example/":          "http://%E2%80%8D.example/", // a joiner with nothing to join
	} {
		p := uri.Split(s)
		if got := string(uri.AppendNormal(nil, s, p, uri.RFC3986)); got != want {
			t.Errorf("%q becomes %q, want %q", s, got, want)
		}
		for _, g := range []uri.Grammar{uri.URL1997, uri.URI2002} {
			is, err := compare(s, want, g)
			if err != nil || is == differs {
				t.Errorf("%v: %q and %q: %v, %v", g, s, want, is, err)
			}
		}
	}
}
