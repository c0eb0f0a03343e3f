package uri_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/uri"
)

func ExampleBase_Relative() {
	page := uri.MustParse("http://a/b/c/d?q")
	base, _ := uri.NewBase(page, uri.RFC3986)
	for _, s := range []string{"http://a/b/c/e", "http://a/b/c/this:that", "http://a/b/", "http://a/x", "http://a/b/c/d?q#s", "http://h/", "https://a/b/c/e"} {
		fmt.Println(base.Relative(uri.MustParse(s)))
	}
	// Output:
	// e
	// ./this:that
	// ..
	// /x
	// #s
	// //h/
	// https://a/b/c/e
}

// AppendRelative appends to the caller's slice. Resolving the result gives the target again.
func ExampleAppendRelative() {
	page := uri.MustParse("http://a/b/c/d")
	for _, g := range []uri.Grammar{uri.URL1994, uri.URI2002} {
		base, _ := uri.NewBase(page, g)
		target := "http://a/b/x/this:that?q#f"
		short := uri.AppendRelative(nil, base, target, uri.Split(target))
		back, _ := uri.AppendTarget(nil, base, short, uri.Split(short))
		fmt.Printf("%v: %s, and back: %s\n", g, short, back)
	}
	// Output:
	// url-1994: http://a/b/x/this:that?q#f, and back: http://a/b/x/this:that?q#f
	// uri-2002: ../x/this:that?q#f, and back: http://a/b/x/this:that?q#f
}

// TestRelative has rows with a target, and the reference to it by each grammar except 1994, oldest
// first. A single reference applies to all grammars.
func TestRelative(t *testing.T) {
	for _, c := range []struct{ base, target, want string }{
		{"http://a/b/c/d;p?q", "http://a/b/c/g", "g"},
		{"http://a/b/c/d;p?q", "http://a/b/c/g;x?y", "g;x?y"},
		{"http://a/b/c/d;p?q", "http://a/b/c/", "./ . . . ."},
		{"http://a/b/c/d;p?q", "http://a/b/", "../ .. .. .. .."},
		{"http://a/b/c/d;p?q", "http://a/b/c", ". ../c ../c ../c ../c"},
		{"http://a/b/c/d;p?q", "http://a/b/g", "../g"},
		{"http://a/b/c/d;p?q", "http://a/", "/"},
		{"http://a/b/c/d;p?q", "http://a/g", "/g"},
		{"http://a/b/c/d;p?q", "http://a", "//a"},
		{"http://a/b/c/d;p?q", "http://a?q", "//a?q"},
		{"http://a/b/c/d;p?q", "http://g", "//g"},
		{"http://a/b/c/d;p?q", "http://a/b/c/d;p", "d;p"},
		{"http://a/b/c/d;p?q", "http://a/b/c/d;p?q", "d;p?q d;p?q d;p?q ?q ''"},
		{"http://a/b/c/d;p?q", "http://a/b/c/d;p?y", "d;p?y d;p?y d;p?y ?y ?y"},
		{"http://a/b/c/d;p?q", "http://a/b/c/?y", "./?y ?y ?y .?y .?y"},
		{"http://a/b/c/d;p?q", "http://a/b/c/g?", "/ g? g? g? g?"},
		{"http://a/b/c/d;p?q", "http://a/b/c/this:that", "./this:that"},
		{"http://a/b/c/d;p?q", "http://a/b/c/x/this:that", "x/this:that"},
		{"http://a/b/c/d;p?q", "http://a/b/this:that", "../this:that"},
		{"http://a/b/c/d;p?q", "http://a/b/c//g", "/ .//g .//g .//g .//g"},
		{"http://a/b/c/d;p?q", "http://a//g", "/ //a//g //a//g //a//g /.//g"},
		{"http://a/b/c/d;p?q", "HTTP://a/b/c/g", "HTTP://a/b/c/g"},
		{"http://a/b/c/d;p?q", "http://a/b/c/../g", "/"},
		{"http://a", "http://a/b", "/b /b /b b b"},
		{"mailto:a@h", "mailto:b@h", "b@h mailto:b@h mailto:b@h mailto:b@h b@h"},
		{"news:a@h", "news:comp.x", "comp.x / / / comp.x"},
		{"a:/b", "a:/.//g", "/ .//g .//g .//g .//g"},
		{"a:/b/c", "a:/.//g", "/ /.//g /.//g /.//g /.//g"},
		{"a:/.//b", "a:/.//g", "/ g g g g"},
		{"a:/.//b/c", "a:/.//g", "/ ../g ../g ../g ../g"},
		{"a:/.//b", "a:/g", "/g"},
		{"a:/b", "a://g", "//g"},
	} {
		want := strings.Fields(c.want)
		i := 0
		for g := range (uri.Every &^ uri.URL1994).Each() {
			w := want[min(i, len(want)-1)]
			if i++; w == "/" {
				continue // relativeHolds checks this case
			}
			relativeIs(t, g, c.base, c.target, strings.Trim(w, "'"))
		}
		relativeIs(t, uri.URL1994, c.base, c.target, c.target)
	}
}

func relativeIs(t *testing.T, g uri.Grammar, base, target, want string) {
	t.Helper()
	r, err := uri.Parse(base, uri.Every)
	if err != nil {
		t.Fatal(err)
	}
	b, err := uri.NewBase(r, g)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(uri.AppendRelative([]byte("x"), b, target, uri.Split(target))); got != "x"+want {
		t.Errorf("%v: %s from %s is %s, want %s", g, target, base, got[1:], want)
	}
}

