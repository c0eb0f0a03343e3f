package delimit

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

func TestAppendWrapped(t *testing.T) {
	long := "http://h.example/" + strings.Repeat("abcdefgh/", 5) + "x-y"
	for _, c := range []struct {
		ref  string
		o    WrapOptions
		want string // "!" is in front if reading does not give the same reference
	}{
		{"http://a/", WrapOptions{}, "<http://a/>"},
		{"http://a/", WrapOptions{Prefix: true}, "<URL:http://a/>"},
		{"http://a/", WrapOptions{Form: Bare}, "http://a/"},
		{"http://a/", WrapOptions{Form: Quote}, "<http://a/>"},
		{"http://a/end.", WrapOptions{Form: Bare}, "<http://a/end.>"},
		{"http://a/(b", WrapOptions{Form: Bare}, "<http://a/(b>"},
		{"http://a/b", WrapOptions{Form: Bare, Width: 8}, "<http://a\n/b>"},
		{"../x", WrapOptions{}, "<URL:../x>"},
		{"../x", WrapOptions{Form: Bare}, "<URL:../x>"},
		{"#s", WrapOptions{}, "<URL:#s>"},
		{"foo:bar", WrapOptions{}, "<URL:foo:bar>"},
		{"xhttp://a/", WrapOptions{}, "<URL:xhttp://a/>"},
		{"mailto:a@b.c", WrapOptions{}, "<mailto:a@b.c>"},
		{"http://[::1]/", WrapOptions{}, "<http://[::1]/>"},
		{"http://[::1]", WrapOptions{}, "<http://[::1]>"},
		{"http://a/\"b\"'c'", WrapOptions{}, "<http://a/\"b\"'c'>"},
		{long, WrapOptions{Width: 30}, "<http://h.example/abcdefgh/\nabcdefgh/abcdefgh/abcdefgh/\nabcdefgh/x-y>"},
		{long, WrapOptions{Width: 30, EOL: "\r\n", Quote: "> ", Indent: 1}, "<http://h.example/abcdefgh/\r\n>  abcdefgh/abcdefgh/abcdefgh/\r\n>  abcdefgh/x-y>"},
		{long, WrapOptions{Width: 30, Quote: "# "}, "<" + long + ">"}, // a quote prefix that readers do not recognise
		{"http://a/b-c-d-e-f-g-h", WrapOptions{Width: 12}, "<http://a/\nb-c-d-e-f-g\n-h>"},
		{"http://a/------------", WrapOptions{Width: 12}, "<http://a/\n------------>"},
		{"http://a/%20%20%20%20", WrapOptions{Width: 12}, "<http://a/\n%20%20%20\n%20>"},
		{"http://a/:b", WrapOptions{Width: 11, Quote: ": "}, "<http://a/:\n: b>"},
		{"http://a/xhttp://b/", WrapOptions{Width: 11}, "<http://a/\nxhttp://b/>"},
		{"http://a/-http://b/", WrapOptions{Width: 11}, "<http://a/\n-http://b/>"},
		{"jar:http://a/x", WrapOptions{Width: 8}, "<jar:http://a\n/x>"},
		{"jar:x-y:a", WrapOptions{}, "!<URL:jar:x-y:a>"},
		{"", WrapOptions{}, "!<URL:>"},
		{"a b", WrapOptions{}, "!<a b>"},
		{"a@b", WrapOptions{}, "!<URL:a@b>"},
		{"URL:http://a/", WrapOptions{}, "!<URL:URL:http://a/>"},
		{"http://a/<b>", WrapOptions{}, "!<http://a/<b>>"},
		{strings.Repeat("a", 9000), WrapOptions{Width: 70}, "!<" + strings.Repeat("a", 9000) + ">"},
	} {
		got, ok := AppendWrapped([]byte("kept "), []byte(c.ref), c.o)
		want, not := strings.CutPrefix(c.want, "!")
		if string(got) != "kept "+want || ok == not {
			t.Errorf("%.99q %+v: %.99q, %v; want %.99q", c.ref, c.o, got[5:], ok, want)
		}
	}
}

// writtenQuotes are the quote prefixes of FuzzWrapped; the last ones are not valid.
var writtenQuotes = []string{"", "> ", ">> ", "> > ", "| ", ": ", "JB> ", ">", "  ", "\t", "# ", "// ", "-- ", "x", "<", "> | : >> "}

