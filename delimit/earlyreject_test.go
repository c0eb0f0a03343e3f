package delimit

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestEarlyReject checks references beside text that early reject removes: URLs without a host, and
// ends of terminal escape sequences. Each text is read whole and byte by byte.
func TestEarlyReject(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"'http://x8'@/ y", "http://x8"},
		{"http://@/?u=http://b/c d", "http://b/c"},
		{"http://?u=" + strings.Repeat("x", 9000) + " http://a/", "http://a/"},
		{"tag:a?http://a/b c", "http://a/b"},
		{"http://a:80@/ http://[::1]/ http://u:p@h/", "http://[::1]/ http://u:p@h/"},
		{"\x1b[http://c/ \x1b[1Dhttp://a/ \x1b[shttp://b/ \x1b[0mms://d/", "http://c/ http://a/ http://b/ ms://d/"},
		{" url:" + strings.Repeat("a", 65), ""},
		{"http://a{@/ http://a{@/} http://@{a/} http://@{a/", "http://a http://@{a/}"},
		{`http:\/\/\u0026?x http:\/\/\u0026a?x`, "http://&a?x"},
		{`file:\/c/\/d file:\/ file:\c <file:\/a\/b c>`, "file:/c//d file:/a/bc"},
		{`http:\/\/a\/?x=1\u0026http:\/\/b\/ http://a/?x=1\u0026ftp://b/ http://a/?\u0026xhttp://b/`, "http://a/?x=1&http://b/ http://a/?x=1&ftp://b/ http://a/?&x http://b/"},
		{`a\u0026foo://a/ ?a=1\u0026sftp://h/ a\u0026mailto:x@y.z u0026foo://b/`, "foo://a/ sftp://h/ mailto:x@y.z u0026foo://b/"},
		{"“http://-/”“http://-/ “http://a”", "http://a"},
		{`data:\/\/` + strings.Repeat(`\/`, 100) + ",x", "data:" + strings.Repeat("/", 102) + ",x"},
	} {
		for _, s := range []*Scanner{
			NewScanner(strings.NewReader(c.text), Options{}),
			NewScanner(iotest.OneByteReader(strings.NewReader(c.text)), Options{}),
		} {
			found, _ := collect(s)
			var all []string
			for _, f := range found {
				all = append(all, f.Text)
			}
			if got := strings.Join(all, " "); got != c.want {
				t.Errorf("%.80q: %q, want %q", c.text, got, c.want)
			}
		}
	}
}

// TestEarlyRejectReads checks that looking ahead does not depend on the ends of Reads, and does not
// go beyond MaxLen.
func TestEarlyRejectReads(t *testing.T) {
	for _, c := range []struct {
		text string
		opts Options
		n    int // found
	}{
		{`data:a` + strings.Repeat(`\u0026`, 30) + `,x`, Options{}, 1},
		{`tag:a` + strings.Repeat(`\u0026-`, 30) + `,1:x`, Options{}, 1},
		{`data:a` + strings.Repeat(`\/`, 80) + `,x`, Options{}, 1},
		{`stun:1doi:` + strings.Repeat("1", 120) + `::[dot]`, Options{Extras: Defanged}, 1},
		{`www.a[.]` + strings.Repeat("b", 30) + `://x/`, Options{Extras: Defanged | Abbreviated}, 1},
		{`doi:[/]\/` + strings.Repeat("1", 124), Options{Extras: Defanged}, 1},
		{"mailto:jo@example.org", Options{MaxLen: 5}, 0},
		{"bitcoin:abc magnet:?xt=1", Options{MaxLen: 4}, 0},
	} {
		whole := NewScanner(nil, c.opts)
		whole.ResetBytes([]byte(c.text))
		want, _ := collect(whole)
		if len(want) != c.n {
			t.Errorf("%.80q: %d found, want %d", c.text, len(want), c.n)
		}
		for _, r := range []io.Reader{strings.NewReader(c.text), iotest.OneByteReader(strings.NewReader(c.text)), iotest.HalfReader(strings.NewReader(c.text))} {
			if got, _ := collect(NewScanner(r, c.opts)); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%.80q: %v by %T, want %v", c.text, got, r, want)
			}
		}
	}
}
