package decode

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"mime/quotedprintable"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// What the decoders of transfer encodings and of lines have in common.

// A slow is what a decoder's slow twin made of a whole input: its text, and the
// input [lo, hi) of the unit of each byte.
type slow struct {
	text   []byte
	lo, hi []int64
}

// add appends text that is one unit, of raw[lo:hi].
func (s *slow) add(text string, lo, hi int) {
	for i := range len(text) {
		s.text = append(s.text, text[i])
		s.lo, s.hi = append(s.lo, int64(lo)), append(s.hi, int64(hi))
	}
}

// copied appends raw[lo:hi] as it stands.
func (s *slow) copied(raw []byte, lo, hi int) {
	for i := lo; i < hi; i++ {
		s.add(string(raw[i:i+1]), i, i+1)
	}
}

func (s slow) check(t *testing.T, raw []byte, got reading) {
	t.Helper()
	if got.err != "" || got.text != string(s.text) || !slices.Equal(got.lo, s.lo) || !slices.Equal(got.hi, s.hi) {
		t.Fatalf("%q %s\n got %q\nwant %q\n got %v\nwant %v\n got %v\nwant %v", raw, got.err, got.text, s.text, got.lo, s.lo, got.hi, s.hi)
	}
}

// damage is what a chain with d on r tells.
func damage(r io.Reader, d Decoder) string {
	var all []string
	c := Chain{Mild: func(e *Error, _ int) { all = append(all, e.Error()) }}
	c.Reset(r, 0)
	c.PushDecoder(d)
	io.Copy(io.Discard, &c)
	return strings.Join(all, "; ")
}

// everyDamage is damage, the same for all ways to read.
func everyDamage(t *testing.T, raw []byte, d Decoder) string {
	t.Helper()
	want := damage(bytes.NewReader(raw), d)
	check := func(r io.Reader) {
		t.Helper()
		if got := damage(r, d); got != want {
			t.Errorf("%q: damage %q, want %q", raw, got, want)
		}
	}
	check(iotest.OneByteReader(bytes.NewReader(raw)))
	for at := range min(len(raw), 400) {
		check(cut(raw, at))
	}
	return want
}

// An error of the source comes behind what it cuts, and is not damage.
func TestBrokenTransfer(t *testing.T) {
	for _, c := range []struct {
		d         Decoder
		raw, text string
	}{
		{NewQuotedPrintable(), "a=3", "a=3"},
		{NewBase64(), "YWJjZA", "abcd"},
		{NewLenient(), "a\xC3", "a\u00C3"},
		{NewFlowed(), "a \r\n", "a \r\n"},
		{NewUnfold(), "a\r\n", "a\r\n"},
	} {
		got := observe(broken([]byte(c.raw)), c.d, 100)
		if got.text != c.text || got.err != "broken" {
			t.Errorf("%T %q: %q, %s", c.d, c.raw, got.text, got.err)
		}
	}
	if told := damage(broken([]byte("YWJjZA")), NewBase64()); told != "" {
		t.Errorf("told %s", told)
	}
}

func quotedText(text string) []byte {
	var b bytes.Buffer
	w := quotedprintable.NewWriter(&b)
	io.WriteString(w, text)
	w.Close()
	return b.Bytes()
}

// base64Lines is text in lines of that many characters.
func base64Lines(text string, width int) []byte {
	all := base64.StdEncoding.EncodeToString([]byte(text))
	var b bytes.Buffer
	for line := range slices.Chunk([]byte(all), width) {
		b.Write(line)
		b.WriteString("\r\n")
	}
	return b.Bytes()
}

func textBase64() Decoder { return &Base64{Text: true} }

