package unwrap_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/uri"
	"github.com/urlsift/urlsift/uri/unwrap"
)

// TestAll has a row for each form, and the near misses. What is inside is written as "by url", with
// several separated by " > ".
func TestAll(t *testing.T) {
	for _, c := range []struct{ ref, want string }{
		{"https://nam02.safelinks.protection.outlook.com/?url=https%3A%2F%2Fa.example%2Fx%3Fy%3D1%26z%3D2&data=02%7C01%7Cjoe%40b.example&sdata=abc%3D&reserved=0", "safelinks https://a.example/x?y=1&z=2"},
		{"https://NAM02.SafeLinks.protection.outlook.com/?data=1&url=http%3A%2F%2Fa.example", "safelinks http://a.example"},
		{"https://eur01.safelinks.protection.outlook.com/ap/t-59584e83/?url=https%3A%2F%2Fteams.example%2Fl", "safelinks https://teams.example/l"},
		{"https://gcc02.safelinks.protection.office365.us/?url=http%3A%2F%2Fa.example%2F", "safelinks http://a.example/"},
		{"https://statics.teams.cdn.office.net/evergreen-assets/safelinks/1/atp-safelinks.html?url=https%3A%2F%2Fa.example%2F&locale=en-us&dest=1", "safelinks https://a.example/"},
		{"https://statics.teams.cdn.office.net/evergreen-assets/safelinks/1/atp-safelinks.html", ""},
		{"https://nam02.safelinks.protection.outlook.com/?amp;url=http%3A%2F%2Fa.example%2F", "safelinks http://a.example/"},
		{"https://nam02.safelinks.protection.outlook.com.evil.example/?url=http%3A%2F%2Fa.example%2F", "parameter http://a.example/"},
		{"https://nam02.safelinks.protection.outlook.com/?url=tel%3A123", ""},

		{"https://urldefense.proofpoint.com/v1/url?u=http://www.a.example/&k=oIvRg1%2BdGAgOoM1BIlLLqw%3D%3D%0A", "urldefense http://www.a.example/"},
		{"https://urldefense.proofpoint.com/v2/url?u=http-3A__www.a.example_b-2Dc_d-3Fe-3D1-26f&d=DwMFAg&c=x&r=y", "urldefense http://www.a.example/b-c/d?e=1&f"},
		{"https://urldefense.proofpoint.com/v2/url?u=https-3A__de.wikipedia.example_wiki_M-25C3-25BCnchen&d=a", "urldefense https://de.wikipedia.example/wiki/M%C3%BCnchen"},
		{"https://urldefense.com/v3/__https://a.example/b?c=d__;!!Ab-cd!e$", "urldefense https://a.example/b?c=d"},
		{"https://urldefense.com/v3/__https://google.example:443/search?q=a*test&gs=ps__;Kw!-612Flbf0JvQ3kNJkRi5Jg!x$", "urldefense https://google.example:443/search?q=a+test&gs=ps"},
		{"https://urldefense.com/v3/__https://a.example/x**By__;w6TDtsO8!!k$", "urldefense https://a.example/x%C3%A4%C3%B6%C3%BCy"},
		{"https://urldefense.com/v3/__http:/a.example/*frag__;Iw!!k!s$", "urldefense http://a.example/#frag"},
		{"https://urldefense.com/v3/__http:/a.example/b.png__;%21fqWJ%219UAjRx$", "urldefense http://a.example/b.png"},
		{"https://urldefense.com/v3/__https://a.example/b*2Ac__;JQ!!k$", "urldefense https://a.example/b%2Ac"},
		{"https://urldefense.com/v3/__https://a.example/b*c__;Iw%2B!k$", ""},
		{"https://urldefense.us/v3/__https://a.example/__;!!k!s$", "urldefense https://a.example/"},
		{"https://urldefense.com/v3/__https://a.example/", ""},
		{"https://urldefense.com/v3/__https://a.example/__;(!!k", ""},
		{"https://urldefense.com/v3/__mailto:joe@a.example__;!!k", ""},

		{"https://www.google.com/url?q=https://a.example/x&sa=D&source=editors&ust=1", "google https://a.example/x"},
		{"http://www.google.co.uk/url?sa=t&rct=j&q=&url=http%3A%2F%2Fa.example%2F&ei=x", "google http://a.example/"},
		{"https://google.de/url?q=http%3A%2F%2Fa.example%2F%3Fb%3Dc", "google http://a.example/?b=c"},
		{"https://www.google.com/search?q=http%3A%2F%2Fa.example%2F", "parameter http://a.example/"},
		{"https://www.google.com/url?q=weather", ""},
		{"https://www.google.evil.example/url?q=http%3A%2F%2Fa.example%2F", "parameter http://a.example/"},

		{"https://l.facebook.com/l.php?u=https%3A%2F%2Fa.example%2Fx%3Ffbclid%3D1&h=AT0&s=1", "facebook https://a.example/x?fbclid=1"},
		{"http://www.facebook.com/l.php?u=http%3A%2F%2Fa.example%2F&h=b", "facebook http://a.example/"},
		{"https://l.instagram.com/?u=https%3A%2F%2Fa.example%2F&e=ATP", "facebook https://a.example/"},
		{"https://www.facebook.com/sharer.php?u=http%3A%2F%2Fa.example%2F", "parameter http://a.example/"},

		{"https://linkprotect.cudasvc.com/url?a=https%3a%2f%2fa.example%2f&c=E,1,x&typo=1", "barracuda https://a.example/"},
		{"https://linkprotect.cudasvc.com/help?b=1", ""},

		{"https://secure-web.cisco.com/1nSCmtGs_lH2/https%3A%2F%2Fa.example%2Fb%3Fc%3Dd", "cisco https://a.example/b?c=d"},
		{"https://secure-web.cisco.com/auth=1abc/url=x/https%3A%2F%2Fa.example", ""},

		{"http://web.archive.org/web/20160304120000/http://a.example/b?c=d#e", "archive http://a.example/b?c=d#e"},
		{"https://web.archive.org/web/20160304120000id_/https://a.example/", "archive https://a.example/"},
		{"https://web.archive.org/web/2016*/http://a.example/", "archive http://a.example/"},
		{"https://web.archive.org/web/20160304120000/http:/a.example/", "archive http://a.example/"},
		{"https://archive.ph/20200101000000/https://a.example/b", "archive https://a.example/b"},
		{"https://webarchive.nationalarchives.gov.uk/ukgwa/20100101000000/http://www.a.example/", "archive http://www.a.example/"},
		{"https://wayback.archive-it.org/4567/20150101000000/http://a.example/", "archive http://a.example/"},
		{"https://web.archive.org/details/http://a.example/", ""},
		{"https://web.archive.org/web/20160304120000/a.example", ""},
		{"https://www.example.org/web/20160304120000/http://a.example/", ""},

		{"https://accounts.b.example/login?next=https%3A%2F%2Fc.example%2F&x=1", "parameter https://c.example/"},
		{"http://b.example/?u=http://c.example/", "parameter http://c.example/"},
		{"http://b.example/?u=ftp%3A%2F%2Fc.example%2F", "parameter ftp://c.example/"},
		{"http://b.example/?http%3A%2F%2Fc.example%2F", ""},
		{"http://b.example/?q=see+http%3A%2F%2Fc.example%2F", ""},
		{"http://b.example/?u=http%253A%252F%252Fc.example%252F", ""},
		{"http://b.example/?u=//c.example/", ""},
		{"http://b.example/?u=http%3A%2F%2F", ""},
		{"http://b.example/?u=javascript%3Aalert(1)", ""},
		{"http://b.example/?u=http%3A%2F%2Fc.example%2Fm%C3%BCller+x", "parameter http://c.example/m%C3%BCller+x"},
		{"http://b.example/#u=http://c.example/", ""},
		{"http://b.example/", ""},
		{"mailto:a@b.example?body=http%3A%2F%2Fc.example%2F", ""},
		{"", ""},

		{
			"https://nam02.safelinks.protection.outlook.com/?url=https%3A%2F%2Furldefense.com%2Fv3%2F__https%3A%2F%2Fwww.google.com%2Furl%3Fq%3Dhttps%3A%2F%2Fa.example%2F__%3B!!x!y%24&data=1",
			"safelinks https://urldefense.com/v3/__https://www.google.com/url?q=https://a.example/__;!!x!y$ > urldefense https://www.google.com/url?q=https://a.example/ > google https://a.example/",
		},
	} {
		var got []string
		for _, inner := range unwrap.All(c.ref, uri.Default) {
			got = append(got, inner.By.String()+" "+inner.URL)
		}
		if g := strings.Join(got, " > "); g != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.ref, g, c.want)
		}
		if c.want != "" && !unwrap.May([]byte(c.ref), uri.Split(c.ref)) {
			t.Errorf("May says no for %s", c.ref)
		}
	}
}

