package uri_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/urlsift/urlsift/uri"
	"github.com/urlsift/urlsift/uri/scheme"
)

// TestNoReference checks that Explain returns an Error with the right offset for texts that are not
// references, and that the other functions of the package handle these, too.
func TestNoReference(t *testing.T) {
	for _, c := range []struct {
		s      string
		offset int
		reason string
	}{
		{strings.Repeat("%", 1<<20), 0, "broken escape"},
		{"http://h/" + strings.Repeat("%41", 1<<18) + "%", 9 + 3<<18, "broken escape"},
		{"http://h/" + strings.Repeat("a", 1<<20) + "\x00", 9 + 1<<20, "bad byte"},
		{"http://h/\xff", 9, "bad byte"},
		{"http://h/a\xc3", 10, "bad byte"},
		{"\xed\xa0\x80", 0, "bad byte"},
		{"\x00", 0, "bad byte"},
		{"http://h/\x1b[0m", 9, "bad byte"},
		{"http://h\r\nX: y", 8, "bad byte"},
		{"http://h/?\x7f", 10, "bad byte"},
		{" ", 0, "bad byte"},
		{"http://[" + strings.Repeat(":", 1<<20), 8 + 1<<20, "bad host"},
	} {
		begin := time.Now()
		p := uri.Split(c.s)
		_, err := uri.Parse(c.s, uri.Every)
		var e *uri.Error
		if !errors.As(err, &e) || e.Offset != c.offset || e.Reason != c.reason || e.Accepts != 0 || len(e.Error()) > 600 {
			t.Errorf("%.40q: %v, want offset %d, %v", c.s, err, c.offset, c.reason)
		}
		if is, err := compare(c.s, c.s, uri.RFC3986); is != noRule || err == nil {
			t.Errorf("%.40q: %v, %v", c.s, is, err)
		}
		for g := range uri.Every.Each() {
			uri.AppendNormal(nil, c.s, p, g)
			scheme.Fields(c.s, p, g)
		}
		uri.KindOfHost(c.s, p)
		uri.Account(c.s, p)
		if took := time.Since(begin); took > 5*time.Second && !raceEnabled {
			t.Errorf("%.40q takes %v", c.s, took)
		}
	}
	// The empty text is a reference, but not for a grammar without relative forms.
	for g := range uri.Every.Each() {
		_, err := uri.Parse("", g)
		var e *uri.Error
		if taken := g&(uri.URL1993|uri.URL1994) == 0; (err == nil) != taken {
			t.Errorf("%v: %v", g, err)
		} else if err != nil && (!errors.As(err, &e) || e.Offset != 0 || e.Reason != "missing part") {
			t.Errorf("%v: %v", g, err)
		}
	}
}

// TestShortWay checks that the fast path in acceptbytes.go has the same results as the general code. A
// second '#' selects the general code and changes only the fragment.
func TestShortWay(t *testing.T) {
	bytes := make([]byte, 0, 256)
	for b := range 256 {
		bytes = append(bytes, byte(b))
	}
	for at := range 40 { // a byte of each kind in each place of a word
		for _, b := range bytes {
			for _, base := range []string{
				"http://h/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "https://hhhhhhhhhhhhhhhhh.hhhhhhh/a//a?b+c",
				"http://hhhhhhhhh-h.hhhhhhhhh.a-h/~a?b=c&d#e", "http://127.250.0.1/aaaaaa/aaaaaaa?b+c+d",
				"http://h.h/~a=//=a;b/a+a/", "http://h.h/,a/a,a/a$a/a", "mailto:aaa.aaa@hhhhh.hhh", "mailto:aaaaaaa@hhhhh.hhh?aaaaaaa=aaa&b=c", "mailto:a@b.c?a+b=%41a",
				"mailto:" + strings.Repeat("a", 30) + "@" + strings.Repeat("h", 26), "http://127.250.0.1", "http://127.250.0.1/~a//b#c", "https://1.2.3.4?a",
			} {
				if at > len(base) {
					continue
				}
				s := base[:at] + string([]byte{b}) + base[at:]
				p := uri.Split(s)
				m := appendixB.FindStringSubmatchIndex(s)
				for i, c := range map[int]uri.Component{2: uri.Scheme, 4: uri.Authority, 5: uri.Path, 7: uri.Query, 9: uri.Fragment} {
					lo, hi, ok := p.Span(c)
					if ok != (m[2*i] >= 0) || ok && (lo != m[2*i] || hi != m[2*i+1]) {
						t.Fatalf("%q: %v at %d to %d, %v", s, c, lo, hi, ok)
					}
				}
				sameTheLongWay(t, s, p)
			}
		}
	}
}

// TestShortWayWithoutKernel is TestShortWay without the kernel.
func TestShortWayWithoutKernel(t *testing.T) {
	defer uri.ByKernel(uri.ByKernel(false))
	TestShortWay(t)
}

// sameTheLongWay checks that the general code has the same results for s as the fast
// path. Explain has no fast path, and neither has a scheme with capitals, whose
// Warnings must be the same.
func sameTheLongWay(t *testing.T, s string, p uri.Parts) {
	t.Helper()
	got, _ := uri.Accepts(s, p, uri.Every)
	var long uri.Grammar
	for g := range uri.Every.Each() {
		if uri.Explain(s, p, g) == nil {
			long |= g
		}
		if one, _ := uri.Accepts(s, p, g); one != long&g {
			t.Fatalf("%q: %v asked alone says %v, the long way %v", s, g, one, long&g)
		}
	}
	if got != long {
		t.Fatalf("%q: %v the short way, %v the long", s, got, long)
	}
	if scheme, rest, _ := strings.Cut(s, ":"); strings.HasPrefix(scheme, "http") || scheme == "mailto" {
		big := strings.ToUpper(scheme) + ":" + rest
		if got, long := uri.Warnings(s, p), uri.Warnings(big, uri.Split(big)); got != long {
			t.Fatalf("%q: warnings are %q the short way, %q the long", s, got, long)
		}
	}
}

// FuzzShortWay is TestShortWay for other texts.
func FuzzShortWay(f *testing.F) {
	for _, s := range []string{
		"h/", "a.b", "a..b/", "a-.b", "a.-b.c", "-a.b", "a-b.c-", "a--b.c", "a.b.", "a.b1", "a.1", "1.2.3.4", "01.2.3.4", "1.2.3.4.", "256.1.1.1/",
		"1.2.3", "3com.com", "a_b.c", strings.Repeat("a", 63), strings.Repeat("a", 64), strings.Repeat("a.", 140) + "b", "a/~b;c", "a/%0a", "a?%00", "a#%7f",
		"a?b=c&d", "a/b?c++d#e", "a//b", "a/b=c/d", "a/b,c//d", "a/$//d;e", "a/ä", "a/b?[c]", "user.name@host.name", "user-name@host?subject=a", "hhhhhhhhhhhhhhh.-h/", "hhhhhhh.hhhhhhh.", "aaaaaaa-/.b",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, start := range []string{"http://", "https://", "mailto:"} {
			sameTheLongWay(t, start+s, uri.Split(start+s))
		}
	})
}
