package html

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/decodetest"
)

var pages = []struct {
	html, text string
	attrs      []string
}{
	{"", "", nil},
	{"plain text", "plain text", nil},
	{`<a href="x">http://a/</a>. Next`, " http://a/ . Next", []string{`a href "x"`}},
	{`&lt;<A HREF="http://a/">http://a/</A>&gt;`, "< http://a/ >", []string{`a href "http://a/"`}},
	{"http://a/<b>x</b>/<wbr>y", "http://a/x/y", nil},
	{"a<br>b<br/>c<p>d", "a\nb\nc\nd", nil},
	{"<tr><td>a</td><th>b</th>", "\n\x1fa\x1f\x1fb\x1f", nil},
	{"a &amp; b &#38; c &#x26; d&nbsp;e &copy;", "a & b & c & d\u00a0e \u00a9", nil},
	{"?x=1&copy=2&lt=3&ampx &amp", "?x=1&copy=2&lt=3&ampx &", nil},
	{"&copy 1 &nosuch; &; & && &# &#x; &#0; &#x110000; &#xD800; &#150;", "\u00a9 1 &nosuch; &; & && &# &#x; \ufffd \ufffd \ufffd \u2013", nil},
	{"&#00000000000000000000000000038; &#000000000000000000000000000000000000038;", "& &#000000000000000000000000000000000000038;", nil},
	{"&notit; &semi; &fjlig; &NotSubset; &CounterClockwiseContourIntegral;", "&notit; ; fj \u2282\u20d2 \u2233", nil},
	{"a < b <3 << <", "a < b <3 << <", nil},
	{"<http://a/b> <URL:x> <mailto:a@b> <a@b.c> <o:p>x</o:p> <ftp://", "<http://a/b> <URL:x> <mailto:a@b> <a@b.c>  x  <ftp://", nil},
	{"x<!-- http://a/ -->y<!-->z<!--->u<!--a--!>v<!-- - -- --- <b> ", "x\n http://a/ \ny\nz\nu\na\nv\n - -- --- <b> ", nil},
	{"<d><![CDATA[<a href='/x?a&amp;b'>y</a> &amp; http://b/]]></d><![CDATA <e>", " \n y  & http://b/]]> \n[CDATA <e\n", []string{`a href "/x?a&b"`}},
	{"<!DOCTYPE html PUBLIC \"http://d/\"><?xml a?>t", "\n\nxml a?\nt", nil},
	{"<!doctype html PUBLIC \"[http://d/\" 'x'>t<!doctyp x>", "\nt\ndoctyp x\n", nil},
	{"<!DOCTYPE a \"[\" [<!ENTITY b SYSTEM \"http://e/\">]>t", "\n<!ENTITY b SYSTEM \"http://e/\"\n]>t", nil},
	{"<!DOCTYPE \"http://d/>t", "\nt", nil},
	{"<!DOCTYPE x http://d/ <p>t", "\n\nt", nil},
	{"<!DOCTYPE " + strings.Repeat("x", maxDoctype) + "http://d/ ", "\nxxxxxxxxxxhttp://d/ ", nil},
	{"<p xmlns=\"http://n/\" xmlns:a='http://n/' xmlnsx=\"http://n/\">t", "\n\n\nhttp://n/\n\nt", nil},
	{"<script>if (a<b) x='</p>&amp;'</script >t", "\nif (a<b) x='</p>&amp;'\nt", nil},
	{"<script src=s.js /><b>t</scriptx>", "\nt ", []string{`script src "s.js"`}},
	{"<title>a <b> &amp; </TITLE>t", "\na <b> & \nt", nil},
	{"<plaintext><b></plaintext>", "\n<b></plaintext>", nil},
	{"<style>a{b:url(c)}</style><p style=\"background: URL( 'x y' ) url(&quot;z&quot;)\">", "\na{b:url(c)}\n\n", []string{`p style "x y"`, `p style "z"`}},
	{"<img alt='a &amp; http://b/' class=\"http://c/\" src = \n x width=1>", " \n\na & http://b/\n\n", []string{`img src "x"`}},
	{"&lt;mailto:<a x-do-not='true' y=\"\" z=a.b>b</a>&gt;", "<mailto: \n\na.b\n\nb >", nil},
	{"<img title=http://b/ data-x=\"\"src=a>", " \n\nhttp://b/\n\n", []string{`img src "a"`}},
	{"<a href=' a\n b&amp;c&#32;&gt;\t'>x<a href><a href=><a href='  '>", " x   ", []string{`a href "a b&c >"`, `a href ""`}},
	{"<form action=\"\"><img src=''><base href=''><a class='' ping='' href=>", "\n \n ", []string{`form action ""`, `img src ""`}},
	{"<img srcset=\"a.png 1x, b,c 2x (d,e) , data:x,, f,\">", " ", []string{
		`img srcset "a.png"`, `img srcset "b,c"`, `img srcset "data:x"`, `img srcset "f"`}},
	{"<img srcset='a&amp;b 1x, c&#32;1x, d'>", " ", []string{`img srcset "a&b"`, `img srcset "c"`, `img srcset "d"`}},
	{"<meta http-equiv=refresh content=\"5; URL='u&amp;v'\"><meta content='5; http://a/'>", "\n\n\n\n5; http://a/\n\n",
		[]string{`meta content "u&v"`}},
	{"<meta content=0;url=x><meta content=url.><a ping=\" p  q \"><object data=d><p data=e.e archive=f,g>", "\n\n\n\nurl.\n\n  \n\n\ne.e\n\n",
		[]string{`meta content "x"`, `a ping "p"`, `a ping "q"`, `object data "d"`, `p archive "f"`, `p archive "g"`}},
	{"<base href=http://b/ ><image xlink:href='i'/><x y=z.z></x y=z.z>", "\n  \n\nz.z\n\n ",
		[]string{`base href "http://b/"`, `image xlink:href "i"`}},
	{"t<a href='unclosed", "t ", []string{`a href "unclosed"`}},
	{"t<a", "t<a", nil},
	{"t<a ", "t ", nil},
	{"t<", "t<", nil},
	{"t</", "t</", nil},
	{"t</ x </>", "t</ x </>", nil},
	{"t<!-", "t\n-", nil},
	{"<a/href=x/y>z<a \"b\"='c.c'd>e<a b=\"c.c\"\"=d.d>", " z \n\nc.c\n\ne \n\nc.c\n\n\n\nd.d\n\n", []string{`a href "x/y"`}},
	{"\xff\x00<\x00b>&\xff;\xe2\x80", "\xff\x00<\x00b>&\xff;\xe2\x80", nil},
	{"<averyveryveryveryverylongnameforatag avery-very-very-very-very-long-attribute=v.v>x", " \n\nv.v\n\nx", nil},
}

