package charset

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/decodetest"
)

func TestLenient(t *testing.T) {
	for _, c := range []struct{ raw, text string }{
		{"", ""},
		{"plain text, http://a/\r\n", "plain text, http://a/\r\n"},
		{"caf\u00e9 \u4e2d\u6587 \U0001F600 \uFFFD", "caf\u00e9 \u4e2d\u6587 \U0001F600 \uFFFD"},
		{"caf\xe9", "caf\u00e9"},
		{"\xe9t\xe9 \u00e9t\u00e9", "\u00e9t\u00e9 \u00e9t\u00e9"},
		{"\x93a\x94 \x80 \x85", "\u201ca\u201d \u20ac \u2026"},
		{"\x81\x8d\x8f\x90\x9d", "\u0081\u008d\u008f\u0090\u009d"},
		{"\x00a\x00", "\x00a\x00"},
		{"\xc3", "\u00c3"},                               // truncated by the end of the text
		{"\xe4\xb8", "\u00e4\u00b8"},                     //
		{"\xf0\x9f\x98", "\u00f0\u0178\u02dc"},           //
		{"\xe4\xb8(", "\u00e4\u00b8("},                   // truncated before the end
		{"\xc3\xc3\xa9", "\u00c3\u00e9"},                 // one byte, then a sequence
		{"\xc0\xaf", "\u00c0\u00af"},                     // an overlong form
		{"\xed\xa0\x80", "\u00ed\u00a0\u20ac"},           // a surrogate
		{"\xf5\x80\x80\x80", "\u00f5\u20ac\u20ac\u20ac"}, // beyond Unicode
		{strings.Repeat("\xe9", 100), strings.Repeat("\u00e9", 100)},
	} {
		got := decodetest.EveryWay(t, []byte(c.raw), NewLenient())
		slowLenient([]byte(c.raw)).Check(t, []byte(c.raw), got)
		if got.Text != c.text {
			t.Errorf("%q: got %q, want %q", c.raw, got.Text, c.text)
		}
	}
}

// TestLenientMarks checks that a stretch of UTF-8 is one mapping of the Map.
func TestLenientMarks(t *testing.T) {
	raw := strings.Repeat("\u00e9t\u00e9 \u4e2d\u6587 plain \U0001F600", 1000)
	var s decode.Chain
	s.Reset(&decodetest.Chunks{B: []byte(raw), N: 7}, 0)
	s.PushDecoder(NewLenient())
	buf := make([]byte, 100)
	for {
		if _, err := s.Read(buf); err != nil {
			break
		}
	}
	if n, _ := s.Mappings(); n != 1 {
		t.Errorf("%d marks", n)
	}
}

func slowLenient(raw []byte) (s decodetest.Twin) {
	for i := 0; i < len(raw); {
		_, size := utf8.DecodeRune(raw[i:])
		if size > 1 || raw[i] < utf8.RuneSelf {
			s.Copied(raw, i, i+size)
			i += size
			continue
		}
		r := charmap.Windows1252.DecodeByte(raw[i])
		if r == utf8.RuneError {
			r = rune(raw[i])
		}
		s.Add(string(r), i, i+1)
		i++
	}
	return s
}

func FuzzLenient(f *testing.F) {
	for _, s := range []string{"http://a/\xe9\u00e9\u4e2d\xe4\xb8", "\x80\x81\xa0\xf0\x9f\x98a", "12345678\x8112345678\u20ac"} {
		f.Add([]byte(s), 1, 1)
	}
	f.Fuzz(func(t *testing.T, raw []byte, in, out int) {
		want := slowLenient(raw)
		in, out = 1+(in&0x3F), 1+(out&0x3F)
		want.Check(t, raw, decodetest.Observe(bytes.NewReader(raw), NewLenient(), 1<<16))
		want.Check(t, raw, decodetest.Observe(&decodetest.Chunks{B: raw, N: in}, NewLenient(), out))
		if !utf8.Valid(want.Text) {
			t.Fatalf("%q is no UTF-8", want.Text)
		}
	})
}
