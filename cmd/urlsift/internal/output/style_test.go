package output

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/extract"
)

// TestStyle prints lines with colours and links. In the expected lines, {…} stands for a colour and
// <…> for a link.
func TestStyle(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	readable := strings.NewReplacer("\x1b[35m", "{n ", "\x1b[32m", "{l ", "\x1b[36m", "{m ", "\x1b[31m", "{f ", "\x1b[0m", "}",
		"\x1b]8;;file://box"+filepath.ToSlash(here), "<", "\x1b]8;;\x1b\\", ">", "\x1b\\", " ")
	r := &extract.Result{URL: []byte("http://h/"), Valid: true, Origin: extract.Origin{Source: "a b%.txt", Line: 6, Column: 7, Offset: 4}}
	member := &extract.Result{URL: []byte("http://h/"), Valid: true, Origin: extract.Origin{Source: "a.tar", Member: "m", Line: 6}}
	refused := &extract.Result{URL: []byte("http://[x]/"), Err: errors.New("bad host"), Origin: r.Origin}
	stdin := &extract.Result{URL: []byte("http://h/"), Valid: true, Origin: extract.Origin{Source: "page", Line: 2}}
	secret := &extract.Result{URL: []byte("http://h/"), Valid: true, Origin: extract.Origin{Source: "http://u:p@h/x", Line: 2}}
	colors, links := Style{Color: true}, Style{Links: true, Host: "box", Stdin: "page"}
	both := links
	both.Color = true
	for _, c := range []struct {
		style Style
		place Prefix
		r     *extract.Result
		want  string
	}{
		{Style{}, WithName, r, "a b%.txt:http://h/\n"},
		{colors, 0, r, "http://h/\n"},
		{colors, WithName, r, "{n a b%.txt}{m :}http://h/\n"},
		{colors, WithName | WithLine | WithColumn | WithOffset, r, "{n a b%.txt}{m :}{l 6}{m :}{l 7}{m :}{l 4}{m :}http://h/\n"},
		{colors, WithName, member, "{n a.tar!m}{m :}http://h/\n"},
		{colors, 0, refused, "http://[x]/\t{f bad host}\n"},
		{links, 0, r, "http://h/\n"},
		{links, WithName, r, "</a%20b%25.txt a b%.txt>:http://h/\n"},
		{links, WithName | WithLine, r, "</a%20b%25.txt#6 a b%.txt:6>:http://h/\n"},
		{links, WithName | WithLine, member, "</a.tar a.tar!m:6>:http://h/\n"},
		{links, WithName | WithLine, stdin, "page:2:http://h/\n"},
		{links, WithName | WithLine, secret, "http://u:***@h/x:2:http://h/\n"},
		{both, WithLine, r, "</a%20b%25.txt#6 {l 6}>{m :}http://h/\n"},
	} {
		o := PrintOptions{Prefix: c.place, Style: c.style, Redact: c.r == secret}
		p := NewPrinter(&o, false)
		for range 2 { // the second time, the printer has already printed a link
			if got := readable.Replace(string(p.Append(nil, c.r))); got != c.want {
				t.Errorf("%+v, place %d: %q, want %q", c.style, c.place, got, c.want)
			}
		}
	}
	for _, c := range []struct {
		style        Style
		source, want string
	}{
		{Style{}, "a", "a"},
		{both, "a", "</a {n a}>"},
		{both, "-", "{n -}"},
		{links, "a\x1b", `</a%1B a\x1b>`},
	} {
		n := Names{Style: c.style, Safe: true, Passwords: Passwords{}}
		got := readable.Replace(string(n.Append(nil, c.source)))
		if got != c.want {
			t.Errorf("%+v: %q, want %q", c.style, got, c.want)
		}
	}
}
