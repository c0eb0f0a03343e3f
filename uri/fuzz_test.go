package uri_test

import (
	"bytes"
	"net/url"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/uri"
)

// seedAll adds the references of every validity table, and hostile texts.
func seedAll(f *testing.F) {
	for g := range uri.Every.Each() {
		for _, row := range rowsOf(f, "validity_"+g.String()+".public.jsonl") {
			if s, ok := text(f, row, "ref"); ok {
				f.Add(s)
			}
		}
	}
	for _, s := range hostile {
		if len(s) < 1000 {
			f.Add(s)
		}
	}
}

// hostile texts are not references, or are long.
var hostile = []string{
	"", "%", "%%%", "\x00", "\xff\xfe", "http://\x80/", "[", "]", "//[", "//]", "//[]", "//[]:", "//@[::1]@", "://", ":",
	"a:", "a://", "a://@", "a://:", "a:[]", "a:?[", "//a@b@c:1:2", "#", "##", "?", "??#?#",
	strings.Repeat("%", 1<<20), strings.Repeat("a", 1<<20), "//" + strings.Repeat("@", 1<<20),
	"//" + strings.Repeat(":", 1<<20), "//[" + strings.Repeat(":", 1<<20), "//[" + strings.Repeat("[", 1<<20),
	"a:" + strings.Repeat("@", 1<<20), "news:" + strings.Repeat("@", 1<<20), "telnet://" + strings.Repeat("1@", 1<<19),
	"url:" + strings.Repeat("url:", 1<<18), "wais://h/d/t/" + strings.Repeat("1=;", 1<<18),
	strings.Repeat("../", 1<<18), strings.Repeat("/", 1<<20), strings.Repeat("a/../", 1<<18), strings.Repeat("#", 1<<20),
}

// FuzzAccepts compares Accepts with regular expressions made from the documents.
func FuzzAccepts(f *testing.F) {
	seedAll(f)
	f.Fuzz(func(t *testing.T, s string) {
		want := slowAccepts(s)
		p := uri.Split(s)
		got, bad := uri.Accepts(s, p, uri.Every)
		if got != want {
			t.Fatalf("%q: %v; by the documents %v", s, got, want)
		}
		if bad < 0 || bad > len(s) || got != 0 && bad != len(s) {
			t.Fatalf("%q: %v, offset %d", s, got, bad)
		}
		for g := range uri.Every.Each() {
			alone, bad := uri.Accepts([]byte(s), p, g)
			if alone != got&g {
				t.Fatalf("%q: %v alone gives %v, among all %v", s, g, alone, got)
			}
			if err := uri.Explain(s, p, g); alone == 0 {
				e, ok := err.(*uri.Error)
				if !ok || e.Offset != bad || e.Reason == "" || e.Accepts != got || e.Error() == "" {
					t.Fatalf("%q: Explain by %v: %+v, offset is %d", s, g, err, bad)
				}
				checkFault(t, s, e)
			} else if err != nil {
				t.Fatalf("%q: Explain by %v: %v", s, g, err)
			}
		}
	})
}

// checkFault checks that the offset of an Error is in its component or at its edge.
func checkFault(t *testing.T, s string, e *uri.Error) {
	lo, hi, ok := uri.Split(s).Span(e.Component)
	if ok && (e.Offset < lo-2 || e.Offset > hi) {
		t.Errorf("%q: %v, but the %v is %q", s, e, e.Component, s[lo:hi])
	}
}

