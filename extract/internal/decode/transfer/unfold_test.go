package transfer

import (
	"bytes"
	"regexp"
	"strings"
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
		{`URL:http\://a/b\,c\;d\\e`, `URL:http://a/b,c;d\e`},
		{`one\ntwo\Nthree`, "one\ntwo\nthree"},
		{`C:\x \"`, `C:\x \"`},
		{"a\\\r\n ,b\\\n\t\r\n nc", "a,b\nc"},
		{"a\\\r\nb\\", "a\\\r\nb\\"},
	} {
		got := decodetest.EveryWay(t, []byte(c.raw), NewUnfold())
		slowUnfold([]byte(c.raw)).Check(t, []byte(c.raw), got)
		if got.Text != c.text {
			t.Errorf("%q: got %q, want %q", c.raw, got.Text, c.text)
		}
	}
}

var (
	fold    = regexp.MustCompile(`^\r?\n[ \t]`)
	escape  = regexp.MustCompile(`^\\(\r?\n[ \t])*[\\;,:nN]`)
	newline = strings.NewReplacer("n", "\n", "N", "\n")
)

func slowUnfold(raw []byte) (s decodetest.Twin) {
	for at := 0; at < len(raw); {
		if n := len(fold.Find(raw[at:])); n > 0 {
			at += n
		} else if n := len(escape.Find(raw[at:])); 0 < n && n <= 64 {
			s.Add(newline.Replace(string(raw[at+n-1])), at, at+n)
			at += n
		} else {
			s.Copied(raw, at, at+1)
			at++
		}
	}
	return s
}

func FuzzUnfold(f *testing.F) {
	f.Add([]byte("URL:http://a/b\r\n c\n\td\r\n"), 1, 1)
	f.Add([]byte("\r\r\n \n \n\n \r"), 2, 3)
	f.Add([]byte("http\\://a\\,\\\r\n \n\tn\\\n"), 1, 2)
	f.Fuzz(func(t *testing.T, raw []byte, in, out int) {
		want := slowUnfold(raw)
		in, out = 1+(in&0x3F), 1+(out&0x3F)
		want.Check(t, raw, decodetest.Observe(bytes.NewReader(raw), NewUnfold(), 1<<16))
		want.Check(t, raw, decodetest.Observe(&decodetest.Chunks{B: raw, N: in}, NewUnfold(), out))
	})
}
