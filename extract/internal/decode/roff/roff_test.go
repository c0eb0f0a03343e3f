package roff

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/decodetest"
)

// sinking is a Decoder whose sink decodetest can set.
type sinking struct{ Decoder }

func (s *sinking) SetSink(f func(decode.Attr) error) { s.Sink = f }

// pages has lines of manual pages, with their text and references.
var pages = []struct{ raw, text, refs string }{
	{"a\\-b", "a-b", ""},
	{"http:/\\:/\\:a\\&.b/\\%c\\/d\\,e\\)f", "http://a.b/cdef", ""},
	{"\\fBa\\fP \\f(CWb\\fR \\f[B]c\\f[] \\s-1d\\s0 \\s+2e \\s12f\\s[7]g\\s(10h\\s5h\\m[red]i\\m[]", "a b c d e fghhi", ""},
	{"\\e \\\\ \\(rs \\[rs]", `\ \ \ \`, ""},
	{"\\(aq\\(dq\\(ti\\(ha\\[aq]\\[dq]\\[ti]\\[ha]\\(ga", "'\"~^'\"~^`", ""},
	{"a\\~b\\ c\\0d", "a b c d", ""},
	{"a\\\nb\n", "ab\n", ""},
	{"\\[u00E9]\\N'65'\\C'aq'\\(zz", "éA'\ufffd", ""},
	{"\\*(L\"a\\*(R\" \\*(Xx \\n(xy \\*[z] \\*X", "\"a\"        ", ""},
	{"\\h'1i'a\\v'-1'\\w'x'b\\h'open\n", "ab'open\n", ""},
	{"\\féa\\*éb\\(éàc\\hé1éd\\(aée\\(é", "a b\ufffdcd\ufffde\ufffd", ""}, // names of escapes, and their delimiters, are characters, not bytes
	{"\\x", "", ""},
	{".UR http://a/\\-b\ntext\n.UE .\n", "\ntext\n.UE .\n", "UR http://a/-b"},
	{"x\n.UR \"http://a/ b\" c\n", "x\n c\n", "UR http://a/ b"},
	{"'\\\" t\n.Lk http://a/ name\n", "'  t\n name\n", "Lk http://a/"},
	{".MT a@b.c\n.Mt mailto:a@b.c\n", ".MT a@b.c\n\n", "Mt mailto:a@b.c"},
	{". UR http://a/\\\" comment\n", "  comment\n", "UR http://a/"},
	{".UR\n.UR \n.URL x\n.U", ".UR\n.UR \n.URL x\n.U", ""},
	{".BR http://a/\\-b ,\n", ".BR http://a/-b ,\n", ""},
	{"\\", "\\", ""}, {"\\f", "", ""}, {"\\f(", "", ""}, {"\\[", "\ufffd", ""}, {"\\(", "\ufffd", ""}, {"\\s", "", ""}, {"\\h", "", ""}, {"\\N'", "'", ""},
}

func TestPages(t *testing.T) {
	for _, p := range pages {
		got := decodetest.EveryWay(t, []byte(p.raw), new(sinking))
		refs := ""
		for i, s := range got.Spans {
			name := strings.Fields(got.Attrs[i])[0]
			refs += strings.Trim(name, "\"") + " " + got.Vals[i]
			var back []byte
			if back = appendText(back, []byte(p.raw[s[0]:s[1]])); string(back) != got.Vals[i] {
				t.Errorf("%q: %q stands at %v", p.raw, got.Vals[i], s)
			}
		}
		if got.Text != p.text || strings.ReplaceAll(refs, `\"`, "") != p.refs {
			t.Errorf("%q:\n got %q and %q\nwant %q and %q", p.raw, got.Text, refs, p.text, p.refs)
		}
	}
}

// TestGroff compares the references in random pages with those in the output of groff.
func TestGroff(t *testing.T) {
	if _, err := exec.LookPath("groff"); err != nil {
		t.Skip("groff is not installed: escapes are compared with tables made by hand alone")
	}
	var page strings.Builder
	page.WriteString(".TH A 1\n.SH B\n")
	for i, p := range []string{`\-`, `\&.`, `\:/`, `\(ti`, `\(aq`, `\(ha`, `\fBx\fP`, `\f(CWx\f[]`, `\s-1x\s0`, `\%x`, `\/x`, `\[ti]`, `\[aq]`} {
		fmt.Fprintf(&page, "x\n.br\nhttp://h%d.example/a%sb\n.br\n", i, p)
	}
	cmd := exec.Command("groff", "-Tutf8", "-man", "-P-c", "-P-b", "-P-u")
	cmd.Stdin = strings.NewReader(page.String())
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("groff: %v", err)
	}
	got := decodetest.Observe(strings.NewReader(page.String()), new(sinking), 1<<16)
	urls := func(s string) (u []string) {
		for _, f := range strings.Fields(s) {
			if strings.HasPrefix(f, "http://") {
				u = append(u, f)
			}
		}
		return u
	}
	want := urls(string(out))
	if fmt.Sprint(urls(got.Text)) != fmt.Sprint(want) || len(want) == 0 {
		t.Errorf("got  %q\nwant %q", urls(got.Text), want)
	}
}

func TestSniff(t *testing.T) {
	decodetest.CheckSniff(t, map[string]bool{
		".\\\" comment\n": true, "'\\\" t\n.TH A 1\n": true, ".TH A 1\n": true, ".Dd May\n": true, "\n\n.SH NAME\n": true,
		".de Sp\n.if t .sp\n..\n.SH NAME\n": true, ".so man1/a.1\n": false, "... and so on\n.SH NAME\n": false,
		"text\n.TH A 1\n": false, ".5 percent\n": false, "'quoted' text\n.SH X\n": false, "": false, ".gitignore\n": false, ".THX\n": false,
	}, Sniff)
}

func TestLinear(t *testing.T) {
	for name, s := range map[string]string{
		"backslashes": "\\", "nothing": "\\&", "glyphs": "\\(aq", "open names": "\\[", "open names with text": "\\[xxxx ",
		"marks": "\\h'", "macros": ".UR \\-\n", "an endless macro": ".UR |x", "blanks": ".    |   ", "dots": ".\n", "values": ".UR http://a/\n",
	} {
		d := &Decoder{Sink: func(decode.Attr) error { return nil }}
		decodetest.Linear(t, name, s, d)
	}
}

func FuzzRoff(f *testing.F) {
	for _, p := range pages {
		f.Add([]byte(p.raw), 1, 1)
	}
	f.Fuzz(func(t *testing.T, raw []byte, in, out int) {
		decodetest.CheckValues(t, raw, in, out, new(sinking))
	})
}

func BenchmarkRoff(b *testing.B) {
	raw := []byte(strings.Repeat(".PP\nThe \\fBquick\\fP brown\\-fox jumps over the lazy dog, and\n.BR fox (1)\nsays so.\n.UR http://www.example.org/animals?fox=1\nmore\n.UE\n", 5000))
	decodetest.Benchmark(b, raw, &Decoder{Sink: func(decode.Attr) error { return nil }})
}