// TestTarget checks that a parameter is not where a reference leads.
func TestTarget(t *testing.T) {
	for _, c := range []struct{ ref, want string }{
		{"https://l.facebook.com/l.php?u=https%3A%2F%2Fa.example%2F%3Fnext%3Dhttp%253A%252F%252Fb.example%252F", "https://a.example/?next=http%3A%2F%2Fb.example%2F"},
		{"https://a.example/?next=https%3A%2F%2Fl.facebook.com%2Fl.php%3Fu%3Dhttp%253A%252F%252Fb.example", ""},
		{"https://a.example/", ""},
	} {
		if got, ok := unwrap.AppendTarget([]byte("x"), []byte(c.ref), uri.Default); string(got) != "x"+c.want || ok != (c.want != "") {
			t.Errorf("%s: %s, want %s", c.ref, got, c.want)
		}
	}
}

// TestNoAllocation checks that inner references are found without allocation.
func TestNoAllocation(t *testing.T) {
	dst := make([]byte, 0, 4<<10)
	for _, s := range []string{
		"https://urldefense.com/v3/__https://a.example/x**By__;w6TDtsO8!!k$", "https://urldefense.proofpoint.com/v2/url?u=http-3A__a", "https://WWW.google.com/url?q=http%3A%2F%2Fa.example%2F%C3%B6\"",
		"http://b.example/?u=http://c.example/", "https://web.archive.org/web/20160304120000/http:/a.example/", "https://secure-web.cisco.com/1nS/https%3A%2F%2Fa.example",
	} {
		ref := []byte(s)
		if n := testing.AllocsPerRun(10, func() { unwrap.Append(dst, ref, uri.Default); unwrap.AppendTarget(dst, ref, uri.Default) }); n > 0 {
			t.Errorf("%s: %v", s, n)
		}
	}
}

