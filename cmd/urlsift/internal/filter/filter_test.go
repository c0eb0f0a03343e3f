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
			"www.müller.de WWW.MÜLLER.DE www.müller.de. www.xn--mller-kva.de www.XN--MLLER-KVA.de www.m%C3%BCller.de *.müller.* *.xn--mller-kva.* www.m?ller.de www.mül*",
			"müller.de MÜLLER.DE xn--mller-kva.de Xn--Mller-Kva.de m%C3%BCller.de müller.de.",
			"http://www.m%C3%BCller.de/ http://WWW.M%c3%9cLLER.de/ http://www.xn--mller-kva.de/ http://WWW.XN--MLLER-KVA.DE:80/ http://www.müller.de/ http://www.müller.de./ http://www.xn--mller-kva.de.",
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
		check := func(flag, value string) {
			var o Options
			if err := o.Add(flag, value); err != nil {
				t.Fatal(err)
			}
			keeps := o.Keeper()
			for url := range strings.FieldsSeq(c.urls + " " + c.others) {
				r := &extract.Result{URL: []byte(url), Parts: uri.Split(url)}
				if got, want := keeps(r), strings.Contains(" "+c.urls+" ", " "+url+" "); got != want {
					t.Errorf("--%s %s and %s: %v", flag, value, url, got)
				}
			}
		}
		for pattern := range strings.FieldsSeq(c.hosts) {
			check("host", pattern)
		}
		for name := range strings.FieldsSeq(c.domains) {
			check("domain", name)
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

// TestFilters has a row for each filter: what it keeps of the results. Values of several flags are
// separated by blanks.
func TestFilters(t *testing.T) {
	message := func(url string, o extract.Origin) *extract.Result {
		return &extract.Result{URL: []byte(url), Parts: uri.Split(url), Valid: true, Origin: o}
	}
	ann := extract.Origin{Source: "box", Message: 1, Fields: extract.Fields{MessageID: "1@h", From: "Ann Doe <Ann@Example.org>", FromAddress: "Ann@Example.org", Date: "Sun, 06 Nov 1994 08:49:37 GMT"}}
	bob := extract.Origin{Source: "box", Message: 2, Fields: extract.Fields{MessageID: "2@h", From: "bob@example.net (Böb)", FromAddress: "bob@example.net", Date: "Wed, 01 Mar 1995 00:00:00 GMT", Newsgroups: "comp.text,alt.test"}}
	results := map[string]*extract.Result{
		"a": message("http://www.a.example/x?b=1", ann),
		"b": message("https://b.example:25/", bob),
		"c": message("mailto:joe@c.example", extract.Origin{Source: "notes"}),
	}
	for _, c := range []struct{ flags, want string }{
		{"", "abc"},
		{"scheme=http,mailto", "ac"},
		{"scheme=!http", "bc"},
		{"scheme=!http,!https", "c"},
		{"scheme=!http,https", "c"}, // '!' holds for the rest of the list
		{"host=!*.example", "c"},    // mailto has no host
		{"host=*.example,!www.*", "b"},
		{"host=*.example host=!b.*", "a"},
		{"host=!www.* host=*.example", "ab"}, // the last one decides
		{"domain=!a.example", "bc"},
		{"url=http*", "ab"},
		{"url=*?b=1", "a"},
		{"url=*?b=?", ""}, // '?' is itself
		{"url=HTTP*", ""},
		{"url=!*25*", "ac"},
		{"url=* url=!http* url=https*", "bc"},
		{"from=ann@example.org", "a"},
		{"from=*böb*", "b"},
		{"from=*@example.*", "ab"},
		{"from=*@EXAMPLE.net", "b"},
		{"from=!*bob*", "ac"},
		{"message-id=1@h", "a"},
		{"message-id=<1@h> message-id=2@h", "ab"},
		{"message-id=1@H", ""},
		{"newsgroup=alt.*", "b"},
		{"newsgroup=comp.*,!alt.test", ""},
		{"newsgroup=!comp.*", "ac"},
		{"since=1994-11-06", "ab"},
		{"since=1994-11-07", "b"},
		{"until=1994-11-06", "a"},
		{"until=1994-11-05", ""},
		{"since=1994-11-06T08:49:37Z until=1994-11-06T08:49:37Z", "a"},
		{"since=1994-11-06T08:49:38Z", "b"},
		{"since=1994-11 until=1994", "a"},
		{"since=10d", ""},
		{"suspicious=true", "b"},
		{"suspicious=port,password", "b"},
		{"suspicious=host", ""},
		{"host=*.example since=1995 scheme=https", "b"},
	} {
		var o Options
		for flag := range strings.FieldsSeq(c.flags) {
			name, value, _ := strings.Cut(flag, "=")
			if err := o.Add(name, value); err != nil {
				t.Fatalf("%s: %v", flag, err)
			}
		}
		keeps, got := o.Keeper(), ""
		for _, name := range []string{"a", "b", "c"} {
			if keeps(results[name]) {
				got += name
			}
		}
		if got != c.want {
			t.Errorf("%s: keeps %q, want %q", c.flags, got, c.want)
		}
	}
}

// TestUndated checks that only results are counted that other filters keep.
func TestUndated(t *testing.T) {
	var o Options
	for _, f := range [][2]string{{"since", "1994"}, {"until", "1d"}, {"scheme", "http"}} {
		if err := o.Add(f[0], f[1]); err != nil {
			t.Fatal(err)
		}
	}
	keeps := o.Keeper()
	for _, url := range []string{"http://a.example/", "mailto:a@b.example", "http://c.example/"} {
		keeps(&extract.Result{URL: []byte(url), Parts: uri.Split(url)})
	}
	if n := o.Undated.Load(); n != 2 {
		t.Errorf("%d", n)
	}
}

func TestAddErrors(t *testing.T) {
	for _, c := range [][2]string{{"host", ""}, {"host", "a,,b"}, {"host", "!"}, {"message-id", "!x"}, {"since", "soon"}, {"since", "!1994"}, {"until", "7y"}, {"until", "-1d"}, {"since", "1994-13"}, {"suspicious", "odd"}} {
		if err := new(Options).Add(c[0], c[1]); err == nil {
			t.Errorf("--%s %q is no error", c[0], c[1])
		}
	}
}

func TestSpan(t *testing.T) {
	now := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	for _, c := range [][3]string{
		{"2024", "2024-01-01T00:00:00Z", "2024-12-31T23:59:59Z"},
		{"2024-02", "2024-02-01T00:00:00Z", "2024-02-29T23:59:59Z"},
		{"2024-02-29", "2024-02-29T00:00:00Z", "2024-02-29T23:59:59Z"},
		{"2024-02-29T10", "2024-02-29T10:00:00Z", "2024-02-29T10:59:59Z"},
		{"2024-02-29 10:30", "2024-02-29T10:30:00Z", "2024-02-29T10:30:59Z"},
		{"2024-02-29T10:30", "2024-02-29T10:30:00Z", "2024-02-29T10:30:59Z"},
		{"2024-02-29T10:30:05", "2024-02-29T10:30:05Z", "2024-02-29T10:30:05Z"},
		{"2024-02-29T10:30:05+02:00", "2024-02-29T08:30:05Z", "2024-02-29T08:30:05Z"},
		{"2024-02-29t10:30:05z", "2024-02-29T10:30:05Z", "2024-02-29T10:30:05Z"},
		{"7d", "2026-11-19T12:00:00Z", "2026-11-19T12:00:00Z"},
		{"12h", "2026-11-26T00:00:00Z", "2026-11-26T00:00:00Z"},
		{"2w", "2026-11-12T12:00:00Z", "2026-11-12T12:00:00Z"},
		{"0s", "2026-11-26T12:00:00Z", "2026-11-26T12:00:00Z"},
	} {
		first, last, err := span(c[0], now)
		if got := [3]string{c[0], first.UTC().Format(time.RFC3339), last.UTC().Format(time.RFC3339)}; err != nil || got != c {
			t.Errorf("%v, %v, want %v", got, err, c)
		}
	}
}
