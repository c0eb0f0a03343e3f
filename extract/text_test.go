package extract_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/uri"
)

// encode writes text in a charset, after its byte order mark.
func encode(charset, text string) []byte {
	text = "\uFEFF" + text
	var b []byte
	switch charset {
	case "utf-8":
		return []byte(text)
	case "utf-16le", "utf-16be":
		for _, u := range utf16.Encode([]rune(text)) {
			if charset == "utf-16le" {
				b = binary.LittleEndian.AppendUint16(b, u)
			} else {
				b = binary.BigEndian.AppendUint16(b, u)
			}
		}
	case "utf-32le", "utf-32be":
		for _, r := range text {
			if charset == "utf-32le" {
				b = binary.LittleEndian.AppendUint32(b, uint32(r))
			} else {
				b = binary.BigEndian.AppendUint32(b, uint32(r))
			}
		}
	}
	return b
}

// TestCharsets checks that the results are equal in each charset, and that the bytes at
// each Origin are Raw in that charset.
func TestCharsets(t *testing.T) {
	skipRace(t)
	times := 1000
	if long {
		times = 3000
	}
	text := strings.Repeat("Grüße, see „http://a.example/ü“ or\r\n<http://b.example/x\n  y> 😀 http://c/\n", times)
	for _, charset := range []string{"utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be"} {
		t.Run(charset, func(t *testing.T) {
			data := encode(charset, text)
			bom := len(encode(charset, ""))
			unit := len(encode(charset, "x")) - bom
			newline := encode(charset, "\n")[bom:]
			for _, r := range []io.Reader{
				bytes.NewReader(data), iotest.OneByteReader(bytes.NewReader(data)), bytes.NewReader(pack(t, "gzip", data)),
			} {
				n := 0
				for r, err := range extractor(t, extract.Options{}).Read(t.Context(), "data", r) {
					if err != nil {
						t.Fatal(err)
					}
					n++
					o := r.Origin
					at := data[o.Offset : o.Offset+o.Length]
					if want := encode(charset, string(r.Candidate.Raw))[bom:]; !bytes.Equal(at, want) || !o.Exact {
						t.Fatalf("%s at %d: %q; the bytes at its position are %q", r.URL, o.Offset, r.Candidate.Raw, at)
					}
					if n > 300 {
						continue // the checks below scan all text in front, which takes long
					}
					line, column := int64(1), o.Offset+1
					for i := 0; i+unit <= int(o.Offset); i += unit {
						if bytes.Equal(data[i:i+unit], newline) {
							line, column = line+1, o.Offset-int64(i+unit)+1
						}
					}
					if o.Line != line || o.Column != column {
						t.Fatalf("%s is at %d:%d, reported %d:%d", r.URL, line, column, o.Line, o.Column)
					}
				}
				if n != 3*times {
					t.Errorf("%d references, want %d", n, 3*times)
				}
			}
		})
	}
}

// TestCharsetPage checks that pages are recognised in each charset.
func TestCharsetPage(t *testing.T) {
	for _, charset := range []string{"utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be"} {
		for start, want := range map[string]string{
			"<!-- é -->\n<body>": "[x http://a.example/?b&c]",
			"<rss>":              "[x http://a.example/?b&c]",
			"é <body>":           "[http://a.example/?b&amp;c]",
			"<\u0168tml>":        "[http://a.example/?b&amp;c]", // the low byte is that of h
		} {
			data := encode(charset, start+"<a href='x'>é</a> http://a.example/?b&amp;c")
			for _, r := range []io.Reader{bytes.NewReader(data), iotest.OneByteReader(bytes.NewReader(data))} {
				var urls []string
				for r, err := range extractor(t, extract.Options{}).Read(t.Context(), "data", r) {
					must(t, err)
					urls = append(urls, string(r.URL))
				}
				if got := fmt.Sprint(urls); got != want {
					t.Errorf("%s, %q: %s, want %s", charset, start, got, want)
				}
			}
		}
	}
}

