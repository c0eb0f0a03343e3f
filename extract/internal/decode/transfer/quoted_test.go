package transfer

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/decodetest"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

const literalDamage = "quoted-printable: '=' that begins no escape at offset "

func TestQuotedPrintable(t *testing.T) {
	for _, c := range []struct{ raw, text, damage string }{
		{"", "", ""},
		{"plain", "plain", ""},
		{"a=3Db", "a=b", ""},
		{"caf=C3=A9=c3=a9", "café\u00e9", ""},
		{"http://a/b=\r\nc?d=3De", "http://a/bc?d=e", ""},
		{"http://a/b=\nc", "http://a/bc", ""},
		{"a= \t \r\nb", "ab", ""},
		{"a=\r\r\nb", "ab", ""},
		{"a=\rb", "ab", ""},
		{"a= \r\rb", "ab", ""},
		{"a=20\r\nb \r\nc", "a \r\nb \r\nc", ""},
		{"=\r\n=\r\n=\r\n", "", ""},
		{"a=", "a", ""},
		{"a= ", "a", ""},
		{"a=\r", "a", ""},
		{"a==\r\nb", "a=b", literalDamage + "1"},
		{"a=4", "a=4", literalDamage + "1"},
		{"a=4=", "a=4", literalDamage + "1"},
		{"a=4\n", "a=4\n", literalDamage + "1"},
		{"a=GG=41", "a=GGA", literalDamage + "1"},
		{"=3=\r\nD", "=3D", literalDamage + "0"},
		{"a= b", "a= b", literalDamage + "1"},
		{"==3D=", "==", literalDamage + "0"},
		{"==== http://a/?b=c&d=e ====\nx", "==== http://a/?b=c&d=e ===x", literalDamage + "0"},
		{"=00=FF", "\x00\xFF", ""},
		{"_a_\n", "_a_\n", ""},
		{"a=" + strings.Repeat(" ", 254) + "\nb", "ab", ""},
		{"a=" + strings.Repeat(" ", 255) + "\nb", "a=" + strings.Repeat(" ", 255) + "\nb", literalDamage + "1"},
		{"a=" + strings.Repeat("\r", 300), "a" + strings.Repeat("\r", 45), ""},
	} {
		d := NewQuotedPrintable()
		got := decodetest.EveryWay(t, []byte(c.raw), d)
		slowQuoted([]byte(c.raw)).Check(t, []byte(c.raw), got)
		if got.Text != c.text {
			t.Errorf("%q: got %q, want %q", c.raw, got.Text, c.text)
		}
		if reported := everyDamage(t, []byte(c.raw), d); reported != c.damage {
			t.Errorf("%q: damage %q, want %q", c.raw, reported, c.damage)
		}
	}
}

var quotedPiece = regexp.MustCompile(`=([0-9A-Fa-f]{2}|[ \t]*(\r*\n|\r+|$))`)

// slowQuoted decodes with a regular expression.
func slowQuoted(raw []byte) (s decodetest.Twin) {
	for at := 0; at < len(raw); {
		m := quotedPiece.FindIndex(raw[at:min(len(raw), at+decode.MaxUnit)])
		switch {
		case raw[at] != '=' || m == nil || m[0] > 0,
			m[1] == decode.MaxUnit && strings.Trim(string(raw[at+1:at+decode.MaxUnit]), " \t") == "":
			s.Copied(raw, at, at+1)
			at++
		default:
			unit := raw[at : at+m[1]]
			if octet.Hex[unit[min(1, len(unit)-1)]] < 16 {
				hi, lo := octet.Hex[unit[1]], octet.Hex[unit[2]]
				s.Add(string([]byte{hi<<4 | lo}), at, at+3)
			}
			at += len(unit)
		}
	}
	return s
}

func FuzzQuoted(f *testing.F) {
	for _, s := range []string{"a=3Db=\r\nc", "= \t\r\n=\r\r\n=", "=4=41==", "=" + strings.Repeat(" ", 260) + "\n", "=\r=\rx=e9"} {
		f.Add([]byte(s), 1, 1)
	}
	f.Fuzz(func(t *testing.T, raw []byte, in, out int) {
		want := slowQuoted(raw)
		in, out = 1+(in&0x3F), 1+(out&0x3F)
		want.Check(t, raw, decodetest.Observe(bytes.NewReader(raw), NewQuotedPrintable(), 1<<16))
		want.Check(t, raw, decodetest.Observe(&decodetest.Chunks{B: raw, N: in}, NewQuotedPrintable(), out))
		if a, b := damageOf(bytes.NewReader(raw), NewQuotedPrintable()), damageOf(&decodetest.Chunks{B: raw, N: in}, NewQuotedPrintable()); a != b {
			t.Fatalf("%q: damage %q, in pieces %q", raw, a, b)
		}
	})
}
