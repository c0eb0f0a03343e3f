package filter

import (
	"strings"
	"testing"
)

// TestDoubts checks that there is a warning for each value that cannot match, and for no other
// value.
func TestDoubts(t *testing.T) {
	for _, c := range []struct{ schemes, hosts, want string }{
		{"http HTTPS: mailto gemini about", "example.org *.org a?b [::1] [*] * 10.1.2.* müller.example *.müller.example m%C3%BCller.example", ""},
		{"htxp", "", "--scheme htxp: no scheme of this name is registered; did you mean http?"},
		{"myownscheme", "", "--scheme myownscheme: no scheme of this name is registered"},
		{"x", "", "--scheme x: no scheme of this name is registered"},
		{"", "http://a.example/", "--host http://a.example/: this is no host; did you mean a.example?"},
		{"", "http://u:p@[::1]:80/x", "--host http://u:p@[::1]:80/x: this is no host; did you mean [::1]?"},
		{"", "a.example:80", "--host a.example:80: this is no host; did you mean a.example?"},
		{"", "a.example/x", "--host a.example/x: this is no host; did you mean a.example?"},
		{"", "u@a.example", "--host u@a.example: this is no host; did you mean a.example?"},
		{"", "/", "--host /: this is no host"},
		{"", "[::1]:80", "--host [::1]:80: this is no host; did you mean [::1]?"},
	} {
		var o Options
		for s := range strings.FieldsSeq(c.schemes) {
			_ = o.Add("scheme", s)
		}
		for h := range strings.FieldsSeq(c.hosts) {
			_ = o.Add("host", h)
		}
		if got := strings.Join(o.Doubts(), "|"); got != c.want {
			t.Errorf("%q, %q: %q, want %q", c.schemes, c.hosts, got, c.want)
		}
	}
}