func TestDepth(t *testing.T) {
	ref := "http://a.example/"
	for range 20 {
		ref = "https://web.archive.org/web/2016/" + ref
	}
	if got := unwrap.All(ref, uri.Default); len(got) != unwrap.Depth {
		t.Errorf("%d references", len(got))
	}
}

func TestOpaque(t *testing.T) {
	for ref, want := range map[string]bool{
		"https://t.co/AbCdEfGhIj": true, "https://T.CO/AbC": true, "https://t.co/": false, "https://t.co": false, "https://at.co/x": false,
		"https://protect-us.mimecast.com/s/AbC?domain=a.example": true, "https://www.mimecast.com/products/": false,
		"https://url.us.m.mimecastprotect.com/s/AbC": true, "https://lnkd.in/abc": true, "https://clicktime.symantec.com/3abc": true,
		"https://u12.ct.sendgrid.net/ls/click?upn=x": true, "mailto:a@t.co": false, "http://a.example/t.co/": false, "": false,
	} {
		if got := unwrap.Opaque([]byte(ref), uri.Split(ref)); got != want {
			t.Errorf("%s: %v", ref, got)
		}
	}
}

func Example() {
	s := "https://l.facebook.com/l.php?u=http%3A%2F%2Fa.example%2F&h=AT0"
	for _, inner := range unwrap.All(s, uri.RFC3986) {
		fmt.Println(inner.By, inner.URL)
	}
	// Output: facebook http://a.example/
}

// FuzzAll checks that inner references are accepted, that May misses none, and that the first one is
// that of One.
func FuzzAll(f *testing.F) {
	for _, s := range []string{"https://urldefense.com/v3/__http:/a/**A*b__;w6TDtsO8!!k$", "https://web.archive.org/web/2016id_/http%3A%2F%2Fa", "https://l.facebook.com/l.php?u=https%3A%2F%2Fa", "http://b/?u=http:%2f/c:80/", "https://urldefense.proofpoint.com/v2/url?u=http-3A__a", "https://secure-web.cisco.com/1/https%3A%2F%2Fa"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, inner := range unwrap.All(s, uri.Default) {
			if got, _ := uri.Accepts(inner.URL, uri.Split(inner.URL), uri.Default); got == 0 || inner.By.String() == "" {
				t.Errorf("%q in %q", inner.URL, s)
			}
			if !unwrap.May([]byte(s), uri.Split(s)) {
				t.Errorf("May says no for %q", s)
			}
			s = inner.URL
		}
	})
}
