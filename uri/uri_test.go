package uri_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/uri"
)

func TestEscaped(t *testing.T) {
	for s, want := range map[string]string{
		"http://h/a b":                  "http://h/a%20b",
		"http://h/{a}|b\\c^d`e":         "http://h/%7Ba%7D%7Cb%5Cc%5Ed%60e",
		`http://h/<a>"b"`:               "http://h/%3Ca%3E%22b%22",
		"http://h/straße?q=é":           "http://h/stra%C3%9Fe?q=%C3%A9",
		"http://h/日本":                   "http://h/%E6%97%A5%E6%9C%AC",
		"http://bücher.example/":        "http://b%C3%BCcher.example/",
		"http://ü@h/":                   "http://%C3%BC@h/",
		"http://h。x/":                   "http://h。x/", // punctuation is not a letter
		"http://h/?q[]=1&r[a]=2":        "http://h/?q%5B%5D=1&r%5Ba%5D=2",
		"http://h/a[b]#c[d]":            "http://h/a%5Bb%5D#c%5Bd%5D",
		"http://[::1]/[a]":              "http://[::1]/%5Ba%5D",
		"http://[x]/":                   "http://[x]/",
		"http://{host}/":                "http://{host}/",
		"http://%s/":                    "http://%s/",
		"http://h/%zz":                  "http://h/%25zz",
		"http://h/100%":                 "http://h/100%25",
		"http://h/a%4":                  "http://h/a%254",
		"http://h/%4?1=%4#1":            "http://h/%254?1=%254#1",
		"http://h/%%41":                 "http://h/%25%41",
		"http://%zz@h:%/":               "http://%zz@h:%/",
		"urn:x:%s":                      "urn:x:%25s",
		"http://h/%41%é":                "http://h/%41%25%C3%A9",
		"http://h/#a#b":                 "http://h/#a%23b",
		"http://h/\xe9":                 "http://h/%E9",
		"http://\xe9/":                  "http://\xe9/",
		"http://h/\x00\n":               "http://h/%00%0A",
		"urn:[a]":                       "urn:[a]",
		"urn:a b":                       "urn:a%20b",
		"a b":                           "a%20b",
		"a b:c":                         "a b:c", // a scheme is not repaired
		"":                              "",
		"http://u:p@h:80/p;x=1,$&+?a#b": "http://u:p@h:80/p;x=1,$&+?a#b",
	} {
		if got := string(uri.AppendEscaped([]byte("x"), s, uri.Default)); got != "x"+want {
			t.Errorf("%q becomes %q, want %q", s, got[1:], want)
		}
	}
}

func TestWarnings(t *testing.T) {
	for s, want := range map[string]string{
		"http://h/":                        "",
		"http://u@h/":                      "",
		"http://u:@h/":                     "",
		"http://u:p@h/":                    "password",
		"ftp://u:p:q@h/":                   "password",
		"mailto:u:p@h":                     "",
		"http://h:80/":                     "",
		"http://h:0080/":                   "",
		"HTTP://h:80/":                     "",
		"http://h:25/":                     "port",
		"http://h:8080/":                   "",
		"http://h:/":                       "",
		"http://h:65535/":                  "",
		"http://h:65536/":                  "port",
		"http://h:99999999999999999999/":   "port",
		"https://h:443/":                   "",
		"foo://h:25/":                      "port",
		"//h:25/":                          "port",
		"foo://h:8x/":                      "",
		"http://h/%0d%0A":                  "control",
		"http://h/%00":                     "control",
		"http://h/%7f":                     "control",
		"http://h/%20%zz%1":                "",
		"http://h/%2500":                   "",
		"http://h/?%1F":                    "control",
		"http://256.1.1.1/":                "host",
		"http://1.2.3.4/":                  "",
		"http://1.2.3/":                    "host,ip-decimal",
		"http://3232235777/":               "host,ip-decimal",
		"http://0x7f000001/":               "ip-decimal",
		"http://0X7F.1/":                   "host,ip-decimal",
		"http://0177.0.0.1:80/":            "host,ip-decimal",
		"http://4294967295/":               "host,ip-decimal",
		"http://4294967296/":               "host",
		"http://1.2.3.256/":                "host",
		"http://08.0.0.1/":                 "host",
		"http://0x.0.0.1/":                 "host",
		"http://1.0x/":                     "",
		"http://127.0.0.1/":                "",
		"foo://3232235777/":                "",
		"http://xn--pypal-4ve.example/":    "mixed-script", // Cyrillic a
		"http://p%D0%B0ypal.example/":      "mixed-script",
		"http://pаypal.example/":           "mixed-script",
		"http://WWW.XN--PYPAL-4VE.com/":    "mixed-script",
		"http://xn--80ak6aa92e.com/":       "", // all Cyrillic
		"http://b%C3%BCcher.%D1%80%D1%84/": "",
		"http://%E6%97%A5%E6%9C%AC%E3%81%AEnews.example/": "",
		"http://xn--news-9d6fs62e31j.example/":            "",
		"http://%ED%95%9C%EA%B8%80%E3%81%AE.example/":     "mixed-script", // Hangul and Hiragana
		"http://i%E2%9D%A4.example/":                      "",
		"http://m%FCller%D0.example/":                     "", // not UTF-8
		"http://1.2.3.4./":                                "",
		"foo://1.2.3/":                                    "",
		"foo://1.2.3.400/":                                "host",
		"http:///p":                                       "host",
		"http://:80/":                                     "host",
		"file:///p":                                       "",
		"http://a..b/":                                    "host",
		"http://.a/":                                      "host",
		"http://a./":                                      "",
		"http://./":                                       "host",
		"http://-a/":                                      "host",
		"http://a-.b/":                                    "host",
		"http://a-b.c/":                                   "",
		"http://a_b.c/":                                   "",
		"http://a$b/":                                     "host",
		"foo://a$b/":                                      "",
		"http://b%C3%BCcher.example/":                     "",
		"http://a%2Fb/":                                   "host",
		"http://%41/":                                     "",
		"http://[::1]/":                                   "",
		"http://[::g]/":                                   "host",
		"http://u:p@h:25/%00":                             "password,port,control",
		"http://" + strings.Repeat("a", 63) + "/":         "",
		"http://" + strings.Repeat("a", 64) + "/":         "host",
		"http://" + strings.Repeat("a.", 126) + "a/":      "",
		"http://" + strings.Repeat("a.", 127) + "a/":      "host",
		"http://" + strings.Repeat("%C3%BC", 64) + ".example/": "",
		"svn+ssh://h:22/": "port",
		"x-a-very-long-scheme-that-nobody-has-heard-of://h:80/": "port",
	} {
		w := uri.Warnings(s, uri.Split(s))
		if w.String() != want {
			t.Errorf("%q: %q, want %q", s, w, want)
		}
		var names []string
		for n := range w.Each() {
			names = append(names, n)
		}
		if strings.Join(names, ",") != want {
			t.Errorf("%q: Each gives %q", s, names)
		}
	}
}

