package transfer

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

	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/charset"
	"github.com/urlsift/urlsift/extract/internal/decode/decodetest"
)

// Tests of all decoders of transfer encodings and of lines.

// damageOf returns the damage that a chain with d reports about r.
func damageOf(r io.Reader, d decode.Decoder) string {
	var all []string
	c := decode.Chain{Mild: func(e *damage.Damage, _ int) { all = append(all, e.Error()) }}
	c.Reset(r, 0)
	c.PushDecoder(d)
	io.Copy(io.Discard, &c)
	return strings.Join(all, "; ")
}

// everyDamage calls damageOf for all ways to read raw. The results must be the same.
func everyDamage(t *testing.T, raw []byte, d decode.Decoder) string {
	t.Helper()
	want := damageOf(bytes.NewReader(raw), d)
	check := func(r io.Reader) {
		t.Helper()
		if got := damageOf(r, d); got != want {
			t.Errorf("%q: damage %q, want %q", raw, got, want)
		}
	}
	check(iotest.OneByteReader(bytes.NewReader(raw)))
	for at := range min(len(raw), 400) {
		check(decodetest.Cut(raw, at))
	}
	return want
}

// TestBrokenTransfer checks that an error of the source comes after the damage that it causes, and
// is not damage itself.
func TestBrokenTransfer(t *testing.T) {
	for _, c := range []struct {
		d         decode.Decoder
		raw, text string
	}{
		{NewQuotedPrintable(), "a=3", "a=3"},
		{NewBase64(), "YWJjZA", "abcd"},
		{charset.NewLenient(), "a\xC3", "a\u00C3"},
		{NewFlowed(), "a \r\n", "a \r\n"},
		{NewUnfold(), "a\r\n", "a\r\n"},
	} {
		got := decodetest.Observe(decodetest.Broken([]byte(c.raw)), c.d, 100)
		if got.Text != c.text || got.Err != "broken" {
			t.Errorf("%T %q: %q, %s", c.d, c.raw, got.Text, got.Err)
		}
	}
	if reported := damageOf(decodetest.Broken([]byte("YWJjZA")), NewBase64()); reported != "" {
		t.Errorf("reported %s", reported)
	}
}

func quotedText(text string) []byte {
	var b bytes.Buffer
	w := quotedprintable.NewWriter(&b)
	io.WriteString(w, text)
	w.Close()
	return b.Bytes()
}

// base64Lines encodes text in lines of that many characters.
func base64Lines(text string, width int) []byte {
	all := base64.StdEncoding.EncodeToString([]byte(text))
	var b bytes.Buffer
	for line := range slices.Chunk([]byte(all), width) {
		b.Write(line)
		b.WriteString("\r\n")
	}
	return b.Bytes()
}

func textBase64() decode.Decoder { return &Base64{Text: true} }

// transfers has text in each encoding, in lines as mail programs make them.
var transfers = []struct {
	name string
	make func() decode.Decoder
	raw  func(n int) []byte
}{
	{"quoted/plain", NewQuotedPrintable, func(n int) []byte { return quotedText(strings.Repeat(decodetest.Sentence, n)) }},
	{"quoted/html", NewQuotedPrintable, func(n int) []byte {
		return quotedText(strings.Repeat("<td class=\"a\"><a href=\"http://www.example.org/?a=b&c=d\">Read more</a></td>\n", n))
	}},
	{"quoted/french", NewQuotedPrintable, func(n int) []byte {
		return quotedText(strings.Repeat("Voil\u00e0 une \u00e9tude: http://a.example/ \u00e0 No\u00ebl, o\u00f9 l'on a re\u00e7u.\n", n))
	}},
	{"quoted/russian", NewQuotedPrintable, func(n int) []byte {
		return quotedText(strings.Repeat("\u0421\u044a\u0435\u0448\u044c \u0436\u0435 \u0435\u0449\u0451 \u044d\u0442\u0438\u0445 http://a.example/ \u0431\u0443\u043b\u043e\u043a.\n", n))
	}},
	{"base64/76", textBase64, func(n int) []byte { return base64Lines(strings.Repeat(decodetest.Sentence, n), 76) }},
	{"base64/75", textBase64, func(n int) []byte { return base64Lines(strings.Repeat(decodetest.Sentence, n), 75) }},
	{"base64/72", textBase64, func(n int) []byte { return base64Lines(strings.Repeat(decodetest.Sentence, n), 72) }},
	{"base64/64", textBase64, func(n int) []byte {
		return bytes.ReplaceAll(base64Lines(strings.Repeat(decodetest.Sentence, n), 64), []byte("\r"), nil)
	}},
	{"base64/60", textBase64, func(n int) []byte { return base64Lines(strings.Repeat(decodetest.Sentence, n), 60) }},
	{"base64/998", textBase64, func(n int) []byte { return base64Lines(strings.Repeat(decodetest.Sentence, n), 998) }},
	{"base64/one", textBase64, func(n int) []byte { return base64Lines(strings.Repeat(decodetest.Sentence, n), 1<<30) }},
	{"lenient/ascii", charset.NewLenient, func(n int) []byte { return []byte(strings.Repeat(decodetest.Sentence, n)) }},
	{"lenient/utf8", charset.NewLenient, func(n int) []byte {
		return []byte(strings.Repeat("Voil\u00e0 une \u00e9tude: http://a.example/ \u00e0 No\u00ebl, o\u00f9 l'on a re\u00e7u.\n", n))
	}},
	{"lenient/chinese", charset.NewLenient, func(n int) []byte {
		return []byte(strings.Repeat("\u4e2d\u6587\u7f51\u9875\u5728\u8fd9\u91cchttp://a.example/\u4e2d\u6587\u3002\n", n))
	}},
	{"lenient/latin1", charset.NewLenient, func(n int) []byte {
		return []byte(strings.Repeat("Voil\xe0 une \xe9tude: http://a.example/ \xe0 No\xebl, o\xf9 l'on a re\xe7u.\n", n))
	}},
	{"flowed/plain", NewFlowed, func(n int) []byte {
		return []byte(strings.Repeat(strings.ReplaceAll(decodetest.Sentence, "\n", " \r\n"), n))
	}},
	{"flowed/quoted", NewFlowed, func(n int) []byte {
		return []byte(strings.Repeat("> The quick brown fox, see http://www.example.org/animals?fox=1 for \r\n> more\r\n", n))
	}},
	{"unfold", NewUnfold, func(n int) []byte {
		return []byte(strings.Repeat("DESCRIPTION:The quick brown fox, see http://www.example.org/animals?fox=1 f\r\n or more\r\n", n))
	}},
}

