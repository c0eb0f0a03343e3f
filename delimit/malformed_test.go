package delimit_test

import (
	"strings"
	"testing"
	"testing/iotest"

	"github.com/urlsift/urlsift/delimit"
)

// TestMalformed has texts with what Options.Malformed finds in them, separated by blanks, and near
// misses. Each is read again byte by byte.
func TestMalformed(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"see http:///x.", "http:///x"},
		{"see https:///www.example.com/a, and", "https:///www.example.com/a"},
		{"http://[::1", "http://[::1"},
		{"(http://[2001:db8::1/path)", "http://[2001:db8::1/path"},
		{"http:/one.example/x and", "http:/one.example/x"},
		{`"https:/example.com"`, "https:/example.com"},
		{"<ftp:/ftp.example.com/pub>", "ftp:/ftp.example.com/pub"},
		{"go to https//www.example.com.", "https//www.example.com"},
		{"http//example.com/a?b=c#d", "http//example.com/a?b=c#d"},
		{"http//example.com:80/", "http//example.com:80/"},
		{"at http;//example.com/a, or https.//www.example.org", "http;//example.com/a https.//www.example.org"},
		{"http:////www.example.com/ http://///www.example.com/", "http:////www.example.com/ http://///www.example.com/"},

		{`see http:\\www.example.com\a, and`, `http:\\www.example.com\a`},

		{"http:" + strings.Repeat("/", 60) + "www.example.com and", "http:" + strings.Repeat("/", 60) + "www.example.com"},
		{"https;//" + strings.Repeat("a", 63) + ".example y http:/" + strings.Repeat("a", 62) + ".example.com x", "https;//" + strings.Repeat("a", 63) + ".example http:/" + strings.Repeat("a", 62) + ".example.com"},

		// These are references, and found as ever.
		{"http://a.example/ and http://[::1]/", "http://a.example/ http://[::1]/"},
		{"file:///etc/passwd", "file:///etc/passwd"},
		{"http://a.example/http//b.example", "http://a.example/http//b.example"},

		// These are neither.
		{"use http:// or https://;", ""},
		{"http:///", ""},
		{"http:/// and", ""},
		{"http:///{path}", ""},
		{"http:/path/to", ""},
		{"http:/$host/", ""},
		{"http:/one.2/", ""},
		{"http:one.example", ""},

		{`http:\\server and "https:\n" and http:\example.com`, ""},
		{"http//localhost/", ""},
		{"see http.//localhost and http;// or http://", ""},
		{"the scheme is http; //www.example.com", ""},
		{"http:////x and http:////////////////////", ""},
		{"xhttp//example.com", ""},
		{"/srv/http//example.com", ""},
		{"http//example", ""},
		{"http: //example.com", ""},
		{"data/https//x", ""},
		{"tcp/http//a", ""},
		{"and/or//www.example.com", ""},
		{"Content:/a.example", ""},
		{"file:/etc/x.conf", "file:/etc/x.conf"},
	} {
		for _, one := range []bool{false, true} {
			in := strings.NewReader(c.text)
			s := delimit.NewScanner(in, delimit.Options{Malformed: true})
			if one {
				s = delimit.NewScanner(iotest.OneByteReader(in), delimit.Options{Malformed: true})
			}
			var got []string
			for found, err := range s.All() {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, string(found.Ref))
			}
			if g := strings.Join(got, " "); g != c.want {
				t.Errorf("%q (byte by byte: %v): %q, want %q", c.text, one, g, c.want)
			}
		}
	}
}
