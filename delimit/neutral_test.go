package delimit

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// cut scans text in two parts, cut at at, and returns the candidates of both as if they were those of the whole.
func cut(t *testing.T, text string, at int, opts Options) []slowCandidate {
	t.Helper()
	front, back := scan(t, strings.NewReader(text[:at]), opts), scan(t, strings.NewReader(text[at:]), opts)
	for i := range back {
		b := &back[i]
		b.Line += int64(strings.Count(text[:at], "\n"))
		b.Inner.Start, b.Inner.End = b.Inner.Start+int64(at), b.Inner.End+int64(at)
		b.Outer.Start, b.Outer.End = b.Outer.Start+int64(at), b.Outer.End+int64(at)
	}
	return slices.Concat(front, back)
}

// checkNeutral compares, at each neutral place of text, scanning in two parts with scanning in one.
// It returns how many lines text has, and how many of them begin at a neutral place.
func checkNeutral(t *testing.T, text string, opts Options) (lines, neutral int) {
	t.Helper()
	want := scan(t, strings.NewReader(text), opts)
	for at := 1; at < len(text); at++ {
		if text[at-1] != '\n' {
			continue
		}
		lines++
		if !opts.Neutral([]byte(text), at, true) {
			continue
		}
		neutral++
		if d := differ(cut(t, text, at, opts), want); d != "" {
			t.Errorf("%q\ncut at %d: %q\n%s", text, at, text[at:], d)
			return lines, neutral
		}
		if len(text)-at < NeutralAfter && opts.Neutral([]byte(text), at, false) && !opts.Neutral([]byte(text+"x"), at, true) {
			t.Errorf("%q: %d is neutral without its end, and not with another one", text, at)
		}
	}
	return lines, neutral
}

// neutralOptions are the options that matter across lines.
var neutralOptions = []Options{
	{}, {MaxLen: 300, MaxBreaks: 3}, {Extras: Abbreviated | Address}, {Extras: Defanged | Abbreviated | Address}, {Extras: Rejoin}, {Malformed: true}, {Article: true},
	{Extras: Abbreviated | Defanged | Rejoin | Address, Malformed: true},
}

// TestNeutralPlaces cuts lines that look alike to one who cuts, with the place that is asked for at "^".
func TestNeutralPlaces(t *testing.T) {
	for _, c := range []struct {
		text string
		want bool
		opts Options
	}{
		{text: "a\n^b\n", want: true},
		{text: "see http://a.example/\n^and http://b.example/\n", want: true},
		{text: "see <http://a.example/\n^b> c\n"},
		{text: "see <http://a.example/\n\n^b> c\n", want: true},
		{text: "see <http://a.example/>\n^b> c\n", want: true},
		{text: "see <\n^http://a.example/>\n"},
		{text: "> see <http://a.example/\n^> b> c\n"},
		{text: "> see <http://a.example/\n^>> b> c\n", want: true},
		{text: "\"http://a.example/b\n^c\"\n"},
		{text: "\"http://a.example/b d\n^c\"\n", want: true},
		{text: "\"GET / HTTP/1.0\" 200 \"http://a.example/\" \"x\"\n^127.0.0.1 - - \"GET /\"\n", want: true},
		{text: "{\"url\":\"http://a.example/\",\"ok\":true}\n^{\"url\":\"http://b.example/\"}\n", want: true},
		{text: "x \"\n^INFO:root:y z \"x\"\n", want: true},
		{text: "x \"\n^URL: http://a.example/b\nc\"\n"},
		{text: "http://a.example/\u4e2d\n^http://b.example/\u4e2d\n"},
		{text: "http://a.example/\nhttp://a.example/\u4e2d\n^http://b.example/\u4e2d\nhttp://c.example/\n", want: true},
		{text: "http://a.example/\u4e2d\n^and http://b.example/\u4e2d\n"},
		{text: "see http://a.example/b-\n^c\n", want: true},
		{text: "see http://a.example/b-\n^c\n", opts: Options{Extras: Rejoin}},
		{text: "Message-ID: <a@b.example>\n^ <c@d.example>\n", want: true},
		{text: "Message-ID: <a@b.example>\n^ <c@d.example>\n", opts: Options{Extras: Address}},
	} {
		at := strings.IndexByte(c.text, '^')
		text := c.text[:at] + c.text[at+1:]
		if got := c.opts.Neutral([]byte(text), at, true); got != c.want {
			t.Errorf("%q: %v", c.text, got)
		}
		if c.want {
			checkNeutral(t, text, c.opts)
		}
		for long := range 3 { // the same in the middle of other text
			more := strings.Repeat("some words\r\n", 2000*long) + "\n"
			whole := more + text + more
			if got := c.opts.Neutral([]byte(whole), at+len(more), true); got != c.want {
				t.Errorf("%q between %d lines: %v", c.text, 2000*long, got)
			}
		}
	}
}

// TestNeutralRandom cuts random texts.
func TestNeutralRandom(t *testing.T) {
	rounds := 12000
	if !long {
		rounds = 700
	}
	r := rand.New(rand.NewPCG(17, 18))
	lines, neutral := 0, 0
	for i := range rounds {
		text := randomText(r, 4+r.IntN(60))
		l, n := checkNeutral(t, text, neutralOptions[i%len(neutralOptions)])
		if lines, neutral = lines+l, neutral+n; t.Failed() {
			return
		}
	}
	t.Logf("%d of %d lines begin at a neutral place", neutral, lines)
	if neutral < lines/8 {
		t.Errorf("only %d of %d lines begin at a neutral place", neutral, lines)
	}
}

// FuzzNeutral cuts any text at each of its neutral places.
func FuzzNeutral(f *testing.F) {
	for _, text := range []string{
		"> see <http://a/b\n> c/d\n> e> x", "JB> <http://a/b\nJB> c>", "{\"a\":\"http://a/\",\n\"b\":true}\n", "x \"\nINFO:root: \"y\"\n", "<\n\nhttp://a/>", "<ht\ntp://a.example/\n>",
		"http://a/\u4e2d\nhttp://b/\u4e2d\nhttp://c/\n", "Message-ID:\n <1@a.example>\n", "evil[.\n]example", "\"URL:\n http://a/\"", "hxxp:\n//a.example", "http://a.example/-\n  b",
	} {
		for i := range neutralOptions {
			f.Add(text, uint8(i))
		}
	}
	f.Fuzz(func(t *testing.T, text string, o uint8) {
		if len(text) > 4096 || bytes.Count([]byte(text), newline) > 60 {
			return
		}
		checkNeutral(t, text, neutralOptions[int(o)%len(neutralOptions)])
	})
}
