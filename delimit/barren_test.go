package delimit

import (
	"strings"
	"testing"
	"testing/iotest"
)

// TestBarren checks what stands near to a reference without a host, or to the end of a
// terminal's escape sequence, read whole and byte by byte.
func TestBarren(t *testing.T) {
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
		{`file:\/c/\/d file:\/ file:\c`, "file:/c//d"},
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
