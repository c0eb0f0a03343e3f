package transfer

import (
	"bytes"
	"testing"

	"github.com/urlsift/urlsift/extract/internal/decode/decodetest"
)

func TestLDIF(t *testing.T) {
	for _, c := range []struct{ raw, text string }{
		{"", ""},
		{"dn: cn=x\nlabeledURI: http://a.example/long/\n path text\n", "dn: cn=x\nlabeledURI: http://a.example/long/path text\n"},
		{"a: b\r\n  c\r\n\r\n d", "a: b c\r\nd"},
		{"description:: aHR0cDovL2I2NC5leGFtcGxlL3gK\nb: c\n", "description::http://b64.example/x\n\nb: c\n"},
		{"a:: YWJ\n jZ\r\n GU=\r\nb:c", "a::abcde\r\nb:c"},
		{"a::YQ==\n", "a::a\n"},
		{"a::\nb: c::YWJj\n", "a::\nb: c::YWJj\n"},
		{"a:: YWJj!YWJj\nb\n", "a::abc!YWJj\nb\n"},
		{"a:: Y", "a::"},
		{"# a:: YWJj\n", "# a:: YWJj\n"},
		{"a:\n : b", "a::"},
		{"a\r b\n\tc", "a\r b\n\tc"},
	} {
		if got := decodetest.EveryWay(t, []byte(c.raw), NewLDIF()); got.Text != c.text {
			t.Errorf("%q: got %q, want %q", c.raw, got.Text, c.text)
		}
	}
}

func FuzzLDIF(f *testing.F) {
	f.Add([]byte("a:: YWJ\n jZ\r\n GU=\r\nb:c\n d"), 1, 1)
	f.Add([]byte("a::\n \n Y\n W\n!"), 2, 3)
	f.Fuzz(func(t *testing.T, raw []byte, in, out int) {
		in, out = 1+(in&0x3F), 1+(out&0x3F)
		want := decodetest.Observe(bytes.NewReader(raw), NewLDIF(), 1<<16)
		got := decodetest.Observe(&decodetest.Chunks{B: raw, N: in}, NewLDIF(), out)
		if got.Text != want.Text || got.Err != want.Err {
			t.Fatalf("%q: %q, %s; by pieces %q, %s", raw, want.Text, want.Err, got.Text, got.Err)
		}
	})
}