// oneByOne hides the method DecodeBatch of a Decoder.
type oneByOne struct{ decode.Decoder }

// TestRunner checks that DecodeBatch gives the same as many calls of Decode.
func TestRunner(t *testing.T) {
	check := func(raw []byte, d decode.Decoder) {
		t.Helper()
		if _, ok := d.(decode.BatchDecoder); !ok {
			return
		}
		want := decodetest.Observe(bytes.NewReader(raw), oneByOne{d}, 1<<16)
		for _, size := range []int{16, 100, 1 << 16} {
			if err := decodetest.Observe(bytes.NewReader(raw), d, size).Equal(want); err != nil {
				t.Fatalf("%T, slices of %d: %.200q: %v", d, size, raw, err)
			}
		}
		reported := damageOf(bytes.NewReader(raw), oneByOne{d})
		if got := damageOf(bytes.NewReader(raw), d); got != reported {
			t.Errorf("%T %.200q: damage %q, want %q", d, raw, got, reported)
		}
	}
	for _, c := range transfers {
		check(c.raw(50), c.make())
	}
	for _, c := range hostileTransfers {
		raw, err := io.ReadAll(decodetest.Page(c.raw, 2000))
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
		b.Run(c.name, func(b *testing.B) { decodetest.Benchmark(b, c.raw(1000), c.make()) })
	}
}

func TestTransferAllocatesNothing(t *testing.T) {
	for _, c := range transfers {
		raw := c.raw(300)
		src := bytes.NewReader(raw)
		d := c.make()
		chain := decode.Chain{Keep: 4 << 10, Mild: func(e *damage.Damage, _ int) { t.Errorf("%s: %v", c.name, e) }}
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

// hostileTransfers are texts that a decoder could scan too often, in the form of [decodetest.Page].
var hostileTransfers = []struct {
	make func() decode.Decoder
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
	{charset.NewLenient, "\xC3"}, {charset.NewLenient, "\xF0\x9F\x98"}, {charset.NewLenient, "a\xE9"}, {charset.NewLenient, "\xA0\x80"}, {charset.NewLenient, "\u00e9"},
	{NewFlowed, ">"}, {NewFlowed, " "}, {NewFlowed, " \n"}, {NewFlowed, "\n"}, {NewFlowed, "> \n"}, {NewFlowed, "-- \n"},
	{NewFlowed, strings.Repeat(">", 240) + " \n"}, {NewFlowed, "a \r\n"}, {NewFlowed, "-"}, {NewFlowed, "\r"},
	{NewUnfold, "\n "}, {NewUnfold, "\r"}, {NewUnfold, "\r\n"}, {NewUnfold, "a\n "},
	{NewLDIF, "a::"}, {NewLDIF, "\n "}, {NewLDIF, "a:: Y\n "}, {NewLDIF, "\r"}, {NewLDIF, "a::\n"},
	{NewUnfold, `\`}, {NewUnfold, "\\\n "}, {NewUnfold, `\n`},
}

// TestHostileTransfer doubles the length of hostile texts. The time may about double, and the
// memory must not grow.
func TestHostileTransfer(t *testing.T) {
	if decodetest.RaceEnabled {
		t.Skip("measures time")
	}
	const n = 1 << 17
	var c decode.Chain
	c.Keep = 64 << 10
	buf := make([]byte, 64<<10)
	run := func(d decode.Decoder, s string, n int) time.Duration {
		best := time.Hour
		for range 3 {
			c.Reset(decodetest.Page(s, n), 0)
			c.PushDecoder(d)
			start := decodetest.Clock()
			for {
				if _, err := c.Read(buf); err != nil {
					break
				}
			}
			best = min(best, decodetest.Clock()-start)
		}
		return best
	}
	for _, h := range hostileTransfers {
		name := fmt.Sprintf("%T %.20q", h.make(), h.raw)
		var one, two time.Duration
		for range 5 { // try again, because the machine may be busy
			one, two = run(h.make(), h.raw, n), run(h.make(), h.raw, 2*n)
			if two <= one*5/2+time.Millisecond {
				break
			}
		}
		if two > one*5/2+time.Millisecond {
			t.Errorf("%s: %v for %d bytes, %v for twice that", name, one, n, two)
		}
		if _, room := c.Mappings(); room > 4*len(buf) {
			t.Errorf("%s: room for %d marks", name, room)
		}
		if one > n*300*time.Nanosecond {
			t.Errorf("%s: %v for %d bytes", name, one, n)
		}
		t.Logf("%s: %d ns per byte", name, one.Nanoseconds()/n)
	}
}