// relativeHolds checks the properties of Relative: it resolves to the target, it is not
// longer, and it is a reference if the target is one.
func relativeHolds(t *testing.T, g uri.Grammar, b uri.Base, target string) (ref string) {
	t.Helper()
	p := uri.Split(target)
	ref = string(uri.AppendRelative(nil, b, target, p))
	if len(ref) > len(target) {
		t.Fatalf("%v: %q from %v is %q, which is longer", g, target, b.Ref(), ref)
	}
	want, err1 := uri.AppendTarget(nil, b, target, p)
	got, err2 := uri.AppendTarget(nil, b, ref, uri.Split(ref))
	if err2 == nil && string(got) == target {
		want, err1 = got, nil // resolution might change the target itself
	}
	if (err1 == nil) != (err2 == nil) || string(got) != string(want) {
		t.Fatalf("%v: %q from %v is %q, which leads to %q, %v, not %q, %v", g, target, b.Ref(), ref, got, err2, want, err1)
	}
	had, _ := uri.Accepts(target, p, g)
	has, _ := uri.Accepts(ref, uri.Split(ref), g)
	if had&^has != 0 {
		t.Fatalf("%v: %q from %v is %q, which it rejects", g, target, b.Ref(), ref)
	}
	return ref
}

// FuzzRelative checks that the result of Relative resolves to the target, by the rules of each
// grammar.
func FuzzRelative(f *testing.F) {
	for _, row := range rowsOf(f, "rfc3986_5_4.public.jsonl") {
		base, _ := text(f, row, "base")
		target, _ := text(f, row, "expected")
		f.Add(base, target, byte(0))
	}
	for i, s := range []string{"http://a", "http://a/", "http://a//b", "http://a/b/c/this:that", "http:", "http:/a", "mailto:a@b", "news:a.b", "http://a/./b/../c", "http://a/b?c/../d", "http://a/b/..;x", "a:/.//b", "a:.//b"} {
		f.Add("http://a/b/c/d?q#f", s, byte(i))
		f.Add(s, "http://a/b?q", byte(i))
		f.Add(s, s, byte(i))
	}
	f.Fuzz(func(t *testing.T, base, target string, how byte) {
		r, err := uri.Parse(base, uri.Every)
		if err != nil || !r.IsAbs() {
			return
		}
		for g := range uri.Every.Each() {
			b, err := uri.NewBase(r, g)
			if err != nil {
				t.Fatal(err)
			}
			b.Lax, b.Excess = how&1 != 0, uri.Excess(how>>1%3)
			relativeHolds(t, g, b, target)
		}
	})
}

// TestRelativeIsShortest tries all texts of a few bytes. No shorter reference may resolve to the
// target.
func TestRelativeIsShortest(t *testing.T) {
	const bytes = "ab./?#:"
	var all []string
	for lo, n := 0, 1; n <= 5; n++ { // by length
		if n == 1 {
			all = append(all, "")
		}
		hi := len(all)
		for _, s := range all[lo:hi] {
			for _, c := range bytes {
				all = append(all, s+string(c))
			}
		}
		lo = hi
	}
	rnd := rand.New(rand.NewPCG(17, 1))
	path := func() string {
		var s strings.Builder
		for range rnd.IntN(5) {
			s.WriteString("/" + []string{"a", "b", "a:b", ""}[rnd.IntN(4)])
		}
		return s.String()
	}
	cases := 60
	if long {
		cases = 2000
	}
	for range cases {
		tail := []string{"", "?a", "#b", "?", "#"}
		base := "a:" + []string{"", "//a", "//b", "/./"}[rnd.IntN(4)] + path() + tail[rnd.IntN(2)]
		target := "a:" + []string{"", "//a", "/./"}[rnd.IntN(3)] + path() + tail[rnd.IntN(5)]
		if strings.HasPrefix(base, "a:/./") && !strings.HasPrefix(base, "a:/.//") {
			continue // shorter references may lead from a base whose dot segments could be removed
		}
		r, err := uri.Parse(base, uri.Every)
		if err != nil {
			continue
		}
		for _, g := range []uri.Grammar{uri.URL1993, uri.URL1997, uri.URI2002, uri.RFC3986} {
			b, err := uri.NewBase(r, g)
			if err != nil {
				t.Fatal(err)
			}
			ref := relativeHolds(t, g, b, target)
			if _, ok := r.Get(uri.Authority); ok && r.Path() == "" && g == uri.URL1997 {
				continue // merging changes the host: a defect that 2002, section G.2, admits
			}
			if accepted, _ := uri.Accepts(target, uri.Split(target), g); accepted == 0 || ref == target {
				continue // there may be no relative reference
			}
			var room [64]byte
			for _, s := range all {
				if len(s) >= len(ref) {
					break
				}
				p := uri.Split(s)
				got, err := uri.AppendTarget(room[:0], b, s, p)
				if err != nil || string(got) != target {
					continue
				}
				if has, _ := uri.Accepts(s, p, g); has != 0 {
					t.Fatalf("%v: %q from %q is %q, but %q is shorter", g, target, base, ref, s)
				}
			}
		}
	}
}