// TestUnmarked checks that UTF-16 without a byte order mark is recognised, and that data is not.
func TestUnmarked(t *testing.T) {
	const text = "see “http://a.example/é” and <http://b.example/c>\n"
	page := "<html><a href='x?a&amp;b'>" + text
	for _, c := range []struct{ data, want string }{
		{string(encode("utf-16le", text)[2:]), "10:http://a.example/%C3%A9 60:http://b.example/c"},
		{string(encode("utf-16be", text)[2:]), "10:http://a.example/%C3%A9 60:http://b.example/c"},
		{string(encode("utf-16le", strings.Repeat(text, 100))[2:]), "10:http://a.example/%C3%A9 60:http://b.example/c 110:http://a.example/%C3%A9 "},
		{string(encode("utf-16be", page)[2:]), "30:x?a&b "},
		{"h\x00t\x00t\x00p\x00\x01\x00http://a.example/ ", "10:http://a.example/"},
		{"h\x00 http://a.example/ ", "3:http://a.example/"},
		{"\x00\x00\x00http://a.example/ ", "3:http://a.example/"},
	} {
		for _, r := range []io.Reader{strings.NewReader(c.data), iotest.OneByteReader(strings.NewReader(c.data))} {
			var got []string
			for r, err := range extractor(t, extract.Options{}).Read(t.Context(), "data", r) {
				must(t, err)
				got = append(got, fmt.Sprintf("%d:%s", r.Origin.Offset, r.URL))
			}
			if s := strings.Join(got, " "); !strings.HasPrefix(s+" ", c.want) {
				t.Errorf("%.99q: %.99s, want %s", c.data, s, c.want)
			}
		}
	}
}

// TestSuffix checks that the suffix of a name decides how text is read that its first bytes leave
// open, and never against these.
func TestSuffix(t *testing.T) {
	const tag, prose = "<p><a href='x'>a</a> http://a.example/?b&amp;c", "see http://a.example/?b&amp;c [d](e)"
	const page, text, markdown = "x http://a.example/?b&c", "http://a.example/?b&amp;c", "http://a.example/?b&c e"
	for _, c := range []struct {
		name, data string
		as         extract.Format
		want       string
	}{
		{"a", tag, 0, text},
		{"a.txt", tag, 0, text},
		{"a.html", tag, 0, page},
		{"A.HTM", tag, 0, page},
		{"a.html.gz", tag, 0, page},
		{"html", tag, 0, text},
		{"a.php", tag, 0, page},
		{"a.php", "<?php $a = 1 ?>" + tag, 0, page},
		{"a.php", "<?php\n" + prose, 0, text},
		{"a.j2", prose, 0, text},
		{"a.html", prose, 0, text}, // it has no tag
		{"a.html", "{{ a }} 1 < 2 " + tag, 0, page},
		{"a.php", "{{ a }} 1 < 2 " + tag, 0, text},
		{"a.html", "From: a@b.example\nSubject: c\nTo: d@e.example\n\n" + tag, 0, text},
		{"a.html", "\x01" + tag, 0, text},
		{"a.md", prose, 0, markdown},
		{"d/a.MARKDOWN.bz2", prose, 0, markdown},
		{"a.md", "<html>" + tag, 0, page},
		{"a.md", prose, extract.Plain, text},
		{"a.md", tag, extract.HTML, page},
		{"a.txt", prose, extract.Markdown, markdown},
		{"a.html", string(encode("utf-16le", tag)), 0, page},
		{"a.md", string(encode("utf-16be", prose)), 0, markdown},
	} {
		for _, r := range []io.Reader{strings.NewReader(c.data), iotest.OneByteReader(strings.NewReader(c.data))} {
			var urls []string
			source := extract.Source{Name: c.name, Size: -1, Format: c.as, Open: func() (io.ReadCloser, error) { return io.NopCloser(r), nil }}
			for r, err := range extractor(t, extract.Options{Workers: 1}).Run(t.Context(), slices.Values([]extract.Source{source})) {
				must(t, err)
				urls = append(urls, string(r.URL))
			}
			if got := strings.Join(urls, " "); got != c.want {
				t.Errorf("%s, %q: %s, want %s", c.name, c.data, got, c.want)
			}
		}
	}
}

