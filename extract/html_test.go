package extract_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/uri"
)

const page = `<html><head><title>See http://title.example/</title>
<base href="/dir/"><base href="http://second.example/">
<link rel=stylesheet href='style.css?a=1&amp;b=2'></head>
<body background=back.png><p>Text http://text.example/a&amp;b<a href="#top">up</a>,
<a href="javascript:void(0)">no</a> <A HREF = "../x y">up</A>&lt;<a href="http://attr.example/">http://angle.example/
 goes/on</a>&gt; <!-- <a href="http://comment.example/"> -->
<img src=a.png srcset="b.png 1x, c.png 2x">http://glued.example/<a name=x href="mailto:a@b.example">mail</a>
</body></html>
`

// TestHTML reads a page and checks order, forms, the base and positions.
func TestHTML(t *testing.T) {
	x := extractor(t, extract.Options{Format: extract.HTML, Base: uri.MustParse("http://option.example/index.html")})
	const a = delimit.Attribute
	base := "http://option.example/dir/html"
	want := []row{
		{"http://title.example/", "", "", delimit.Bare, true},
		{"/dir/", "http://option.example/dir/", "http://option.example/index.htmloption", a, true},
		{"http://second.example/", "", "", a, true},
		{"style.css?a=1&b=2", "http://option.example/dir/style.css?a=1&b=2", base, a, true},
		{"back.png", "http://option.example/dir/back.png", base, a, true},
		{"http://text.example/a&b", "", "", delimit.Bare, true},
		{"#top", "", "", a, true},
		{"../x%20y", "http://option.example/x%20y", base, a, true},
		{"http://attr.example/", "", "", a, true},
		{"http://angle.example/goes/on", "", "", delimit.Angle, true},
		{"http://comment.example/", "", "", delimit.Quote, true},
		{"a.png", "http://option.example/dir/a.png", base, a, true},
		{"b.png", "http://option.example/dir/b.png", base, a, true},
		{"c.png", "http://option.example/dir/c.png", base, a, true},
		{"http://glued.example/", "", "", delimit.Bare, true},
		{"mailto:a@b.example", "", "", a, true},
	}
	for _, data := range [][]byte{[]byte(page), encode("utf-16le", page), encode("utf-8", page)} {
		for _, one := range []bool{false, true} {
			var got []row
			in := iotest.DataErrReader(bytes.NewReader(data))
			if one {
				in = iotest.OneByteReader(bytes.NewReader(data))
			}
			for r, err := range x.Read(t.Context(), "page", in) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, row{string(r.URL), string(r.Target), r.Base + r.BaseSource.String(), r.Candidate.Form, r.Valid})
				o := r.Origin
				at := strings.ReplaceAll(string(data[o.Offset:o.Offset+o.Length]), "\x00", "")
				plain := strings.NewReplacer("&amp;", "&", "\n goes", "goes", "x y", "x%20y").Replace(at)
				if plain != string(r.URL) {
					t.Errorf("%s: the bytes at its position are %q", r.URL, at)
				}
				line := 1 + bytes.Count(data[:o.Offset], []byte("\n"))
				if o.Line != int64(line) {
					t.Errorf("%s: in line %d, reported as %d", r.URL, line, o.Line)
				}
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
		}
	}
}

// TestHTMLMany reads pages with little text and more attributes than the decoder holds at a time.
func TestHTMLMany(t *testing.T) {
	skipRace(t)
	for _, between := range []string{"", "x", " ", "http://text/<b>", "&lt;http://text/"} {
		var b strings.Builder
		for i := range 5000 {
			fmt.Fprintf(&b, "<a href=%d>%s", i, between)
		}
		var orders [2][]string
		for i, r := range []*strings.Reader{strings.NewReader(b.String()), strings.NewReader(b.String())} {
			in := iotest.OneByteReader(r)
			if i == 0 {
				in = r
			}
			for r, err := range extractor(t, extract.Options{Format: extract.HTML}).Read(t.Context(), "page", in) {
				if err != nil {
					t.Fatal(err)
				}
				orders[i] = append(orders[i], string(r.URL))
			}
		}
		if d := cmp.Diff(orders[0], orders[1]); d != "" {
			t.Errorf("%q: the order depends on the reads: %s", between, d)
		}
		attrs, next := 0, 0
		for _, u := range orders[0] {
			if !strings.HasPrefix(u, "http") {
				attrs++
				if u != fmt.Sprint(next) {
					t.Fatalf("%q: attribute %s comes where %d should", between, u, next)
				}
				next++
			}
		}
		if attrs != 5000 {
			t.Errorf("%q: %d attributes", between, attrs)
		}
	}
}

// TestHTMLBreak leaves the loop at each Result in turn.
func TestHTMLBreak(t *testing.T) {
	x := extractor(t, extract.Options{Format: extract.HTML})
	for after := 1; after <= 16; after++ {
		n := 0
		for range x.Read(t.Context(), "page", strings.NewReader(page)) {
			if n++; n == after {
				break
			}
		}
		if n != after {
			t.Errorf("%d results, want %d", n, after)
		}
	}
}

// TestAttributesAgain repeats values, with and without another value between them. Each must have
// the same result as the value alone.
func TestAttributesAgain(t *testing.T) {
	values := []string{"http://a/", "http://a/x", "a b", "a c", "<a", "http://[/", "%zz", "#", "//h/%", "http://a/é"}
	x := extractor(t, extract.Options{Refused: true, Format: extract.Message})
	found := func(values ...string) (list []string) {
		var doc strings.Builder
		doc.WriteString("Content-Type: text/html\nContent-Base: http://base/\n\n")
		for _, v := range values {
			fmt.Fprintf(&doc, "<a href=\"%s\">x</a>", v)
		}
		for r, err := range x.Read(t.Context(), "x", strings.NewReader(doc.String())) {
			if err != nil {
				t.Fatal(err)
			}
			if r.Origin.Field != "" {
				continue
			}
			list = append(list, fmt.Sprintf("%q %q %q %v %v %v %v %d", r.Candidate.Text, r.URL, r.Target, r.Valid, r.Accepts, r.Parts, r.Err, r.Origin.Length))
			clear(r.URL) // the caller owns it until the next iteration
		}
		return list
	}
	alone := make(map[string]string)
	for _, v := range values {
		list := found(v)
		if len(list) != 1 {
			t.Fatalf("%q: %q", v, list)
		}
		alone[v] = list[0]
	}
	var row []string
	for i, v := range values {
		row = append(row, v, v, values[(i+3)%len(values)], v)
	}
	for i, got := range found(row...) {
		if got != alone[row[i]] {
			t.Errorf("%d: %s, want %s", i, got, alone[row[i]])
		}
	}
}
