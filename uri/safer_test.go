package uri_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/uri"
)

// AppendSafer escapes a tilde, and a dot at the end. It keeps delimiters, and the escapes that the
// reference has.
func ExampleAppendSafer() {
	for _, s := range []string{"http://h.example/~jim/notes.", "http://h.example/it's(here)?q=a%20b", "ftp://h.example/a;type=i"} {
		p := uri.Split(s)
		fmt.Printf("%s\n", uri.AppendSafer(nil, s, p, uri.URI2002))
	}
	// Output:
	// http://h.example/%7Ejim/notes%2E
	// http://h.example/it%27s%28here%29?q=a%20b
	// ftp://h.example/a;type=i
}

// TestSafer has rows with a reference and the result by each grammar that accepts it, oldest first.
func TestSafer(t *testing.T) {
	for _, c := range []struct{ s, want string }{
		{"http://h/a", "http://h/a"},
		{"http://h/a(b)", "http://h/a%28b%29 http://h/a%28b%29 http://h/a%28b%29 http://h/a%28b%29 http://h/a%28b%29 http://h/a(b)"},
		{"http://h/it's", "http://h/it%27s http://h/it%27s http://h/it%27s http://h/it%27s http://h/it%27s http://h/it's"},
		{"http://h/a,b$c", "http://h/a%2Cb%24c http://h/a%2Cb%24c http://h/a%2Cb%24c http://h/a%2Cb%24c http://h/a,b$c http://h/a,b$c"},
		{"http://h/~u/a.", "http://h/%7Eu/a%2E"},
		{"http://h/a.b-", "http://h/a.b%2D"},
		{"http://h/a/..", "http://h/a/.."},
		{"http://h/%7e%28", "http://h/%7e%28"},
		{"http://h/a?q=(b).", "http://h/a?q=%28b%29%2E http://h/a?q=%28b%29%2E http://h/a?q=%28b%29%2E http://h/a?q=(b)%2E"},
		{"http://a.", "http://a."},
		{"http://u'v@h/", "http://u'v@h/"},
		{"news:*", "news:*"},
		{"http://h/a/.", "http://h/a/."},
		{"http://h/a#", "http://h/a#"},
		{`http://h/"a"`, "http://h/%22a%22"},
	} {
		want := strings.Fields(c.want)
		i := 0
		for g := range uri.Every.Each() {
			p := uri.Split(c.s)
			if got, _ := uri.Accepts(c.s, p, g); got == 0 {
				continue
			}
			if got := string(uri.AppendSafer([]byte("x"), c.s, p, g)); got != "x"+want[min(i, len(want)-1)] {
				t.Errorf("%v: %q becomes %q, want %q", g, c.s, got[1:], want[min(i, len(want)-1)])
			}
			i++
		}
	}
}

// FuzzSafer checks that the safer form is still accepted, and has the same meaning.
func FuzzSafer(f *testing.F) {
	seedAll(f)
	for _, s := range []string{"ftp://h/a;type=I", "news:*", "news:a(b)@h", "mailto:o'x@h", "gopher://h/1*", "wais://h/d/t/1=(a);", "http://h/a/..", ".", "..", "a~.", "mid:a*@b", "nntp:a*/1", "a:*"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p := uri.Split(s)
		for g := range uri.Every.Each() {
			safer := string(uri.AppendSafer(nil, s, p, g))
			if again := string(uri.AppendSafer(nil, safer, uri.Split(safer), g)); again != safer {
				t.Fatalf("%v: %q becomes %q, and that %q", g, s, safer, again)
			}
			if got, _ := uri.Accepts(s, p, g); got == 0 || s == safer {
				continue
			}
			is, err := compare(s, safer, g)
			if err != nil || is != equals && g != uri.URL1993 || is == differs {
				t.Fatalf("%v: %q becomes %q: %v, %v", g, s, safer, is, err)
			}
		}
	})
}