// TestFormatGlobs checks which globs choose the format of a source.
func TestFormatGlobs(t *testing.T) {
	var g extract.FormatGlobs
	for _, add := range []struct {
		f    extract.Format
		glob string
	}{{extract.HTML, "*.txt"}, {extract.Markdown, "doc/**"}, {extract.TeX, "b.txt"}, {extract.Roff, "none"}} {
		must(t, g.Add(add.f, add.glob))
	}
	for name, want := range map[string]string{"a.txt": "html", "./x/a.txt": "html", "b.txt": "tex", "doc/a.txt": "markdown", "doc/b.txt": "tex", "a": ""} {
		f, chosen := g.Of(name)
		if got := f.String(); chosen && got != want || chosen != (want != "") {
			t.Errorf("%s: %s %t, want %q", name, got, chosen, want)
		}
	}
	var unmatched []string
	g.Unmatched(func(glob string) { unmatched = append(unmatched, glob) })
	if got := fmt.Sprint(unmatched); got != "[none]" {
		t.Error(got)
	}
	if g.Add(extract.HTML, "a{") == nil {
		t.Error("a malformed glob is no error")
	}
}

// TestCharsetCut checks that a truncated code unit is reported, after all references.
func TestCharsetCut(t *testing.T) {
	data := encode("utf-16be", "one\nsee http://a.example/ ")
	urls, errs := read(t, extractor(t, extract.Options{}), append(data, 'x'))
	if len(urls) != 1 || fmt.Sprint(errs) != "[data:2:45: utf-16be: 1 byte left of a code unit of 2]" {
		t.Errorf("%q, errors %v", urls, errs)
	}
}

// A row has the fields of a Result that a test compares.
type row struct {
	URL, Target, Base string
	Form              delimit.Form
	Valid             bool
}

func rows(t *testing.T, opts extract.Options, text string) (out []row) {
	t.Helper()
	for r, err := range extractor(t, opts).Read(t.Context(), "data", strings.NewReader(text)) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, row{string(r.URL), string(r.Target), r.Base + r.BaseSource.String(), r.Candidate.Form, r.Valid})
	}
	return out
}

