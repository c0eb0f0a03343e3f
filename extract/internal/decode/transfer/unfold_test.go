package transfer

import (
	"bytes"
	"regexp"
	"testing"

	"github.com/urlsift/urlsift/extract/internal/decode/decodetest"
)

func TestUnfold(t *testing.T) {
	for _, c := range []struct{ raw, text string }{
		{"", ""},
		{"URL:http://a/b\r\n c\r\nX:y\r\n", "URL:http://a/bc\r\nX:y\r\n"},
		{"URL:http://a/b\n\tc\nX:y\n", "URL:http://a/bc\nX:y\n"},
		{"a\r\n  b", "a b"},
		{"a\r\n \r\n b", "ab"},
		{"a \r\nb", "a \r\nb"},
		{" a\r\n\r\n b", " a\r\nb"},
		{"a\r b\r\r\n c\r", "a\r b\rc\r"},
		{"\r\n ", ""},
		{"a\r\n", "a\r\n"},
		{"caf\xc3\r\n \xa9", "caf\u00e9"},
	} {
		got := decodetest.EveryWay(t, []byte(c.raw), NewUnfold())
		slowUnfold([]byte(c.raw)).Check(t, []byte(c.raw), got)
		if got.Text != c.text {
			t.Errorf("%q: got %q, want %q", c.raw, got.Text, c.text)
		}
	}
}

var fold = regexp.MustCompile(`\r?\n[ \t]`)

func slowUnfold(raw []byte) (s decodetest.Twin) {
	at := 0
	for _, m := range fold.FindAllIndex(raw, -1) {
		s.Copied(raw, at, m[0])
		at = m[1]
	}
	s.Copied(raw, at, len(raw))
	return s
}

func FuzzUnfold(f *testing.F) {
	f.Add([]byte("URL:http://a/b\r\n c\n\td\r\n"), 1, 1)
	f.Add([]byte("\r\r\n \n \n\n \r"), 2, 3)
	f.Fuzz(func(t *testing.T, raw []byte, in, out int) {
		want := slowUnfold(raw)
		in, out = 1+(in&0x3F), 1+(out&0x3F)
		want.Check(t, raw, decodetest.Observe(bytes.NewReader(raw), NewUnfold(), 1<<16))
		want.Check(t, raw, decodetest.Observe(&decodetest.Chunks{B: raw, N: in}, NewUnfold(), out))
	})
}
