package tex

import (
	"strings"
	"testing"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/decodetest"
)

// sinking is a Decoder whose sink decodetest can set.
type sinking struct{ Decoder }

func (s *sinking) SetSink(f func(decode.Attr) error) { s.Sink = f }

// pieces has TeX source, with its text and references.
var pieces = []struct{ raw, text, refs string }{
	{`a\&b\#c\_d\%e\$f`, "a&b#c_d%e$f", ""},
	{`http://a/\~{}u http://a/\~u http://a/\textasciitilde u \textasciitilde{}v`, "http://a/~u http://a/~u http://a/~u ~v", ""},
	{`a\-b\/c\,d\\e`, "abc d e", ""},
	{`\emph{a} \'e \"o`, `\emph{a} \'e \"o`, ""},
	{`x \url{http://a/b_c%d}, y`, "x  , y", "http://a/b_c%d"},
	{`\url{http://a/\~{}u\#s\_t\%20}`, " ", "http://a/~u#s_t%20"},
	{"\\url{ http://a/b\n  c%\n d}", " ", "http://a/bcd"},
	{`\url{http://a/{\textasciitilde}u/{x}}`, " ", "http://a/~u/{x}"},
	{`\href{http://a/(b).}{text\_x}`, " {text_x}", "http://a/(b)."},
	{`\href[pdfnewwindow=true]{http://a/}{x}`, " {x}", "http://a/"},
	{`\path{/usr/bin} \path{std:x} \path{http://a/b}`, `\path{/usr/bin} \path{std:x}  `, "http://a/b"},
	{`\url{www.example.org} \urlstyle{same} \url`, `\url{www.example.org} \urlstyle{same} \url`, ""},
	{"  url = {http://a/b\\_c},\n", "  url =,\n", "http://a/b_c"},
	{"  URL = \"http://a/b.\",\n", "  URL =,\n", "http://a/b."},
	{"url={{http://a/}}", "url=", "http://a/"},
	{"howpublished = {\\url{http://a/}},", "howpublished = { },", "http://a/"},
	{"howpublished = {http://a/ and http://b/},", "howpublished = {http://a/ and http://b/},", ""},
	{"url = {\n http://a/\n},", "url =,", "http://a/"},
	{"pdfurl={xy:z} my-url={xy:z} curl={xy:z} note={xy:z}", "pdfurl={xy:z} my-url={xy:z} curl={xy:z} note={xy:z}", ""},
	{"\\url{http://a/\n\n}", "\\url{http://a/\n\n}", ""},
	{`\url{http://a/ \url{http://b/}`, `\url{http://a/  `, "http://b/"},
	{`\url{{{{{http://a/}}}}}`, `\url{{{{{http://a/}}}}}`, ""},
	{`\`, `\`, ""}, {`\url{`, `\url{`, ""}, {"url=", "url=", ""}, {`\href[x`, `\href[x`, ""}, {`\textasciitilde`, "~", ""},
	{strings.Repeat("url", 40) + "=1 url \t\n = {http://a/}", strings.Repeat("url", 40) + "=1 url \t\n =", "http://a/"},
}

func TestPieces(t *testing.T) {
	for _, p := range pieces {
		got := decodetest.EveryWay(t, []byte(p.raw), new(sinking))
		refs := strings.Join(got.Vals, " ")
		if got.Text != p.text || refs != p.refs {
			t.Errorf("%q:\n got %q and %q\nwant %q and %q", p.raw, got.Text, refs, p.text, p.refs)
		}
		for i, s := range got.Spans {
			if back := appendValue(nil, []byte(p.raw[s[0]:s[1]])); string(back) != got.Vals[i] {
				t.Errorf("%q: %q stands at %v", p.raw, got.Vals[i], s)
			}
		}
	}
}

func TestSniff(t *testing.T) {
	decodetest.CheckSniff(t, map[string]bool{
		"\\documentclass{article}\n": true, "% comment\n\n\\documentclass[a4paper]{book}\n": true, "\\begin{document}\n": true,
		"\\input macros\n": true, "\\input{x}\n": true, "\\input texinfo @c\n": false, "\\inputx\n": false,
		"@article{key,\n": true, "@Book (key,\n": true, "@comment{x}\n": true, "% Encoding: UTF8\n\n@InProceedings{k,\n": true,
		"@media {\n": false, "@import \"x\";\n": false, "@node Top\n": false, "@misc\n": false,
		"\\def\\a{b}\n\\section{X}\n": true, "\\def\\a{b}\n": false, "%!PS-Adobe\n/a { b } def\n": false,
		"text \\begin{x}\n": false, "\\\\ x\n": false, "": false, "% only\n": false,
	}, Sniff)
}

func TestLinear(t *testing.T) {
	for name, s := range map[string]string{
		"backslashes": "\\", "commands": "\\x", "arguments": "\\url{", "arguments with text": "\\href{http://a/", "fields": "url={",
		"fields with text": "url={a", "open quotes": "url=\"x", "braces": "\\url{{", "long name": "\\|x", "equals": "=", "blanks": "url|  ",
		"values": "\\url{http://a/}", "an argument without an end": "\\url{|x ",
	} {
		decodetest.Linear(t, name, s, &Decoder{Sink: func(decode.Attr) error { return nil }})
	}
}

func FuzzTeX(f *testing.F) {
	for _, p := range pieces {
		f.Add([]byte(p.raw), 1, 1)
	}
	f.Fuzz(func(t *testing.T, raw []byte, in, out int) {
		decodetest.CheckValues(t, raw, in, out, new(sinking))
	})
}

func BenchmarkTeX(b *testing.B) {
	raw := []byte(strings.Repeat("The \\emph{quick} brown\\_fox jumps over the lazy dog~\\cite{dog}, and\nsays so on \\url{http://www.example.org/animals?fox=1}.\n\n  url = {http://www.example.org/},\n", 5000))
	decodetest.Benchmark(b, raw, &Decoder{Sink: func(decode.Attr) error { return nil }})
}
