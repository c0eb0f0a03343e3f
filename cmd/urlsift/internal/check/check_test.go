package check

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/uri"
)

// found returns what is found in text, each as "rule: what: reference".
func found(t *testing.T, text string) (list []string) {
	t.Helper()
	x, err := extract.New(extract.Options{Grammar: uri.RFC3986, Refused: true, Delimit: delimit.Options{Malformed: true}})
	if err != nil {
		t.Fatal(err)
	}
	for r, err := range x.Read(t.Context(), "text", strings.NewReader(text)) {
		if err != nil {
			t.Fatal(err)
		}
		if rule, what := Wrong(r); rule != "" {
			list = append(list, rule+": "+what+": "+string(r.Candidate.Text))
		}
	}
	return list
}

func TestMalformed(t *testing.T) {
	for text, want := range map[string]string{
		"a http:///x b":                                   "slashes: 3 '/' after http: instead of 2: http:///x",
		"https:///www.a.example/":                         "slashes: 3 '/' after https: instead of 2: https:///www.a.example/",
		"http://[::1":                                     "brackets: ']' is missing after the address in the host: http://[::1",
		"(http://[2001:db8::1/x)":                         "brackets: ']' is missing after the address in the host: http://[2001:db8::1/x",
		"http:/one.example/x":                             "slashes: 1 '/' after http: instead of 2: http:/one.example/x",
		"see https:/a.example.":                           "slashes: 1 '/' after https: instead of 2: https:/a.example",
		"https//www.example.com":                          "colon: ':' is missing after https: https//www.example.com",
		"<a href='http//a.example/b'>x</a>":               "colon: ':' is missing after http: http//a.example/b",
		`on http:\\a.example\b.`:                          `slashes: '\' after http: instead of '/': http:\\a.example\b`,
		"http:////www.a.example/":                         "slashes: 4 '/' after http: instead of 2: http:////www.a.example/",
		"ftp:/ftp.a.example/pub":                          "slashes: 1 '/' after ftp: instead of 2: ftp:/ftp.a.example/pub",
		"wss:/a.example/x":                                "slashes: 1 '/' after wss: instead of 2: wss:/a.example/x",
		"at http;//a.example/b.":                          "colon: ';' after http instead of ':': http;//a.example/b",
		"https.//www.a.example":                           "colon: '.' after https instead of ':': https.//www.a.example",
		"ftp//ftp.a.example/":                             "colon: ':' is missing after ftp: ftp//ftp.a.example/",
		"htpp://a.example/":                               "scheme: htpp instead of http: htpp://a.example/",
		"see htttps://a.example.":                         "scheme: htttps instead of https: htttps://a.example",
		"HTPS://A.EXAMPLE/":                               "scheme: HTPS instead of https: HTPS://A.EXAMPLE/",
		"httpss://a.example/":                             "scheme: httpss instead of https: httpss://a.example/",
		"http://http://a.example/":                        "twice: http is the host, so the scheme stands twice: http://http://a.example/",
		"https://http://a.example/":                       "twice: http is the host, so the scheme stands twice: https://http://a.example/",
		"http://http:80//a.example/":                      "twice: http is the host, so the scheme stands twice: http://http:80//a.example/",
		"http://https//a.example/":                        "twice: https is the host, so the scheme stands twice: http://https//a.example/",
		"http://a.example/%zz":                            "escape: '%' without two hexadecimal digits in a path: http://a.example/%zz",
		"http://a.example/?q=5%&r=1":                      "escape: '%' without two hexadecimal digits in a query: http://a.example/?q=5%&r=1",
		"http://a.example/#%u00e9":                        "escape: '%' without two hexadecimal digits in a fragment: http://a.example/#%u00e9",
		"http://u%:p@a.example/":                          "grammar: '%' without two hexadecimal digits in the user: http://u%:p@a.example/",
		"http://xn--0.example/":                           "host: what follows \"xn--\" in a label of the host encodes nothing: http://xn--0.example/",
		"http://www,a.example/":                           "host: ',' is not allowed in a label of the host: http://www,a.example/",
		"http://u@@a.example/":                            "grammar: '@' is not allowed in the user: http://u@@a.example/",
		"http://[fe80::1%eth0]/":                          "grammar: '%' is not allowed in an address in brackets: http://[fe80::1%eth0]/",
		"http://0x7f.1/":                                  "host: 0x7f.1 is an IPv4 address only for programs that read other forms than four numbers: http://0x7f.1/",
		"http://h.example:99999/":                         "port: no port is 99999: ports are 1 to 65535: http://h.example:99999/",
		"http://h.example:0/":                             "port: no port is 0: ports are 1 to 65535: http://h.example:0/",
		"ftp://h.example:65536":                           "port: no port is 65536: ports are 1 to 65535: ftp://h.example:65536",
		"http://h.example:99999999999999999999/":          "port: no port is 99999999999999999999: ports are 1 to 65535: http://h.example:99999999999999999999/",
		"http://h.example:8o/":                            "grammar: 'o' is not allowed in a port: http://h.example:8o/",
		"http://h.example:0x50/":                          "grammar: 'x' is not allowed in a port: http://h.example:0x50/",
		"http://h.example:80:80/":                         "grammar: ':' is not allowed in a port: http://h.example:80:80/",
		"http://h.example:-1/":                            "grammar: '-' is not allowed in a port: http://h.example:-1/",
		"http://256.1.1.1/":                               "host: 256.1.1.1 is no IPv4 address: http://256.1.1.1/",
		"http://1.2.3/":                                   "host: 1.2.3 is an IPv4 address only for programs that read other forms than four numbers: http://1.2.3/",
		"http://3232235777/":                              "host: 3232235777 is an IPv4 address only for programs that read other forms than four numbers: http://3232235777/",
		"http://1.2.3.4.5/":                               "host: 1.2.3.4.5 is no IPv4 address: http://1.2.3.4.5/",
		"http://www.example.1/":                           "host: www.example.1 is no IPv4 address: http://www.example.1/",
		"http://[::g]/":                                   "grammar: 'g' is not allowed in an address in brackets: http://[::g]/",
		"http://[]/":                                      "grammar: ']' is not allowed in an address in brackets: http://[]/",
		"http://[127.0.0.1]/":                             "grammar: ']' is not allowed in an address in brackets: http://[127.0.0.1]/",
		"http://[1:2]/":                                   "grammar: ']' is not allowed in an address in brackets: http://[1:2]/",
		"http://a..b.example/%CE%B1":                      "host: a label of the host is empty: http://a..b.example/%CE%B1",
		"http://a..b.example/":                            "host: a label of the host is empty: http://a..b.example/",
		"http://.a.example/":                              "host: a label of the host is empty: http://.a.example/",
		"http://-a.example/":                              "host: '-' is not allowed at the beginning of a label of the host: http://-a.example/",
		"http://a-.example/":                              "host: '-' is not allowed at the end of a label of the host: http://a-.example/",
		"http://a.example-/x":                             "host: '-' is not allowed at the end of a label of the host: http://a.example-/x",
		"http://" + strings.Repeat("a", 64) + ".example/": "host: a label of the host has more than 63 bytes: http://" + strings.Repeat("a", 64) + ".example/",
		"http://" + strings.Repeat("a.", 127) + "a/":      "host: the host has more than 253 bytes: http://" + strings.Repeat("a.", 127) + "a/",
		"http://a%2Fb.example/":                           "host: '%2F' is not allowed in a label of the host: http://a%2Fb.example/",
		"http://exa^mple.example/":                        "grammar: '^' is not allowed in a host: http://exa^mple.example/",
		"http://%zz.example/":                             "grammar: '%' without two hexadecimal digits in a host: http://%zz.example/",
		"<URL:http:g>":                                    "host: there is no host: http:g",
	} {
		if got := strings.Join(found(t, text), "\n"); got != want {
			t.Errorf("%q:\n%s, want\n%s", text, got, want)
		}
	}
}