// Text in lines that a mailer would make, in each encoding.
var transfers = []struct {
	name string
	make func() Decoder
	raw  func(n int) []byte
}{
	{"quoted/plain", NewQuotedPrintable, func(n int) []byte { return quotedText(strings.Repeat(sentence, n)) }},
	{"quoted/html", NewQuotedPrintable, func(n int) []byte {
		return quotedText(strings.Repeat("<td class=\"a\"><a href=\"http://www.example.org/?a=b&c=d\">Read more</a></td>\n", n))
	}},
	{"quoted/french", NewQuotedPrintable, func(n int) []byte {
		return quotedText(strings.Repeat("Voil\u00e0 une \u00e9tude: http://a.example/ \u00e0 No\u00ebl, o\u00f9 l'on a re\u00e7u.\n", n))
	}},
	{"quoted/russian", NewQuotedPrintable, func(n int) []byte {
		return quotedText(strings.Repeat("\u0421\u044a\u0435\u0448\u044c \u0436\u0435 \u0435\u0449\u0451 \u044d\u0442\u0438\u0445 http://a.example/ \u0431\u0443\u043b\u043e\u043a.\n", n))
	}},
	{"base64/76", textBase64, func(n int) []byte { return base64Lines(strings.Repeat(sentence, n), 76) }},
	{"base64/75", textBase64, func(n int) []byte { return base64Lines(strings.Repeat(sentence, n), 75) }},
	{"base64/72", textBase64, func(n int) []byte { return base64Lines(strings.Repeat(sentence, n), 72) }},
	{"base64/64", textBase64, func(n int) []byte {
		return bytes.ReplaceAll(base64Lines(strings.Repeat(sentence, n), 64), []byte("\r"), nil)
	}},
	{"base64/60", textBase64, func(n int) []byte { return base64Lines(strings.Repeat(sentence, n), 60) }},
	{"base64/998", textBase64, func(n int) []byte { return base64Lines(strings.Repeat(sentence, n), 998) }},
	{"base64/one", textBase64, func(n int) []byte { return base64Lines(strings.Repeat(sentence, n), 1<<30) }},
	{"lenient/ascii", NewLenient, func(n int) []byte { return []byte(strings.Repeat(sentence, n)) }},
	{"lenient/utf8", NewLenient, func(n int) []byte {
		return []byte(strings.Repeat("Voil\u00e0 une \u00e9tude: http://a.example/ \u00e0 No\u00ebl, o\u00f9 l'on a re\u00e7u.\n", n))
	}},
	{"lenient/chinese", NewLenient, func(n int) []byte {
		return []byte(strings.Repeat("\u4e2d\u6587\u7f51\u9875\u5728\u8fd9\u91cchttp://a.example/\u4e2d\u6587\u3002\n", n))
	}},
	{"lenient/latin1", NewLenient, func(n int) []byte {
		return []byte(strings.Repeat("Voil\xe0 une \xe9tude: http://a.example/ \xe0 No\xebl, o\xf9 l'on a re\xe7u.\n", n))
	}},
	{"flowed/plain", NewFlowed, func(n int) []byte { return []byte(strings.Repeat(strings.ReplaceAll(sentence, "\n", " \r\n"), n)) }},
	{"flowed/quoted", NewFlowed, func(n int) []byte {
		return []byte(strings.Repeat("> The quick brown fox, see http://www.example.org/animals?fox=1 for \r\n> more\r\n", n))
	}},
	{"unfold", NewUnfold, func(n int) []byte {
		return []byte(strings.Repeat("DESCRIPTION:The quick brown fox, see http://www.example.org/animals?fox=1 f\r\n or more\r\n", n))
	}},
}

// oneByOne is a Decoder whose runs are turned one by one.
type oneByOne struct{ Decoder }

// What turns many runs in a call turns them as Decode does.
func TestRunner(t *testing.T) {
	check := func(raw []byte, d Decoder) {
		t.Helper()
		if _, ok := d.(runner); !ok {
			return
		}
		want := observe(bytes.NewReader(raw), oneByOne{d}, 1<<16)
		for _, size := range []int{16, 100, 1 << 16} {
			if err := observe(bytes.NewReader(raw), d, size).equal(want); err != nil {
				t.Fatalf("%T, slices of %d: %.200q: %v", d, size, raw, err)
			}
		}
		told := damage(bytes.NewReader(raw), oneByOne{d})
		if got := damage(bytes.NewReader(raw), d); got != told {
			t.Errorf("%T %.200q: damage %q, want %q", d, raw, got, told)
		}
	}
	for _, c := range transfers {
		check(c.raw(50), c.make())
	}
	for _, c := range hostileTransfers {
		raw, err := io.ReadAll(page(c.raw, 2000))
		if err != nil {
			t.Fatal(err)
		}
		check(raw, c.make())
	}
	check([]byte("a=\n=\r\n=3D=4=\r=e9=E9 = \n=x=\n"), NewQuotedPrintable())
	check([]byte("YWJj\r\nYWJj\r\n\r\nYW Jj\n!junk\nYWJj\nYQ==\r\nYWJ\njYWI"), textBase64())
}

func BenchmarkTransfer(b *testing.B) {
	for _, c := range transfers {
		b.Run(c.name, func(b *testing.B) { benchmark(b, c.raw(1000), c.make()) })
	}
}

