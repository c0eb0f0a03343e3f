package extract_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/uri"
)

// TestRedactSpelled checks that passwords are found in references that are escaped,
// truncated, or written in unusual ways, and that other texts are unchanged.
func TestRedactSpelled(t *testing.T) {
	for ref, want := range map[string]string{
		// Nested references.
		"http://archive/19970101/http:/u:secret@h/":                                   "http://archive/19970101/http:/u:***@h/",
		"http://a/?u=http%3A%2F%2Fu%3Asecret%40h/":                                    "http://a/?u=http%3A%2F%2Fu%3A***%40h/",
		"http://a/?u=http%3a%2f%2fu:secret@h&x=y@z":                                   "http://a/?u=http%3a%2f%2fu:***@h&x=y@z",
		"http://a/?u=http%253A%252F%252Fu%253Asecret%2540h%252F&v=http://u:secret@h/": "http://a/?u=http%253A%252F%252Fu%253A***%2540h%252F&v=http://u:***@h/",
		"http://u:secret@a/?u=ftp:%2F%2Fu:sec%2540ret@h":                              "http://u:***@a/?u=ftp:%2F%2Fu:***@h",

		// With ':' and '@', escaped or not.
		"http://u:sec:r@et@h/":         "http://u:***@h/",
		"http://u%40x:sec%40ret@h/":    "http://u%40x:***@h/",
		"http://u:sec%2Fret%23@h/":     "http://u:***@h/",
		"http://u%3Asecret@h/":         "http://u%3A***@h/",
		"http://u:secret%40h/":         "http://u:***%40h/",
		"http://u:secret@[::1]:80/x@y": "http://u:***@[::1]:80/x@y",

		// Escapes of HTML and JavaScript, and defanged URLs.
		"http://u:secret&#64;h/":      "http://u:***&#64;h/",
		`http:\/\/u:secret@h\/`:       `http:\/\/u:***@h\/`,
		"hxxp[:]//u[:]secret[@]h[.]x": "hxxp[:]//u[:]***[@]h[.]x",
		"hxxp:[/][/]u:secret[at]h":    "hxxp:[/][/]u:***[at]h",
		"file:http:/u:secret@h.html":  "file:http:/u:***@h.html",
		"http%3A%2F%2Fu%3Asecret%40h": "http%3A%2F%2Fu%3A***%40h",
		"http:////u:secret@h":         "http:////u:***@h",

		// Escaped many times.
		"http://h/%252525252Fa:b@c":                       "http://h/%252525252Fa:***@c",
		"http://u%252525253Asecret%252525252540h/":        "http://u%252525253A***%252525252540h/",
		"http://u%25252525252525252525253Asecret%2540h/x": "***",

		// Truncated.
		"http://u:secr":           "http://u:***",
		"http://u:secr/et@h":      "http://u:***/et@h",
		"see http://u:secr for x": "see http://u:*** for x",

		// No passwords.
		"http://h:80/":                 "http://h:80/",
		"http://h:80.":                 "http://h:80.",
		"http://h:/":                   "http://h:/",
		"http://[::1]/http://[::1]:80": "http://[::1]/http://[::1]:80",
		"http://2001:db8::1/":          "http://2001:db8::1/",
		"http://u@h/":                  "http://u@h/",
		"ssh://git@h:user/repo":        "ssh://git@h:user/repo",
		"mailto:u@h?subject=a:b@c":     "mailto:u@h?subject=a:b@c",
		"http://h/a:b@c":               "http://h/a:b@c",
		"news:a:b@c":                   "news:a:b@c",
		"a//b:c":                       "a//b:c",
		"":                             "",
	} {
		got := string(new(extract.Redactor).Append(nil, []byte(ref)))
		if got != want {
			t.Errorf("%s: %s, want %s", ref, got, want)
		}
	}
}

// TestRedactAllocates checks that only dst is allocated.
func TestRedactAllocates(t *testing.T) {
	ref := []byte("http://u:secret@a/?u=ftp%3A%2F%2Fu%3Asecret%40h&v=hxxp[:]//u:secret[at]h/ http://u:sec")
	dst := make([]byte, 0, 2*len(ref))
	var d extract.Redactor
	if n := testing.AllocsPerRun(100, func() { d.Append(dst, ref) }); n != 0 {
		t.Errorf("%v", n)
	}
}

func TestRedactText(t *testing.T) {
	var d extract.Redactor
	for in, want := range map[string]string{"": "", "a": "a", "ftp://me:secret@a.example/x": "ftp://me:***@a.example/x"} {
		if got := d.Text(in); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
	name := "mail/ftp://a.example/x"
	if n := testing.AllocsPerRun(10, func() { d.Text(name) }); n != 0 {
		t.Errorf("%v allocations for a text without a password", n)
	}
}

// TestRedactLinear checks that time is linear, however authorities are nested.
func TestRedactLinear(t *testing.T) {
	if raceEnabled {
		t.Skip("takes its time")
	}
	size := 1 << 17
	if long {
		size *= 2
	}
	for _, piece := range []string{`:\\`, `1:\\`, "1:%5C%5C", `1:\u0031`, "1:%2F%2F1&sol;&sol;", "&#", "&#0", "&amp;", "x:1", "@:", "1://1:", "1:&#47;%2F1:", "/", ":", "@", "//", "://", "://a", "://a:", "://:b@", "%25", "%252F%252F", "%2F%2F%252F%252F%25252F%25252F", "[", "&", "[:]//(", "://[", "://a:1", "://[a]:1", "/ //a", " www.a", "www.a:1 ", "(//a:1", `\3a`, `\72`, "=3A", "=3D", "=40", "+AEA", "+AEAA", "+", "＠", "\xe0\x80\xba", "[.]", "%u003a"} {
		text := bytes.Repeat([]byte(piece), size/len(piece))
		began := time.Now()
		new(extract.Redactor).Append(nil, append([]byte("http://"), text...))
		if d := time.Since(began); d > 5*time.Second { // it usually takes some 10 milliseconds
			t.Errorf("%q: %v", piece, d)
		}
	}
}

// TestFaultSpelled checks that error messages of every grammar contain the password in no spelling.
func TestFaultSpelled(t *testing.T) {
	for _, ref := range []string{
		"http://a/^?u=http%3A%2F%2Fu%3Asecret%40h/", "http://a/?u=http%3A%2F%2Fu%3Ase%zzcret%40h/^", "http://u:se[cret%40h/",
		"http://u:sec^ret@h/?^=http:/u:secret@h/", "http://u:se\x1b[1mcret", "http://" + strings.Repeat("x", 90) + ":secret@h/^",
	} {
		for g := range uri.Grammar(uri.Every).Each() {
			err := uri.Explain(ref, uri.Split(ref), g)
			if err == nil {
				continue
			}
			if got := extract.RedactedError(err); strings.Contains(got, "cret") || strings.Contains(got, ":se") {
				t.Errorf("%s: %s", ref, got)
			}
		}
	}
}