// FuzzWrapped writes references in random layouts. If AppendWrapped reports true, reading must give
// the same bytes. It must report true for every reference that the Scanner can find.
func FuzzWrapped(f *testing.F) {
	refs := []string{
		"http://www.example.org/a/b/c?d=e&f=g#h;i", "../x/y", "#s", "?q", "urn:isbn:0451450523", "URL:http://a/", "foo:bar", "http://a/x-y-z--", "http://a/&amp;b&lt;c",
		"http://a/%20%41%zz", "http://a/http://b/ftp://c/", "http://a/xhttp://b/yftp://c/", "http://[::1]:80/", "urn:[a]", "http://a/b[c]", "mailto:a@b.c?subject=x", "//h/p", "/", ".", "..", "./a:b",
		"news:*", "nntp:a.b/1", "x-y:z", "git+ssh://h/p", "http://a/é/b", "http://a/\"q\"", "http://a/'q'", "http://a/|b", "jar:http://a/!/b", "data:,x", "http://a/" + strings.Repeat("b/", 300), "http://a/" + strings.Repeat("b", 300),
		":a", "a:b", "12:30", "http:g", "http:\\/\\/a", "http://a/\u00adb", "gopher://h/7a%20b%09c%09+d",
	}
	for i, ref := range refs {
		f.Add(ref, uint8(i), uint8(20+i), uint8(i*3), uint8(i), uint8(i))
		f.Add(ref, uint8(i+1), uint8(3*i), uint8(i*5), uint8(2*i), uint8(i/2))
	}
	s := NewScanner(nil, Options{})
	f.Fuzz(func(t *testing.T, ref string, how, width, column, indent, quote uint8) {
		o := WrapOptions{Prefix: how&1 != 0, Width: int(width) % 120, Column: int(column) % 100, Indent: int(indent) % 12, Quote: writtenQuotes[int(quote)%len(writtenQuotes)]}
		if o.Form = Angle; how&2 != 0 {
			o.Form = Bare
		}
		if how&4 != 0 {
			o.EOL = "\r\n"
		}
		comesBack(t, s, ref, o)
	})
}

// comesBack writes ref and reads it back. It returns the result of AppendWrapped, and fails if that
// is wrong.
func comesBack(t *testing.T, s *Scanner, ref string, o WrapOptions) bool {
	t.Helper()
	o.Column = max(o.Column, len(o.Quote)+1)
	text := []byte(o.Quote + strings.Repeat(".", o.Column-len(o.Quote)-1) + " ")
	start := len(text)
	text, ok := AppendWrapped(text, []byte(ref), o)
	written := string(text[start:])
	isFound := survives(s, []byte(ref))
	if !ok {
		if isFound && !strings.ContainsAny(ref, "|\\]") && !strings.Contains(ref, "\u00ad") {
			t.Fatalf("%q is found bare, and not in brackets: %q", ref, written)
		}
		return false
	}
	for i, line := range strings.Split(written, "\n") {
		if i > 0 && (!strings.HasPrefix(line, o.Quote+strings.Repeat(" ", o.Indent)) || strings.HasPrefix(line[len(o.Quote)+o.Indent:], " ")) {
			t.Fatalf("%q: line %d of %q", ref, i, written)
		}
		if line = strings.TrimSuffix(line, "\r"); strings.HasSuffix(line, "-") && i < strings.Count(written, "\n") {
			t.Fatalf("%q: a break after a hyphen: %q", ref, written)
		}
	}
	for _, after := range []string{"", ".", "\n", " and more\n" + o.Quote + "text", ", <http://z.example/>"} {
		s.ResetBytes(append(text[:len(text):len(text)], after...))
		var c Candidate
		err := s.Next(&c)
		if err != nil || string(c.Text) != ref || c.Inner.Start < int64(start) {
			t.Fatalf("%q %+v is written %q, and read %q, %v", ref, o, text, c.Text, err)
		}
		if c.Form == Bare && (after == "" || after[0] == ' ' || after == "\n") && !isFound {
			t.Fatalf("%q is written bare, and does not survive", ref)
		}
	}
	return true
}

// TestReferencesComeBack writes each reference of the tables in many layouts.
func TestReferencesComeBack(t *testing.T) {
	file, err := os.ReadFile("../fixtures/cases/split.public.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	s := NewScanner(nil, Options{})
	refs, written := 0, 0
	for line := range bytes.Lines(file) {
		var row struct{ Ref string }
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		refs++
		all := true
		for i := range 24 {
			o := WrapOptions{Prefix: i%2 == 1, Form: []Form{Angle, Bare}[i/2%2], Width: []int{0, 20, 40, 60, 72, 8}[i/4], Column: i, Indent: i % 3, Quote: writtenQuotes[i%5]}
			all = comesBack(t, s, row.Ref, o) && all
		}
		if all {
			written++
		}
	}
	t.Logf("%d of %d references can be written", written, refs)
	if written < refs/2 {
		t.Errorf("%d of %d references can be written", written, refs)
	}
}

// TestWrittenAllocates checks that writing allocates nothing if dst is large enough, and that its
// time is linear.
func TestWrittenAllocates(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	ref := []byte("http://www.example.org/" + strings.Repeat("people/", 40) + "?a=b&c=d")
	dst := make([]byte, 0, 4*len(ref))
	s := NewScanner(nil, Options{})
	for name, f := range map[string]func(){
		"angle":    func() { AppendWrapped(dst, ref, WrapOptions{Width: 60, Quote: "> ", Indent: 2}) },
		"bare":     func() { AppendWrapped(dst, ref, WrapOptions{Form: Bare}) },
		"relative": func() { AppendWrapped(dst, ref[10:], WrapOptions{Width: 20}) },
		"survives": func() { survives(s, ref) },
	} {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
