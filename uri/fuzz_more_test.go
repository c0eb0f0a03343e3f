package uri_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/uri"
)

// FuzzNormal checks that the grammar accepts a normal form, that it is equal to the text, and that
// it is its own normal form.
func FuzzNormal(f *testing.F) {
	seedAll(f)
	f.Add("http://b%C3%BCcher.example/%7e/../%2e%2e/x")
	f.Fuzz(func(t *testing.T, s string) {
		p := uri.Split(s)
		for g := range uri.Every.Each() {
			once := uri.AppendNormal([]byte("x"), s, p, g)[1:]
			if got, _ := uri.Accepts(s, p, g); got == 0 {
				continue
			}
			q := uri.Split(once)
			if got, bad := uri.Accepts(once, q, g); got == 0 {
				t.Fatalf("%v: %q becomes %q, refused at %d", g, s, once, bad)
			}
			if twice := uri.AppendNormal(nil, once, q, g); string(twice) != string(once) {
				t.Fatalf("%v: %q becomes %q and then %q", g, s, once, twice)
			}
			if is, err := compare(s, once, g); is != equals || err != nil {
				t.Fatalf("%v: %q and its normal form %q: %v, %v", g, s, once, is, err)
			}
			for c := uri.Scheme; c <= uri.Fragment; c++ {
				_, _, was := p.Span(c)
				if _, _, is := q.Span(c); is != was && c != uri.Port {
					t.Fatalf("%v: %q becomes %q: %v comes or goes", g, s, once, c)
				}
			}
		}
	})
}

// FuzzEqual checks that Equal is an equivalence, and that equal references have the same result
// when compared with a third.
func FuzzEqual(f *testing.F) {
	for _, row := range rowsOf(f, "equivalence.public.jsonl") {
		a, _ := text(f, row, "a")
		b, _ := text(f, row, "b")
		f.Add(a, b, a+"x")
	}
	f.Add("http://h", "http://h:80", "http://h:080/")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		for g := range uri.Every.Each() {
			ab, err := compare(a, b, g)
			if ba, back := compare(b, a, g); ba != ab || (err == nil) != (back == nil) {
				t.Fatalf("%v: %q and %q: %v, turned round %v", g, a, b, ab, ba)
			}
			if err != nil {
				if ab != noRule {
					t.Fatalf("%v: %q and %q: %v and %v", g, a, b, ab, err)
				}
				continue
			}
			for _, s := range []string{a, b} {
				if aa, err := compare(s, s, g); aa != equals || err != nil {
					t.Fatalf("%v: %q and itself: %v, %v", g, s, aa, err)
				}
			}
			ac, err1 := compare(a, c, g)
			bc, err2 := compare(b, c, g)
			if ab == equals && (ac != bc || (err1 == nil) != (err2 == nil)) {
				t.Fatalf("%v: %q and %q are equal, but %q is %v and %v", g, a, b, c, ac, bc)
			}
		}
	})
}

// FuzzData checks that any data that AppendData has escaped can be read unchanged from the
// reference.
func FuzzData(f *testing.F) {
	for _, s := range hostile {
		if len(s) < 1000 {
			f.Add(s)
		}
	}
	f.Add("a/b?c#d@e:f[g]%41+&=;,")
	f.Add("..")
	f.Add(".")
	f.Add("")
	f.Fuzz(func(t *testing.T, data string) {
		for g := range (uri.URL1996 | uri.URL1997 | uri.URI2002 | uri.RFC3986).Each() {
			b := uri.Builder{Grammar: g}
			b.Set(uri.Scheme, "x").SetData(uri.Host, data).SetData(uri.Userinfo, data)
			b.Join(data, data).SetData(uri.Query, data).SetData(uri.Fragment, data)
			r, err := b.Ref()
			if data == "." || data == ".." { // dot segments cannot be data
				if e := new(uri.Error); !errors.As(err, &e) || e.Reason != "misread part" || e.Component != uri.Path {
					t.Fatalf("%v: %q: %v", g, data, err)
				}
				continue
			}
			if err != nil {
				t.Fatalf("%v: %q: %v", g, data, err)
			}
			for _, c := range []uri.Component{uri.Userinfo, uri.Host, uri.Query, uri.Fragment} {
				if got, ok := r.Get(c); !ok || string(uri.AppendUnescaped(nil, got)) != data {
					t.Fatalf("%v: %q: %v of %v is %q", g, data, c, r, got)
				}
			}
			path, _ := r.Get(uri.Path)
			segments := strings.Split(path, "/")
			if len(segments) != 3 || string(uri.AppendUnescaped(nil, segments[1])) != data {
				t.Fatalf("%v: %q: path %q", g, data, path)
			}
		}
	})
}

// FuzzBuilder checks that the Builder of a Ref makes the same Ref. A Builder of any components
// makes a Ref with these components, or returns an error.
func FuzzBuilder(f *testing.F) {
	f.Add("http", "u:p", "h", "80", "/p", "q", "f", uint8(255))
	f.Add("", "", "", "", "//p", "", "", uint8(0))
	f.Fuzz(func(t *testing.T, scheme, user, host, port, path, query, frag string, has uint8) {
		b := uri.Builder{Grammar: uri.Every}
		parts := map[uri.Component]string{
			uri.Scheme: scheme, uri.Userinfo: user, uri.Host: host, uri.Port: port, uri.Path: path, uri.Query: query, uri.Fragment: frag,
		}
		for c, s := range parts {
			if has&(1<<(c-1)) != 0 {
				b.Set(c, s)
			}
		}
		r, err := b.Ref()
		if err != nil {
			if e, ok := err.(*uri.Error); !ok || e.Error() == "" {
				t.Fatal(err)
			}
			return
		}
		for c, s := range parts {
			got, ok := r.Get(c)
			if has&(1<<(c-1)) != 0 && (!ok || got != s) {
				t.Fatalf("%v: %v is %q, want %q", r, c, got, s)
			}
		}
		again := r.Builder()
		again.Grammar = uri.Every
		if back, err := again.Ref(); err != nil || back != r {
			t.Fatalf("%q comes back as %q, %v", r, back, err)
		}
	})
}
