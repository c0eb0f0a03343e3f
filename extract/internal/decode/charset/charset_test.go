package charset

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/urlsift/urlsift/extract/internal/decode/decodetest"
)

var wide = []Unicode{UTF16LE, UTF16BE, UTF32LE, UTF32BE}

// encode returns s in cs, without a byte order mark.
func encode(cs Unicode, s string) []byte { return decodetest.Encode(cs.String(), s) }

func TestSniffBOM(t *testing.T) {
	for _, c := range []struct {
		head  string
		cs    Unicode
		n     int
		maybe bool
	}{
		{"", UTF8, 0, true},
		{"a", UTF8, 0, false},
		{"\xEF\xBB", UTF8, 0, true},
		{"\xEF\xBB\xBFa", UTF8, 3, false},
		{"\xEF\xBBa", UTF8, 0, false},
		{"\xFF", UTF8, 0, true},
		{"\xFF\xFE", UTF16LE, 2, true},
		{"\xFF\xFE\x00", UTF16LE, 2, true},
		{"\xFF\xFEa\x00", UTF16LE, 2, false},
		{"\xFF\xFE\x00\x00", UTF32LE, 4, false},
		{"\xFE\xFF\x00a", UTF16BE, 2, false},
		{"\x00", UTF8, 0, true},
		{"\x00\x00\xFE\xFF", UTF32BE, 4, false},
		{"\x00a", UTF8, 0, false},
	} {
		if cs, n := SniffBOM([]byte(c.head)); cs != c.cs || n != c.n || MaybeBOM([]byte(c.head)) != c.maybe {
			t.Errorf("%q: %v, %d, %v", c.head, cs, n, MaybeBOM([]byte(c.head)))
		}
	}
}

func TestUnicode(t *testing.T) {
	for _, s := range []string{
		"", "a", "abcdefghijk", "http://a/\u00e9\u00e8 \u4e2d\u6587\U0001F600\U0001F601x\r\n",
		"\ufeff\x00\x7f\u0080\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010FFFF",
		strings.Repeat("\u0416 ", 20) + strings.Repeat("\u4e2d", 20),
	} {
		for _, cs := range wide {
			got := decodetest.EveryWay(t, encode(cs, s), NewUnicode(cs))
			if got.Text != s || got.Err != "" {
				t.Errorf("%v: got %q %s, want %q", cs, got.Text, got.Err, s)
			}
			for i, r := range s { // each byte must come from its own character
				n := utf8.RuneLen(r)
				lo, hi := got.Lo[i], got.Hi[i+n-1]
				if !bytes.Equal(encode(cs, s)[lo:hi], encode(cs, string(r))) {
					t.Errorf("%v: %q stems from [%d:%d]", cs, r, lo, hi)
				}
			}
		}
	}
}

func TestDamagedUnicode(t *testing.T) {
	for _, c := range []struct {
		cs             Unicode
		raw, text, err string
	}{
		{UTF16BE, "\xD8\x00\x00a", "\uFFFDa", ""},
		{UTF16BE, "\xDC\x00\xD8\x00\xD8\x00\xDC\x00", "\uFFFD\uFFFD\U00010000", ""},
		{UTF16BE, "\x00a\xD8\x00", "a\uFFFD", ""},
		{UTF16BE, "\x00a\xD8\x00\xDC", "a\uFFFD\uFFFD", "utf-16be: 1 byte left of a code unit of 2 at offset 4"},
		{UTF16LE, "a", "\uFFFD", "utf-16le: 1 byte left of a code unit of 2 at offset 0"},
		{UTF32LE, "a\x00\x00\x00\x00\xD8\x00\x00\x00\x00\x11\x00", "a\uFFFD\uFFFD", ""},
		{UTF32BE, "\x00\x00\x00a\xFF\xFF\xFF\xFF\x00\x00\x00", "a\uFFFD\uFFFD", "utf-32be: 3 bytes left of a code unit of 4 at offset 8"},
	} {
		got := decodetest.EveryWay(t, []byte(c.raw), NewUnicode(c.cs))
		if got.Text != c.text || got.Err != c.err {
			t.Errorf("%v %q: got %q, %q, want %q, %q", c.cs, c.raw, got.Text, got.Err, c.text, c.err)
		}
	}
}

func FuzzUnicode(f *testing.F) {
	for i, cs := range wide {
		f.Add(uint8(i), 3, encode(cs, "http://a/\u00e9\u4e2d\U0001F600"))
		f.Add(uint8(i), 1, []byte("\xD8\x00\xDCa\xFF\xFE\xFF"))
	}
	f.Fuzz(func(t *testing.T, which uint8, size int, raw []byte) {
		cs := wide[int(which)%len(wide)]
		want := decodetest.Observe(bytes.NewReader(raw), NewUnicode(cs), 1<<16)
		size = 1 + (size&0xFF+0xFF)%0xFF
		if err := decodetest.Observe(&decodetest.Chunks{B: raw, N: size}, NewUnicode(cs), size).Equal(want); err != nil {
			t.Fatal(err)
		}
		if text := slowUnicode(cs, raw); text != want.Text {
			t.Fatalf("%v %q: got %q, want %q", cs, raw, want.Text, text)
		}
		if !slices.IsSorted(want.Lo) || !slices.IsSorted(want.Hi) {
			t.Fatalf("spans out of order: %v %v", want.Lo, want.Hi)
		}
	})
}

// slowUnicode decodes with the standard library.
func slowUnicode(cs Unicode, raw []byte) string {
	var order binary.ByteOrder = binary.LittleEndian
	if cs == UTF16BE || cs == UTF32BE {
		order = binary.BigEndian
	}
	var runes []rune
	var units []uint16
	for len(raw) >= cs.Unit() {
		if cs.Unit() == 4 {
			c := order.Uint32(raw)
			if c > utf8.MaxRune || !utf8.ValidRune(rune(c)) {
				c = utf8.RuneError
			}
			runes = append(runes, rune(c))
		} else {
			units = append(units, order.Uint16(raw))
		}
		raw = raw[cs.Unit():]
	}
	runes = append(runes, utf16.Decode(units)...)
	if len(raw) > 0 {
		runes = append(runes, utf8.RuneError)
	}
	return string(runes)
}