func TestHTML(t *testing.T) {
	h := New(nil)
	for _, p := range pages {
		got := decodetest.EveryWay(t, []byte(p.html), sinking{h})
		if got.Text != p.text || !slices.Equal(got.Attrs, p.attrs) || got.Err != "" {
			t.Errorf("%q\n got %q %q %s\nwant %q %q", p.html, got.Text, got.Attrs, got.Err, p.text, p.attrs)
		}
		checkHTML(t, []byte(p.html), got)
	}
}

// TestXML checks that in XML any attribute may contain a reference.
func TestXML(t *testing.T) {
	const raw = "<r Type='http://a/' class=b id='x.y'/>"
	for _, c := range []struct {
		xml  bool
		want string
	}{{false, " "}, {true, " \n\nhttp://a/\n\n\n\nx.y\n\n"}} {
		h := New(nil)
		h.XML = c.xml
		if got := observeHTML(strings.NewReader(raw), h, 100); got.Text != c.want {
			t.Errorf("%v: got %q, want %q", c.xml, got.Text, c.want)
		}
	}
}

// TestHTMLLiteral reads long runs of text that looks like an end tag or a character reference, but
// is none.
func TestHTMLLiteral(t *testing.T) {
	for _, c := range []struct{ raw, text string }{
		{"&am&am&amp;&am", "&am&am&&am"},
		{"&am;&copy=&copy &notit;&#x&#65;", "&am;&copy=\u00a9 &notit;&#xA"},
		{"&" + strings.Repeat("a", 40) + "&lt;", "&" + strings.Repeat("a", 40) + "<"},
		{"<!--<!--<!---->a", "\n<!--<!--\na"},
		{"<!-- - -- --- --! --x->--->a", "\n - -- --- --! --x->-\na"},
		{"<!-- --!-->a", "\n --!\na"},
		{"<!--" + strings.Repeat("-", 40) + "!" + strings.Repeat("-", 40) + ">a", "\n" + strings.Repeat("-", 40) + "!" + strings.Repeat("-", 38) + "\na"},
	} {
		if got := decodetest.EveryWay(t, []byte(c.raw), sinking{New(nil)}); got.Text != c.text {
			t.Errorf("%q: %q, want %q", c.raw, got.Text, c.text)
		}
	}
}

// TestHTMLYield has a sink that asks to yield after every value. Read must return after each value.
// Values and text must be the same as without yielding, for all sizes of Reads.
func TestHTMLYield(t *testing.T) {
	for _, page := range []string{
		`<a href="http://a/">x</a><a href=y>z<img srcset="a.png 1x, b.png (1,2) 2x, c.png,d.png">`,
		`<body archive="a b  c" ping=" p q "><p style="background:url(u&amp;v) url('w')">text`,
		`<object archive="a,b, c"><meta http-equiv=refresh content="5; url=x&amp;y"><a href=`,
		`<img srcset="a&amp;1, b&amp;2, c&amp;3"><img srcset="">`,
	} {
		read := func(yield bool, room int) (got []string) {
			var values []decode.Attr
			h := New(nil)
			h.Sink = func(a decode.Attr) error {
				values = append(values, a)
				got = append(got, fmt.Sprintf("%s %s %q %d-%d", a.Tag, a.Name, a.Value, a.Start, a.End))
				if yield {
					return decode.ErrYield
				}
				return nil
			}
			s := decode.NewLink(strings.NewReader(page), h)
			text := ""
			for p := make([]byte, room); ; {
				values = values[:0]
				n, err := s.Read(p)
				if yield && len(values) > 1 {
					t.Errorf("%s: %d values in a Read", page, len(values))
				}
				text += string(p[:n])
				if err != nil {
					return append(got, text)
				}
			}
		}
		want := read(false, 4096)
		if len(want) < 3 && !strings.Contains(page, "srcset=\"\"") {
			t.Errorf("%s: %q", page, want)
		}
		for _, room := range []int{1, 16, 4096} {
			if got := read(true, room); !slices.Equal(got, want) {
				t.Errorf("%s, room %d:\n%q, want\n%q", page, room, got, want)
			}
		}
	}
}

// A sinking is a Decoder whose sink is set by [observe].
type sinking struct{ *Decoder }

func (s sinking) SetSink(sink func(decode.Attr) error) { s.Sink = sink }

// observeHTML calls observe, and also records the values in the sink.
func observeHTML(r io.Reader, h *Decoder, size int) decodetest.Reading {
	return decodetest.Observe(r, sinking{h}, size)
}
