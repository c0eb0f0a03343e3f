package markdown_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/decodetest"
	"github.com/urlsift/urlsift/extract/internal/decode/html"
	"github.com/urlsift/urlsift/extract/internal/decode/markdown"
)

func TestMarkdown(t *testing.T) {
	for _, c := range []struct{ raw, html string }{
		{"", ""},
		{"a [b](c) d", `a [b<a href="c">) d`},
		{"![b]( <c d> 'e' )", `![b<a href="c d"> 'e' )`},
		{"[a](b\\_c&amp;d&e\"f(g)\\))", `[a<a href="b_c&amp;d&amp;e&quot;f(g))">)`},
		{"[a]:\n  <b>\n  'c'\nd", "[a]:<a href=\"b\">\n  'c'\nd"},
		{"[a]: b c", "[a]: b c"},
		{"[^a]: b", "[^a]: b"},
		{"text\n[a]: b", "text\n[a]: b"},
		{"> - [a]: b", `> - [a]:<a href="b">`},
		{"`[a](b)<c>&`", "`[a](b)&lt;c>&amp;`"},
		{"`[a](b)", "`[a<a href=\"b\">)"},
		{"`a\n\n[b](c)`", "`a\n\n[b<a href=\"c\">)`"},
		{"``` x\n[a](b)&\n```\n[a](b)", "``` x\n[a](b)&amp;\n```\n[a<a href=\"b\">)"},
		{"    [a](b)\n[a](b)", "    [a](b)\n[a<a href=\"b\">)"},
		{"- a\n\n    [a](b)", "- a\n\n    [a<a href=\"b\">)"},
		{"\\[a](b) [a\\](b) \\<b>", "\\[a](b) [a\\](b) \\&lt;b>"},
		{"[a [b](c)](d) [![e](f)](g)", `[a [b<a href="c">)](d) [![e<a href="f">)<a href="g">)`},
		{"[a\n\nb](c)", "[a\n\nb](c)"},
		{"[a]() [a](b c) [a](b 'c' d)", "[a]() [a](b c) [a](b 'c' d)"},
		{"<http://a/[b](c)> <b [c](d)> <d e=\"[f](g)\">", "<http://a/[b](c)> &lt;b [c<a href=\"d\">)> <d e=\"[f](g)\">"},
		{"<!-- [a](b)\n\n[a](b) --> [a](b)", "<!-- [a](b)\n\n[a](b) --> [a<a href=\"b\">)"},
		{"<div>\n[a](b)\n\n[a](b)", "<div>\n[a](b)\n\n[a<a href=\"b\">)"},
		{"<pre>\n\n[a](b)</PRE> [a](b)", "<pre>\n\n[a](b)</PRE> [a<a href=\"b\">)"},
	} {
		if got := decodetest.EveryWay(t, []byte(c.raw), markdown.New()); got.Text != c.html {
			t.Errorf("%q:\n got %q\nwant %q", c.raw, got.Text, c.html)
		}
	}
}

// TestPlaces checks where the targets of a text stand, through both decoders.
func TestPlaces(t *testing.T) {
	const in = "é [a](<b c> 'd') ![e](f\\_g)\n\n[h]: i\n"
	var chain decode.Chain
	var got []string
	chain.Reset(strings.NewReader(in), 0)
	chain.PushDecoder(markdown.New())
	chain.PushDecoder(html.New(func(a decode.Attr) error {
		lo, hi, exact := chain.SpanBelow(a.Start, a.End)
		if got = append(got, in[lo:hi]); !exact {
			t.Errorf("%s at [%d:%d] is not exact", a.Value, lo, hi)
		}
		return nil
	}))
	if _, err := io.ReadAll(&chain); err != nil || strings.Join(got, " ") != `b c f\_g i` {
		t.Errorf("%q %v", got, err)
	}
}

// TestLinear checks that texts whose ends are looked for far ahead take linear time.
func TestLinear(t *testing.T) {
	for name, s := range map[string]string{
		"brackets": "[", "links": "[a](", "images": "![](", "backticks": "`a``b```c````d", "tags": "<a b='", "definitions": "[a]:\n", "quotes": "> ", "titles": "[a](b \"", "escapes": "\\", "nested": "[a](b(", "raw": "<!--", "closers": "](b)",
	} {
		decodetest.Linear(t, name, "|"+s, markdown.New())
	}
}

func FuzzMarkdown(f *testing.F) {
	for _, seed := range []string{
		"[a](<b c> 'd')\n\n[e]:\n  f\n  \"g\"\n```\n<h>\n```\n", "- a\n\n    [b](c)\n\n        d & e\n> ~~~\n> f\n", "<!-- a\n\n--> <b c='d'> <e:f> `g``h`",
		"![[a](b)](c\\(d) \\` &amp; <pre>\n[e](f)\n</pre>\n",
	} {
		f.Add([]byte(seed), 1, 1)
	}
	f.Fuzz(func(t *testing.T, raw []byte, in, out int) {
		in, out = 1+(in&0x3F), decode.MinRoom+(out&0x3F)
		want := decodetest.Observe(bytes.NewReader(raw), markdown.New(), 1<<16)
		got := decodetest.Observe(&decodetest.Chunks{B: raw, N: in}, markdown.New(), out)
		if err := got.Equal(want); err != nil {
			t.Fatalf("%q: %v", raw, err)
		}
		decodetest.CheckOrder(t, decodetest.Observe(strings.NewReader(strings.ToValidUTF8(string(raw), "?")), markdown.New(), 1<<16), len(strings.ToValidUTF8(string(raw), "?")))
	})
}