// TestCandidates checks the Results that are made from candidates.
func TestCandidates(t *testing.T) {
	base := uri.MustParse("http://base.example/a/b?q")
	const none, angle = delimit.Bare, delimit.Angle
	on := "http://base.example/a/b?qoption"
	for _, c := range []struct {
		name, text string
		opts       extract.Options
		want       []row
	}{
		{"plain", "see http://a/b, ok", extract.Options{}, []row{{"http://a/b", "", "", none, true}}},
		{"escaped", "<http://a/b^c d>", extract.Options{}, []row{{"http://a/b%5Ecd", "", "", angle, true}}},
		{"relative", "<URL:../x>", extract.Options{}, []row{{"../x", "", "", angle, true}}},
		{"resolved", "<URL:../x> http://b/", extract.Options{Base: base}, []row{{"../x", "http://base.example/x", on, angle, true}, {"http://b/", "", "", none, true}}},
		{"same document", "<URL:#top>", extract.Options{Base: base}, []row{{"#top", "", "", angle, true}}},
		{"same document, 3986", "<URL:#top>", extract.Options{Base: base, Grammar: uri.RFC3986}, []row{{"#top", "http://base.example/a/b?q#top", on, angle, true}}},
		{"excess", "<URL:../../../x>", extract.Options{Base: base, Excess: uri.Remove}, []row{{"../../../x", "http://base.example/x", on, angle, true}}},
		{"refused", "http://{host}/ http://a/", extract.Options{}, []row{{"http://a/", "", "", none, true}}},
		{"refused, reported", "http://{host}/ http://a/", extract.Options{Refused: true}, []row{{"http://{host}/", "", "", none, false}, {"http://a/", "", "", none, true}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d := cmp.Diff(c.want, rows(t, c.opts, c.text)); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestErr checks when a Result has an error.
func TestErr(t *testing.T) {
	base := uri.MustParse("http://base.example/a/b")
	for _, c := range []struct {
		text string
		opts extract.Options
		want bool
	}{
		{"http://a/", extract.Options{}, false},
		{"http://{host}/", extract.Options{Refused: true}, true},
		{"<URL:../../../x>", extract.Options{Base: base, Excess: uri.RaiseError}, true},
	} {
		for r := range extractor(t, c.opts).Read(t.Context(), "data", strings.NewReader(c.text)) {
			if _, ok := r.Err.(*uri.Error); ok != c.want {
				t.Errorf("%s: error %v", c.text, r.Err)
			}
		}
	}
}

// TestClone checks that a copy is independent.
func TestClone(t *testing.T) {
	text := []byte("http://a.example/ü <URL:x> http://b/\n")
	x := extractor(t, extract.Options{Base: uri.MustParse("http://base/")})
	var kept []extract.Result
	var want []string
	for r := range x.Read(t.Context(), "data", bytes.NewReader(slices.Concat(bytes.Repeat(text, 3)))) {
		kept = append(kept, r.Clone())
		want = append(want, fmt.Sprintf("%s %s %s %s", r.URL, r.Target, r.Candidate.Text, r.Candidate.Raw))
	}
	for i, r := range kept {
		if got := fmt.Sprintf("%s %s %s %s", r.URL, r.Target, r.Candidate.Text, r.Candidate.Raw); got != want[i] {
			t.Errorf("kept %q, was %q", got, want[i])
		}
	}
	if len(kept) != 9 {
		t.Errorf("%d results", len(kept))
	}
}

// TestReadings makes the other readings of Results that a worker has passed to the caller.
func TestReadings(t *testing.T) {
	text := "(http://a.example/b&amp;c.)\n<http://a.example/long-\n  name> and http://a.example/a-long-reference-that-goes-up-to-the-margin-of-its/\n" +
		"next/line and more text, so that the line is a long one, like those before it\n"
	get := func(workers int) (out []string) {
		x := extractor(t, extract.Options{Workers: workers, Delimit: delimit.Options{Extras: delimit.Rejoin}})
		for r := range x.Run(t.Context(), slices.Values([]extract.Source{memory("a", []byte(text)), memory("b", []byte(text))})) {
			for reading, alt := range r.Readings(nil) {
				out = append(out, reading.String()+" "+string(alt))
			}
		}
		return out
	}
	want := get(1)
	if d := cmp.Diff(want, get(2)); d != "" || len(want) < 6 {
		t.Error(want, d)
	}
}

// TestReadingsEscaped checks that readings are escaped like the URL. In 1993 an escape is "the ISO
// Latin 1 code for that character" ("Encoding prohibited characters"); later it is the octets of
// UTF-8.
func TestReadingsEscaped(t *testing.T) {
	for _, c := range []struct {
		text    string
		grammar uri.Grammar
		want    string
	}{
		{"<http://h.example/é b>", uri.URL1993, "http://h.example/%E9b space-escaped=http://h.example/%E9%20b cut-at-space=http://h.example/%E9"},
		{"<http://h.example/é b>", uri.URI2002, "http://h.example/%C3%A9b space-escaped=http://h.example/%C3%A9%20b cut-at-space=http://h.example/%C3%A9"},
		{"<http://h.example/é%E9€ b>", uri.URL1993, "http://h.example/%E9%E9%E2%82%ACb space-escaped=http://h.example/%E9%E9%E2%82%AC%20b cut-at-space=http://h.example/%E9%E9%E2%82%AC"},
		{"<http://h.example/a-\né>", uri.URL1993, "http://h.example/a-%E9 hyphen=http://h.example/a%E9"},
		{"http://h.example/é&amp;b.", uri.URL1993, "http://h.example/%E9&amp;b entity=http://h.example/%E9&b tail=http://h.example/%E9&amp;b."},
		{"<http://h.example/a b>", uri.URI2002, "http://h.example/ab space-escaped=http://h.example/a%20b cut-at-space=http://h.example/a"},
	} {
		for _, workers := range []int{1, 2} {
			x := extractor(t, extract.Options{Workers: workers, Grammar: c.grammar})
			s := []byte(c.text)
			for r, err := range x.Run(t.Context(), slices.Values([]extract.Source{memory("a", s), memory("b", s)})) {
				if err != nil {
					t.Fatal(err)
				}
				kept := r.Clone()
				for _, r := range []*extract.Result{r, &kept} {
					got := string(r.URL)
					for why, text := range r.Readings(make([]byte, 0, 200)) {
						got += " " + why.String() + "=" + string(text)
						if one := r.AppendReading([]byte("x"), why); string(one) != "x"+string(text) {
							t.Errorf("%s: AppendReading has %s, and Readings %s", why, one, text)
						}
					}
					if got != c.want {
						t.Errorf("%s, %v, %d workers: got\n%s, want\n%s", c.text, c.grammar, workers, got, c.want)
					}
				}
			}
		}
	}
}

// TestOptions checks that wrong options are errors.
func TestOptions(t *testing.T) {
	relative, err := uri.Parse("x/y", uri.URI2002)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		opts extract.Options
		want string
	}{
		{extract.Options{Format: 99}, "options: no such format"},
		{extract.Options{Parts: 99}, "options: no such kind of part"},
		{extract.Options{Charset: "klingon"}, `options: no charset is called "klingon"`},
		{extract.Options{Base: relative}, "options: base x/y has no scheme"},
		{extract.Options{Workers: -1}, "options: a negative number of workers"},
		{extract.Options{Limits: extract.Limits{Size: -1}}, "options: a negative limit"},
		{extract.Options{Delimit: delimit.Options{MaxLen: -1}}, "options: a negative limit of a reference"},
	} {
		if _, err := extract.New(c.opts); err == nil || err.Error() != c.want {
			t.Errorf("%+v: %v, want %s", c.opts, err, c.want)
		}
	}
	for f := extract.Auto; f <= extract.HTML; f++ {
		var g extract.Format
		if err := g.UnmarshalText([]byte(f.String())); err != nil || g != f {
			t.Errorf("%v reads back as %v, %v", f, g, err)
		}
	}
	for p := extract.PartKinds(1); p <= extract.AllParts; p++ {
		var q extract.PartKinds
		if err := q.UnmarshalText([]byte(p.String())); err != nil || q != p {
			t.Errorf("%v reads back as %v, %v", p, q, err)
		}
	}
	var f extract.Format
	if err := f.UnmarshalText([]byte("pdf")); err == nil {
		t.Error("pdf is a format")
	}
}

// An endless is a reader whose text has no end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	return copy(p, strings.Repeat("http://a.example/ ", 1+len(p)/18)), nil
}

// TestReadCancelled checks that Read ends when its context ends, between two references and before the
// first.
func TestReadCancelled(t *testing.T) {
	x := extractor(t, extract.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := 0
	for _, err := range x.Read(ctx, "endless", endless{}) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n == 1000 {
			cancel()
		}
		if n > 1_000_000 {
			t.Fatal("it goes on")
		}
	}
	if n < 1000 {
		t.Errorf("%d references", n)
	}
	for range x.Read(ctx, "endless", endless{}) {
		t.Fatal("a reference after the end of the context")
	}
}