// FuzzSplit checks that the components and their delimiters, joined, are the text.
func FuzzSplit(f *testing.F) {
	seedAll(f)
	f.Fuzz(func(t *testing.T, s string) {
		p := uri.Split(s)
		var b strings.Builder
		put := func(before string, c uri.Component, after string) {
			if lo, hi, ok := p.Span(c); ok {
				b.WriteString(before + s[lo:hi] + after)
			}
		}
		put("", uri.Scheme, ":")
		if _, _, ok := p.Span(uri.Authority); ok {
			b.WriteString("//")
		}
		put("", uri.Userinfo, "@")
		put("", uri.Host, "")
		put(":", uri.Port, "")
		put("", uri.Path, "")
		put("?", uri.Query, "")
		put("#", uri.Fragment, "")
		if b.String() != s {
			t.Fatalf("%q comes back as %q", s, b.String())
		}
		if q := uri.Split([]byte(s)); p != q {
			t.Fatalf("%q: bytes split otherwise", s)
		}
		m := appendixB.FindStringSubmatchIndex(s)
		for i, c := range map[int]uri.Component{2: uri.Scheme, 4: uri.Authority, 5: uri.Path, 7: uri.Query, 9: uri.Fragment} {
			lo, hi, ok := p.Span(c)
			if ok != (m[2*i] >= 0) || ok && (lo != m[2*i] || hi != m[2*i+1]) {
				t.Fatalf("%q: %v at %d to %d, %v; appendix B has %v", s, c, lo, hi, ok, m[2*i:2*i+2])
			}
		}
	})
}

func FuzzEscaped(f *testing.F) {
	seedAll(f)
	f.Add("http://bücher.example/straße?a b#c#d")
	f.Fuzz(func(t *testing.T, s string) {
		p := uri.Split(s)
		once := uri.AppendEscaped(nil, s, uri.Default)
		if got, _ := uri.Accepts(s, p, uri.URI2002); got != 0 && string(once) != s {
			t.Fatalf("%q is a reference, and becomes %q", s, once)
		}
		if twice := uri.AppendEscaped(nil, once, uri.Default); !bytes.Equal(once, twice) {
			t.Fatalf("%q becomes %q and then %q", s, once, twice)
		}
		q := uri.Split(once)
		for c := uri.Scheme; c <= uri.Fragment; c++ {
			_, _, was := p.Span(c)
			if _, _, is := q.Span(c); is != was {
				t.Fatalf("%q becomes %q: %v comes or goes", s, once, c)
			}
		}
		if got, bad := uri.Accepts(once, q, uri.URI2002); got == 0 {
			// AppendEscaped cannot repair a byte of the scheme or the authority, a
			// missing ']' at the end of the authority, or a ':' at the beginning
			// of the path.
			if lo, _, _ := q.Span(uri.Path); bad > lo {
				t.Fatalf("%q becomes %q, refused at %d", s, once, bad)
			}
		}
	})
}

// FuzzTarget compares targets with those of net/url. That package changes some texts when it parses
// them, and has a bug with empty segments (golang/go#80282), so the test skips such texts.
func FuzzTarget(f *testing.F) {
	for _, row := range rowsOf(f, "rfc3986_5_4.public.jsonl") {
		base, _ := text(f, row, "base")
		ref, _ := text(f, row, "ref")
		f.Add(base, ref)
	}
	f.Fuzz(func(t *testing.T, base, ref string) {
		r, err := uri.Parse(base, uri.RFC3986)
		if err != nil {
			return
		}
		b, err := uri.NewBase(r, uri.RFC3986)
		if err != nil {
			return
		}
		p := uri.Split(ref)
		target, err := uri.AppendTarget(nil, b, ref, p)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := uri.Accepts(ref, p, uri.RFC3986); got == 0 {
			return
		}
		if got, bad := uri.Accepts(target, uri.Split(target), uri.RFC3986); got == 0 {
			// By the algorithm of the document, a base without an authority can give a target that
			// seems to have an authority.
			if host, _ := r.Get(uri.Host); host != "" {
				t.Errorf("%q by %q: %q, refused at %d", base, ref, target, bad)
			}
			return
		}
		theirBase, err := url.Parse(base)
		if err != nil || theirBase.String() != base || theirBase.Host == "" {
			return
		}
		theirs, err := url.Parse(ref)
		if err != nil || theirs.String() != ref || theirs.Opaque != "" {
			return
		}
		path, _ := r.Get(uri.Path)
		lo, hi, _ := p.Span(uri.Path)
		if strings.Contains(path+ref[lo:hi], "//") || strings.HasPrefix(ref, "///") {
			return
		}
		if ref == "" { // net/url keeps the fragment of the base; section 5.2.2 does not
			return
		}
		if want := theirBase.ResolveReference(theirs).String(); want != string(target) {
			t.Errorf("%q by %q: %q; net/url has %q", base, ref, target, want)
		}
	})
}