// TestClean has texts, separated by line ends, in which nothing is wrong.
func TestClean(t *testing.T) {
	for text := range strings.SplitSeq(`use http:// or https://; both
see http://... or https://.../x or http://…/y
http://{host}/path and http://{{ site.url }}/ and http://<%= url %>/
http://${HOST}:8080/ and http://$HOST/x and http://$(hostname)/
http://%s/ and http://%(host)s/x and https://%v:%d/
http://<host>/ and http://<host>:<port>/
http://*.example.com/ and https://*/x
http://[::1]/ http://[2001:db8::1]:80/ http://[v1.x]/
http://localhost:8080 http://127.0.0.1:3000/ http://10.0.0.1 http://localhost
"http://" + host + "/x"
'https://' . $x . '/';
url = "http://" # and the host
http://user:pass@example.com:8080/
http://example_host.com/ http://_dmarc.example.com/
http://xn--mller-kva.de/ http://müller.de/ö http://例え.jp/
https?://[^\s]+ and ^https?://(www\.)?example\.com/
http[s]?://a.example and (https?)://b
http://[host]:port/ http://host:port/ http://host:PORT
mailto:joe@example.org news:comp.text tel:+15551234 urn:isbn:0451450523
file:///etc/passwd and file:/etc/hosts
http://example.com/a|b and http://example.com/^x
http://example.com./ http://a--b.example http://3com.com http://0x.example
http://example.com/http:/a/b and http://example.com//c
ftp://ftp.example.org/pub/;type=i
http://example.com:80: and http://example.com: done
the path http:/path and http:/$host/
and/or//www.example.com
/srv/http//www.example.com
http://www.long-name-
http://example.com/?u=http:/a.example
about:blank data:text/plain,hi javascript:void(0)
http://a.example:80/ https://a.example:443 http://a.example:65535/ http://a.example:1/
http://user@example.com/ http://:@example.com/
HTTP://WWW.EXAMPLE.COM/ Http://Example.com
http://a.example/%20%e9%C3 and http://a.example/?q=100% of them
http://a.example/%s/x?y=%d and "%PUBLIC_URL%/x" and http://a.example/%PUBLIC_URL%/x http://%HOST%/
http://a.example/%1$s/%(name)s and http://a.example/%s_%d.png http://a.example/%%/x
http://httpbin.org/ http://http.example/ http://http/ https://http/x ftp://ftp/
http2://a.example/ httpx://a.example/ shttp://a.example/ hxxp://a.example ttp://a.example hdfs://a
http.//localhost;//a.example/ http;//
if (x) return http; //www.example.com has it
the module net/http.//example and https;//
http:// /x and http:////
print("http:\\n") and http:\\server\share and http:\/\/a.example\/b
http://xn--mller-kva.de/ http://xn--p1ai.example/ http://xn--bcher-kva.example
http://a.example/?next=http%3A%2F%2Fb.example&x=%7B%7D
http://web.archive.org/web/1999/http://www.a.example/ and http://a.example/http://b.example
http://en.wikipedia.org/wiki/A_(b) and <http://a.example/x>
git+ssh://git@a.example:22/x.git and svn://a.example and irc://a.example:6667/#x
ldap://[2001:db8::7]/c=GB?objectClass?one and telnet://192.0.2.16:80/
jdbc:mysql://localhost:3306/db and mongodb://u:p@a,b,c/db redis:///0 sqlite:////tmp/x.db
chrome://settings/ about:config view-source:http://a.example/ blob:http://a.example/1
std::http::Client and Foo::Bar and a ? b : c and http::server and http:get
`+"`http://` + host and `https://${host}/`"+`
<a href="http://<?php echo $host ?>/">x</a>
curl http://$HOST:$PORT/ and http://"$host"/x and http://'+host+'/
http://XXX.XXX.XXX:XXXXX/XXX
http://[user]:[pass]@host/ http://[your-domain]/
text without any`, "\n") {
		if got := found(t, text); got != nil {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// TestFiles checks links against a tree of files.
func TestFiles(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"a.md", "docs/b.html", "docs/c d.html", "docs/100%.txt", "img/é.png"} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	x, err := extract.New(extract.Options{Grammar: uri.RFC3986, Refused: true, Format: extract.HTML})
	if err != nil {
		t.Fatal(err)
	}
	at := filepath.ToSlash(root)
	for _, c := range []struct{ root, link, want string }{
		{"", "b.html", ""}, {"", "b.html?x=1#top", ""}, {"", "./b.html", ""}, {"", "../a.md", ""}, {"", "../docs", ""}, {"", "../docs/", ""}, {"", "", ""}, {"", "#top", ""}, {"", "?x", ""},
		{"", "c%20d.html", ""}, {"", "c d.html", ""}, {"", "100%25.txt", ""}, {"", "../img/%C3%A9.png", ""}, {"", "../img/é.png", ""},
		{"", "none.html", "there is no file " + at + "/docs/none.html"},
		{"", "B.html", "there is no file " + at + "/docs/B.html"},
		{"", "b.html/", "there is no file " + at + "/docs/b.html"},
		{"", "b%2Ehtml", ""},
		{"", "c%2520d.html", "there is no file " + at + "/docs/c%20d.html"},
		{"", "/a.md", ""}, {"", "/none", ""},
		{"", "{{page}}", ""}, {"", "${x}.html", ""}, {"", "{% url 'x' %}", ""},
		{"", "http://example.org/none", ""}, {"", "//example.org/none", ""}, {"", "mailto:a@b.example", ""},
		{"", "x%00y", "no file has NUL in its name"},
		{"root", "/a.md", ""}, {"root", "/docs/b.html", ""},
		{"root", "/none", "there is no file " + at + "/none"},
		{"root", "../a.md", ""},
		{"root", "../../a.md", "the link leaves " + root},
	} {
		files := Files{on: true}
		if c.root != "" {
			if err := files.UnmarshalText([]byte(root)); err != nil {
				t.Fatal(err)
			}
		}
		checker, got := New(Options{Files: files}, false), ""
		page := `<a href="` + c.link + `">x</a>`
		for r, err := range x.Read(t.Context(), filepath.Join(root, "docs", "page.html"), strings.NewReader(page)) {
			if err != nil {
				t.Fatal(err)
			}
			got = string(checker.Append(nil, r))
		}
		if c.want != "" {
			c.want = filepath.Join(root, "docs", "page.html") + ":1:10: " + c.want + ": " + c.link + "\n"
		}
		if got != c.want {
			t.Errorf("%q (%s): %q, want %q", c.link, c.root, got, c.want)
		}
	}
}
