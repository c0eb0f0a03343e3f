package refs

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/uri"
)

func TestNormalize(t *testing.T) {
	for _, c := range []struct{ grammar, ref, want string }{
		{"rfc3986", "HTTP://U@WWW.EXAMPLE.ORG:80/%7e/a/../b?%2f", "http://U@www.example.org/~/b?%2F"},
		{"uri-2002", "HTTP://A:80/%7e", "http://a/~"},
		{"url-1993", "http://A/", "http://A/"},
		{"rfc3986", "", ""},
	} {
		got := ask(t, "normalize", "--grammar", c.grammar).record(t, c.ref)
		if diff := cmp.Diff(row{"ref": c.ref, "url": c.want}, got); diff != "" {
			t.Errorf("%s: %s", c.grammar, diff)
		}
	}
}

// TestRedacted checks that no output about a reference contains its password, wherever in the
// reference it is, and that offsets refer to the printed text.
func TestRedacted(t *testing.T) {
	for _, ref := range []string{
		"http://me:secret@a.example/", "http://me:secret@a.example/^", "http://me:sec^ret@a.example/", "http://me:se%zzcret@h",
		"URL:http://me:secret@a.example/", "url: http://me:secret@a.example/ ", "jar:http://me:secret@a.example/!/x",
		"//me:secret@a.example", "http://me:secret@a.example/?^=http://me:secret@b.example/^", "ftp://me:secret@a.example/x;type=I", "telnet://me:secret@a.example", "http://me:***secret***@a.example/^",
		"http://me:secret@[x]/", "http://me:secret@a.example:x/", "a:b:c:http://me:secret@h",
	} {
		for _, g := range Grammars {
			for _, args := range [][]string{{"parse"}, {"normalize"}, {"resolve", "--base", "http://me:secret@b.example/", "--grammar", g}} {
				if (g == "url-1993" || g == "url-1994") && args[0] == "resolve" {
					continue // this grammar has no passwords
				}
				j := ask(t, append(args, "--redact", "--grammar", g)...)
				a := j.Answer(ref)
				if a.offset > len(a.ref) {
					t.Errorf("%s: offset %d of %q", g, a.offset, a.ref)
				}
				for f := range output.Formats {
					j.Format = output.Format(f)
					p := Printer{Do: j.Do, Format: j.Format}
					out := p.Append(nil, j.Answer(ref))
					if bytes.Contains(out, []byte("secret")) || bytes.Contains(out, []byte("sec^ret")) || bytes.Contains(out, []byte("cret@")) {
						t.Errorf("%s: %s", g, out)
					}
				}
			}
		}
	}
}

// TestOdd checks that text that is not a reference also gets an answer, and quickly.
func TestOdd(t *testing.T) {
	much := 1 << 20
	if !long {
		much = 1 << 17
	}
	texts := []string{"", " ", "%", "\x00", "\xff\xfe", "a b", "\n", "é", "\u2028\x1b[1m"}
	for _, piece := range []string{"%", "\xff", ":", "/", "../", "@", "<", " "} {
		texts = append(texts, strings.Repeat(piece, much/len(piece)))
	}
	texts = append(texts, "http://"+strings.Repeat("a", much), "http://u:"+strings.Repeat("*", much)+"@h/",
		"wais://h/d/t/"+strings.Repeat("1=a;", much/4), "prospero://h/a"+strings.Repeat("%00a", much/4))
	for _, text := range texts {
		for _, args := range [][]string{{"parse", "--typed"}, {"parse", "--redact", "--grammar", "url-1994"}, {"normalize", "--grammar", "rfc3986"}, {"resolve", "--base", "http://a/b/"}} {
			j := ask(t, args...)
			for f := range output.Formats {
				if j.Format = output.Format(f); j.Format > output.JSONL && len(text) > 100 {
					continue
				}
				began := time.Now()
				a := j.Answer(text)
				p := Printer{Do: j.Do, Format: j.Format, Safe: true}
				out := p.Append(nil, a)
				if !bytes.HasSuffix(out, []byte("\n")) || j.Format == output.JSONL && !json.Valid(out) {
					t.Errorf("%s %.20q: %.100q", args, text, out)
				}
				if len(a.values) != len(columns[j.Do]) || a.offset > len(a.ref) {
					t.Errorf("%s %.20q: %d values, offset %d", args, text, len(a.values), a.offset)
				}
				if d := time.Since(began); d > 5*time.Second { // it takes some 20 milliseconds
					t.Errorf("%s %.20q: %v", args, text, d)
				}
			}
		}
	}
}

// TestDoor checks that the subcommands use only the functions of delimit for single references.
// Searching text is the task of extract.
func TestDoor(t *testing.T) {
	var source []byte
	for _, name := range []string{"refs.go", "answerer.go"} { // the files that import delimit
		some, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		source = append(source, some...)
	}
	for rest := string(source); ; {
		_, after, found := strings.Cut(rest, "delimit.")
		if !found {
			break
		}
		if name := after[:strings.IndexAny(after, " (.{)\n")]; !slices.Contains([]string{"Typed", "AppendWrapped", "WrapOptions", "QuotePrefix", "Bare"}, name) {
			t.Errorf("delimit.%s is used", name)
		}
		rest = after
	}
}

// TestLogin checks passwords of telnet. In the BNF of 1993 the rule is "telnet://[ user @ ]
// hostport", where user is xalphas, which may contain colons, so there is no password. In 1994 the
// rule is login, which has a password.
func TestLogin(t *testing.T) {
	for _, c := range []struct{ grammar, ref, user, password string }{
		{"url-1993", "telnet://u:p@h:23", "u:p", ""},
		{"url-1994", "telnet://u:p@h:23", "u", "p"},
		{"url-1993", "ftp://u:p@h/a", "u", "p"}, // only later documents have a user in ftp URLs
		{"uri-2002", "foo://u:p@h/a", "u", "p"},
	} {
		got := ask(t, "parse", "--grammar", c.grammar).record(t, c.ref)
		if got["user"] != c.user || got["password"] != c.password && (got["password"] != nil || c.password != "") {
			t.Errorf("%s, %s: %v and %v, want %s and %s", c.ref, c.grammar, got["user"], got["password"], c.user, c.password)
		}
	}
}

// TestBuildLatin1 checks escapes by the grammar of 1993, where an escape is "the ISO Latin 1 code
// for that character". A character without such a code is an error.
func TestBuildLatin1(t *testing.T) {
	for _, c := range []struct {
		grammar uri.Grammar
		path    string
		want    string // the reference, or a part of the error
	}{
		{uri.URL1993, "é", "http://h/%E9"},
		{uri.URL1993, "€é", "path: '€' is not in ISO Latin 1"},
		{uri.URL1993, "é\xff", "http://h/%C3%A9%FF"}, // octets
		{uri.URL1994, "€é", "http://h/%E2%82%AC%C3%A9"},
		{uri.URL1993 | uri.URL1994, "é", "http://h/%C3%A9"},
	} {
		got := ""
		if j, err := New(Options{Do: Build, Grammar: c.grammar, Refs: []string{"http", "host=h", "path=" + c.path}}); err != nil {
			got = err.Error()
		} else {
			got = j.Refs[0]
		}
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%q, %v: %s, want %s", c.path, c.grammar, got, c.want)
		}
	}
}
