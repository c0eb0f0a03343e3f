package uri_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/urlsift/urlsift/uri"
	"github.com/urlsift/urlsift/uri/scheme"
)

func TestNoAllocation(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	texts := []string{
		"http://www.ics.uci.edu/pub/ietf/uri/rev-2002/issues.html?path+x", "../../g?y#s", "//u:p@[::1]:80/p", "a:%zz",
		"mailto:u@h", "news:comp.x", "wais://h/db/t/1=a;", "URL:http://h/p", "ftp://u:p@h/p;type=I", "http://bücher/a b#c#d",
	}
	base, err := uri.NewBase(uri.MustParse("http://a/b/c/d;p?q"), uri.URI2002)
	if err != nil {
		t.Fatal(err)
	}
	strict, err := uri.NewBase(uri.MustParse("http://a/b/c/d;p?q"), uri.RFC3986)
	if err != nil {
		t.Fatal(err)
	}
	const gopher = "gopher://h:70/7a%20b%09c%09+d"
	fields := scheme.Fields(gopher, uri.Split(gopher), uri.URL1994)
	room := make([]byte, 0, 4096)
	for _, s := range texts { // room is large enough for each
		b := []byte(s)
		p := uri.Split(s)
		for name, f := range map[string]func(){
			"Split":           func() { p = uri.Split(b) },
			"Accepts":         func() { uri.Accepts(b, p, uri.Every); uri.Accepts(s, p, uri.URL1994) },
			"AppendTarget":    func() { _, _ = uri.AppendTarget(room, base, b, p); _, _ = uri.AppendTarget(room, strict, b, p) },
			"AppendRelative":  func() { uri.AppendRelative(room, base, b, p); uri.AppendRelative(room, strict, b, p) },
			"AppendFields":    func() { _, _ = scheme.AppendFields(room, fields, uri.URL1994) },
			"AppendSafer":     func() { uri.AppendSafer(room, b, p, uri.URL1994) },
			"AppendEscaped":   func() { uri.AppendEscaped(room, b, uri.Default); uri.AppendEscaped(room, b, uri.URL1993) },
			"AppendRedacted":  func() { uri.AppendRedacted(room, b, p) },
			"Warnings":        func() { uri.Warnings(b, p) },
			"AppendUnescaped": func() { uri.AppendUnescaped(room, b) },
			"AppendData":      func() { uri.AppendData(room, uri.Query, b, uri.Default) },
			"AppendNormal": func() {
				for g := uri.URL1993; g < uri.Every; g <<= 1 {
					uri.AppendNormal(room, b, p, g)
				}
			},
			"Equal": func() {
				_, _, _ = uri.Equal(bench63, "http://www.ics.uci.edu:80/PUB", uri.Default)
				_, _, _ = uri.Equal("ftp://h:21/a", "FTP://h/a", uri.RFC3986)
			},
			"KindOfHost, Account": func() { uri.KindOfHost(b, p); uri.Account(b, p) },
		} {
			if name == "AppendNormal" && strings.Contains(s, "ü") {
				continue // a name that becomes A-labels
			}
			if n := testing.AllocsPerRun(100, f); n != 0 {
				t.Errorf("%s of %q allocates %v times", name, s, n)
			}
		}
	}
}

// TestLinear checks that four times the text takes about four times as long, for texts that could
// be slow.
func TestLinear(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector takes its own time")
	}
	base, err := uri.NewBase(uri.MustParse("http://a/b/c"), uri.Default)
	if err != nil {
		t.Fatal(err)
	}
	cost := func(s string) time.Duration {
		best := time.Hour
		for range 3 {
			begin := clock()
			p := uri.Split(s)
			for g := range uri.Every.Each() {
				uri.Accepts(s, p, g)
			}
			uri.Warnings(s, p)
			room = uri.AppendEscaped(room[:0], s, uri.Default)
			room, _ = uri.AppendTarget(room[:0], base, s, p)
			for g := range uri.Every.Each() {
				room = uri.AppendNormal(room[:0], s, p, g)
				_, _, _ = uri.Equal(s, s[:len(s)-1], g)
				scheme.Fields(s, p, g)
			}
			uri.KindOfHost(s, p)
			best = min(best, clock()-begin)
		}
		return best
	}
	for _, unit := range [][2]string{
		{"", "%"}, {"", "a"}, {"", ":"}, {"", "../"}, {"", "a/../"}, {"", "/"}, {"", "."}, {"", "#"}, {"", "?"},
		{"//", "@"}, {"//", ":"}, {"//", "["}, {"//[", ":"}, {"//[", "1:"}, {"//u@", "a@"}, {"//", "%41"}, {"http://", "a."},
		{"telnet://", "1@"}, {"telnet://", "1.2.3.4@"}, {"ftp://", "a:@"}, {"news:", "1@"}, {"mailto:", "@"}, {"mid:", "a."},
		{"url:", "url:"}, {"wais://h/d/t/", "1=;"}, {"wais://h/d/t/", "1=a/"}, {"http://h/?", "+a"}, {"gopher://h/1", "//"},
	} {
		one := cost(unit[0] + strings.Repeat(unit[1], 40_000/len(unit[1])))
		four := cost(unit[0] + strings.Repeat(unit[1], 160_000/len(unit[1])))
		// Quadratic time would be seconds here. The constant allows for garbage collection on a
		// busy machine.
		if four > 10*one+20*time.Millisecond {
			t.Errorf("%q and many %q: %v, and four times as many %v", unit[0], unit[1], one, four)
		}
	}
}

var room []byte

// TestHostile checks that Explain and Accepts agree for every text.
func TestHostile(t *testing.T) {
	for _, s := range hostile {
		p := uri.Split(s)
		for g := range uri.Every.Each() {
			got, bad := uri.Accepts(s, p, g)
			if err := uri.Explain(s, p, g); (err == nil) != (got != 0) {
				t.Errorf("%.20q: %v, %v", s, got, err)
			} else if e, ok := err.(*uri.Error); ok && (e.Offset != bad || len(e.Error()) > 1000) {
				t.Errorf("%.20q: offset %d, and an error of %d bytes at %d", s, bad, len(e.Error()), e.Offset)
			}
			base, err := uri.NewBase(uri.MustParse("http://a/b/c"), g)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = uri.AppendTarget(nil, base, s, p)
		}
		uri.Warnings(s, p)
		uri.AppendEscaped(nil, s, uri.Default)
	}
}

// TestTooLong uses a text of more than MaxLen bytes. Only the first hundred are mapped in memory,
// so that a read of any other crashes the test.
func TestTooLong(t *testing.T) {
	if math.MaxInt == uri.MaxLen {
		t.Skip("no text can be that long here")
	}
	long := uri.MaxLen
	long++
	first := strings.Repeat("%", 100)
	header := struct {
		data *byte
		len  int
	}{unsafe.StringData(first), long}
	s := *(*string)(unsafe.Pointer(&header))
	p := uri.Split(s)
	if lo, hi, ok := p.Span(uri.Path); lo != 0 || hi != uri.MaxLen || !ok {
		t.Errorf("path is %d to %d, %v", lo, hi, ok)
	}
	if got, bad := uri.Accepts(s, p, uri.Every); got != 0 || bad != uri.MaxLen {
		t.Errorf("%v, %d", got, bad)
	}
	var e *uri.Error
	if err := uri.Explain(s, p, uri.URI2002); !errors.As(err, &e) || e.Reason != "too long" {
		t.Errorf("%v", err)
	}
	if w := uri.Warnings(s, p); w != 0 {
		t.Errorf("warnings: %v", w)
	}
}
