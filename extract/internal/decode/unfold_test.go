package decode

import (
	"bytes"
	"regexp"
	"testing"
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
		got := everyWay(t, []byte(c.raw), NewUnfold())
		slowUnfold([]byte(c.raw)).check(t, []byte(c.raw), got)
		if got.text != c.text {
			t.Errorf("%q: got %q, want %q", c.raw, got.text, c.text)
		}
	}
}

var fold = regexp.MustCompile(`\r?\n[ \t]`)

func slowUnfold(raw []byte) (s slow) {
	at := 0
	for _, m := range fold.FindAllIndex(raw, -1) {
		s.copied(raw, at, m[0])
		at = m[1]
	}
	s.copied(raw, at, len(raw))
	return s
}

func FuzzUnfold(f *testing.F) {
	f.Add([]byte("URL:http://a/b\r\n c\n\td\r\n"), 1, 1)
	f.Add([]byte("\r\r\n \n \n\n \r"), 2, 3)
	f.Fuzz(func(t *testing.T, raw []byte, in, out int) {
		want := slowUnfold(raw)
		in, out = 1+(in&0x3F), 1+(out&0x3F)
		want.check(t, raw, observe(bytes.NewReader(raw), NewUnfold(), 1<<16))
		want.check(t, raw, observe(&chunks{raw, in}, NewUnfold(), out))
	})
}