// TestHostFault checks the words and the places of what is wrong with hosts.
func TestHostFault(t *testing.T) {
	for s, want := range map[string]string{
		"http://h.example/": "", "//h/": "", "mailto:a@b": "", "file:///x": "", "foo://a$b/": "", "http://[::1]/": "", "http://a_b.c/": "", "http://1.2.3.4/": "",
		"http:///x": "no host 7", "http://[::g]/": "bad literal 7", "http://256.1.1.1/": "bad address 7", "foo://1.2.3.400/": "bad address 6",
		"http://a..b/": "empty label 9", "http://u@.a/": "empty label 9", "http://a.-b/": "first hyphen 9", "http://a.b-.c/": "last hyphen 10", "http://a.b%2Fc/": "bad byte 10",
		"http://xn--mller-kva.de/": "", "http://XN--MLLER-KVA.de/": "", "http://a.xn--99999999.de/": "bad A-label 9", "http://xn--a/": "", "http://xn--0/": "bad A-label 7",
		"http://a." + strings.Repeat("b", 64) + "/": "long label 9", "http://" + strings.Repeat("a.", 127) + "a/": "long name 7",
	} {
		got, at := uri.HostFault(s, uri.Split(s))
		if got != "" {
			got = fmt.Sprint(got, " ", at)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

func TestRedacted(t *testing.T) {
	for s, want := range map[string]string{
		"http://u:p@h/":     "http://u:***@h/",
		"http://u:@h/":      "http://u:@h/",
		"http://u@h/":       "http://u@h/",
		"http://:p@h/":      "http://:***@h/",
		"http://u:a:b@h/":   "http://u:***@h/",
		"http://u:p@q@h/":   "http://u:***@h/",
		"//u:p@h":           "//u:***@h",
		"http://h/a:b@c":    "http://h/a:b@c",
		"mailto:u:p@h":      "mailto:u:p@h",
		"http://u:p@[::1]/": "http://u:***@[::1]/",
	} {
		if got := string(uri.AppendRedacted(nil, s, uri.Split(s))); got != want {
			t.Errorf("%q becomes %q, want %q", s, got, want)
		}
	}
}

// TestErrors checks that messages begin with the component and the reason, and are short.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		s    string
		g    uri.Grammar
		want string
	}{
		{"http://h/p?a^b", uri.RFC3986, `uri: query: byte '^' at offset 12 is not in rfc3986: "http://h/p?a^b"`},
		{`http://h/p?a"b`, uri.RFC3986, `uri: query: byte '"' at offset 12 is not in rfc3986 (url-1993+url-1994 have it): "http://h/p?a\"b"`},
		{"http://h/%zz", uri.URI2002, `uri: path: '%' at offset 9 begins no escape: "http://h/%zz"`},
		{"http://[x]/", uri.URI2002, `uri: host: byte 'x' at offset 8 is not in the address in [ ] of uri-2002: "http://[x]/"`},
		{"http://[::1", uri.URI2002, `uri: host: nothing at offset 11 is not in the address in [ ] of uri-2002: "http://[::1"`},
		{"//[v1.x]", uri.URI2002, `uri: host: byte '[' at offset 2 is not in the address in [ ] of uri-2002 (rfc3986 has it): "//[v1.x]"`},
		{"http://h:8x/", uri.RFC3986, `uri: port: byte 'x' at offset 10 is not in rfc3986 (url-1993+url-1996+url-1997+uri-2002 have it): "http://h:8x/"`},
		{":a", uri.URI2002, `uri: path: byte ':' at offset 0 cannot come first in uri-2002 (url-1996+url-1997 have it): ":a"`},
		{"1a:b", uri.URI2002, `uri: scheme: byte '1' at offset 0 cannot come first in uri-2002 (url-1996+url-1997 have it): "1a:b"`},
		{"http://bü/", uri.URI2002, `uri: host: byte 0xc3 at offset 8 is not in uri-2002: "http://bü/"`},
		{"rlogin://h", uri.URL1994, `uri: scheme: the name that ends at offset 6 is not in url-1994 (url-1996+url-1997+uri-2002+rfc3986 have it): "rlogin://h"`},
		{"p q", uri.URL1994, `uri: scheme: nothing at offset 0 where url-1994 demands more: "p q"`},
		{"a", 0, `uri: path: byte 'a' at offset 0 is not in none (url-1993+url-1996+url-1997+uri-2002+rfc3986 have it): "a"`},
	} {
		err := uri.Explain(c.s, uri.Split(c.s), c.g)
		if err == nil || err.Error() != c.want {
			t.Errorf("%q by %v:\n got %v\nwant %v", c.s, c.g, err, c.want)
		}
	}
	long := strings.Repeat("a", 200) + "^"
	if _, err := uri.Parse(long, uri.URI2002); err == nil || len(err.Error()) > 250 || !strings.HasSuffix(err.Error(), "…") {
		t.Errorf("%v", err)
	}
}

func TestNames(t *testing.T) {
	for g := range uri.Every.Each() {
		var back uri.Grammar
		if err := back.UnmarshalText([]byte(g.String())); err != nil || back != g {
			t.Errorf("%v: %v, %v", g, back, err)
		}
	}
	for s, want := range map[string]uri.Grammar{
		"all": uri.Every, "url-1993+rfc3986": uri.URL1993 | uri.RFC3986, "uri-2002,rfc3986": uri.URI2002 | uri.RFC3986, "none": 0,
	} {
		g := uri.URL1994
		if err := g.UnmarshalText([]byte(s)); err != nil || g != want {
			t.Errorf("%q: %v, %v", s, g, err)
		}
	}
	g, x := uri.URL1994, uri.Remove
	for _, s := range []string{"", "rfc2396", "url-1993+x", "RFC3986"} {
		if err := g.UnmarshalText([]byte(s)); err == nil || g != uri.URL1994 || !strings.HasPrefix(err.Error(), "uri: no grammar is called") {
			t.Errorf("%q: %v, %v", s, g, err)
		}
		if err := x.UnmarshalText([]byte(s)); err == nil || x != uri.Remove {
			t.Errorf("%q: %v, %v", s, x, err)
		}
	}
	if s := (uri.URI2002 | uri.RFC3986).String(); s != "uri-2002+rfc3986" {
		t.Error(s)
	}
	for i := range 20 { // String works for every value of the small types
		_ = fmt.Sprint(uri.Component(i), uri.Excess(i), uri.Warning(i), uri.Grammar(i*13))
	}
}

func TestRef(t *testing.T) {
	var zero, r uri.Ref
	if zero.IsAbs() || zero.String() != "" {
		t.Error("the zero Ref is not the empty reference")
	}
	if err := r.UnmarshalText([]byte("http://h/?")); err != nil {
		t.Fatal(err)
	}
	if q, ok := r.Get(uri.Query); q != "" || !ok {
		t.Errorf("query %q, %v", q, ok)
	}
	if _, ok := r.Get(uri.Fragment); ok {
		t.Error("there is a fragment")
	}
	if err := r.UnmarshalText([]byte("http://h/ ")); err == nil || r != uri.MustParse("http://h/?") {
		t.Errorf("%v, %v", r, err)
	}
	if _, err := uri.NewBase(uri.MustParse("g"), uri.URI2002); err == nil {
		t.Error("a base without a scheme")
	}
	var none uri.Base
	if got, err := none.Resolve(uri.MustParse("a:b")); err != nil || got.String() != "a:b" {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := none.Resolve(uri.MustParse("b")); err == nil {
		t.Errorf("the zero Base gives %v", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("MustParse does not panic")
		}
	}()
	uri.MustParse("^")
}