func TestTransferAllocatesNothing(t *testing.T) {
	for _, c := range transfers {
		raw := c.raw(300)
		src := bytes.NewReader(raw)
		d := c.make()
		chain := Chain{Keep: 4 << 10, Mild: func(e *Error, _ int) { t.Errorf("%s: %v", c.name, e) }}
		buf := make([]byte, 8<<10)
		if n := testing.AllocsPerRun(10, func() {
			src.Reset(raw)
			chain.Reset(src, 0)
			chain.PushDecoder(d)
			for {
				if _, err := chain.Read(buf); err != nil {
					break
				}
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations", c.name, n)
		}
	}
}

// hostileTransfers are what a decoder could look at too often, as page has it.
var hostileTransfers = []struct {
	make func() Decoder
	raw  string
}{
	{NewQuotedPrintable, "="}, {NewQuotedPrintable, "=4"}, {NewQuotedPrintable, "=3D"}, {NewQuotedPrintable, "=\n"},
	{NewQuotedPrintable, "=|\r"}, {NewQuotedPrintable, "=|  "}, {NewQuotedPrintable, "=" + strings.Repeat(" ", 250)},
	{NewQuotedPrintable, "a=3D"}, {NewQuotedPrintable, "=" + strings.Repeat(" ", 250) + "\n"},
	{textBase64, "="}, {textBase64, "Y"}, {textBase64, "Y\n"}, {textBase64, "Y="}, {textBase64, "YQ=="}, {textBase64, "YWI\n"},
	{textBase64, "Y" + strings.Repeat(" ", 126)}, {textBase64, "Y" + strings.Repeat("\n", 126)}, {textBase64, "YWJj|!"},
	{textBase64, "Y\n" + strings.Repeat("Y", 126) + "\n"}, {textBase64, strings.Repeat("Y", 128) + "|Y!"}, {textBase64, "|!\nYWJj\n"},
	{textBase64, "|!"}, {textBase64, "-"}, {textBase64, "Y\n"}, {textBase64, "\n"}, {textBase64, " "}, {textBase64, "!\n"},
	{textBase64, "YWJj\n"}, {textBase64, strings.Repeat("YWJj", 32) + "!\n"},
	{NewLenient, "\xC3"}, {NewLenient, "\xF0\x9F\x98"}, {NewLenient, "a\xE9"}, {NewLenient, "\xA0\x80"}, {NewLenient, "\u00e9"},
	{NewFlowed, ">"}, {NewFlowed, " "}, {NewFlowed, " \n"}, {NewFlowed, "\n"}, {NewFlowed, "> \n"}, {NewFlowed, "-- \n"},
	{NewFlowed, strings.Repeat(">", 240) + " \n"}, {NewFlowed, "a \r\n"}, {NewFlowed, "-"}, {NewFlowed, "\r"},
	{NewUnfold, "\n "}, {NewUnfold, "\r"}, {NewUnfold, "\r\n"}, {NewUnfold, "a\n "},
}

// Twice the text takes no more than about twice the time, and no more memory.
func TestHostileTransfer(t *testing.T) {
	if raceEnabled {
		t.Skip("measures time")
	}
	const n = 1 << 17
	var c Chain
	c.Keep = 64 << 10
	buf := make([]byte, 64<<10)
	run := func(d Decoder, s string, n int) time.Duration {
		best := time.Hour
		for range 3 {
			c.Reset(page(s, n), 0)
			c.PushDecoder(d)
			start := clock()
			for {
				if _, err := c.Read(buf); err != nil {
					break
				}
			}
			best = min(best, clock()-start)
		}
		return best
	}
	for _, h := range hostileTransfers {
		name := fmt.Sprintf("%T %.20q", h.make(), h.raw)
		var one, two time.Duration
		for range 5 { // a busy machine is no proof
			one, two = run(h.make(), h.raw, n), run(h.make(), h.raw, 2*n)
			if two <= one*5/2+time.Millisecond {
				break
			}
		}
		if two > one*5/2+time.Millisecond {
			t.Errorf("%s: %v for %d bytes, %v for twice that", name, one, n, two)
		}
		if m := c.own[0].m; cap(m.marks) > 4*len(buf) {
			t.Errorf("%s: room for %d marks", name, cap(m.marks))
		}
		if one > n*300*time.Nanosecond {
			t.Errorf("%s: %v for %d bytes", name, one, n)
		}
		t.Logf("%s: %d ns per byte", name, one.Nanoseconds()/n)
	}
}
