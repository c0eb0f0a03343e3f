package filter

import (
	"strings"
	"testing"
	"time"

	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/uri"
)

// TestSpellings checks that each spelling of a name finds each spelling of a host.
func TestSpellings(t *testing.T) {
	for _, c := range []struct {
		hosts, domains string // patterns of --host and names of --domain
		urls           string // what passes
		others         string // what does not
	}{
		{
			"www.müller.de WWW.MÜLLER.DE www.xn--mller-kva.de www.XN--MLLER-KVA.de www.m%C3%BCller.de *.müller.* *.xn--mller-kva.* www.m?ller.de www.mül*",
			"müller.de MÜLLER.DE xn--mller-kva.de Xn--Mller-Kva.de m%C3%BCller.de müller.de.",
			"http://www.m%C3%BCller.de/ http://WWW.M%c3%9cLLER.de/ http://www.xn--mller-kva.de/ http://WWW.XN--MLLER-KVA.DE:80/ http://www.müller.de/",
			"http://www.mller.de/ http://www.m%FCller.de/ http://www.example.de/ http://www.de/ http://m%C3%B6ller.de/ mailto:x@m%C3%BCller.de",
		},
		{
			"i❤.example.ws I%E2%9D%A4.example.ws xn--i-7iq.example.ws i?.example.ws i❤.*",
			"",
			"http://i%E2%9D%A4.example.ws/ http://xn--i-7iq.example.ws/",
			"http://ix.example.org/ http://example.ws/",
		},
		{
			"👩\u200d💻.example %F0%9F%91%A9%E2%80%8D%F0%9F%92%BB.example",
			"",
			"http://%F0%9F%91%A9%E2%80%8D%F0%9F%92%BB.example/ http://%f0%9f%91%a9%e2%80%8d%f0%9f%92%bb.example/",
			"http://x.example/",
		},
		{"r3---* *--*", "", "http://r3---sn.example/", "http://www.a-b.example/"},
		{"www.m%c3%*", "", "http://www.m%C3%BCller.de/", "http://www.xn--mller-kva.de/"},
	} {
		check := func(name string, o *Options) {
			for url := range strings.FieldsSeq(c.urls + " " + c.others) {
				r := &extract.Result{URL: []byte(url), Parts: uri.Split(url)}
				if got, want := o.Keeps(r), strings.Contains(" "+c.urls+" ", " "+url+" "); got != want {
					t.Errorf("%s and %s: %v", name, url, got)
				}
			}
		}
		for pattern := range strings.FieldsSeq(c.hosts) {
			var o Options
			o.AddHost(pattern)
			check("--host "+pattern, &o)
		}
		for name := range strings.FieldsSeq(c.domains) {
			var o Options
			o.AddDomain(name)
			check("--domain "+name, &o)
		}
	}
}

func TestGlob(t *testing.T) {
	for _, c := range []struct {
		pattern, host string
		want          bool
	}{
		{"example.org", "example.org", true},
		{"example.org", "EXAMPLE.Org", true},
		{"example.org", "www.example.org", false},
		{"*.example.org", "www.example.org", true},
		{"*.example.org", "a.b.example.org", true},
		{"*.example.org", "example.org", false},
		{"*example.org", "example.org", true},
		{"*", "x", true},
		{"**", "x", true},
		{"?", "x", true},
		{"?", "xy", false},
		{"a*b*c", "axxbxxc", true},
		{"a*b*c", "axxcxxb", false},
		{"a*", "a", true},
		{"[::1]", "[::1]", true},
		{"[*]", "[2001:DB8::1]", true},
		{"10.?.*", "10.1.2.3", true},
		{"m?ller", "müller", true},
		{"m??ller", "müller", false},
		{"*?", "ü", true},
	} {
		if got := glob(c.pattern).match([]byte(c.host)); got != c.want {
			t.Errorf("%s and %s: %v", c.pattern, c.host, got)
		}
	}
}

// TestGlobTime checks that many stars do not multiply the time.
func TestGlobTime(t *testing.T) {
	g, host := glob(strings.Repeat("a*", 100)+"b"), []byte(strings.Repeat("a", 8000))
	began := time.Now()
	if g.match(host) {
		t.Error("there is no b")
	}
	if d := time.Since(began); d > time.Second {
		t.Errorf("took %v", d)
	}
}
