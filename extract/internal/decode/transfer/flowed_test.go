package transfer

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/decodetest"
)

func TestFlowed(t *testing.T) {
	deep := strings.Repeat(">", 126)
	for _, c := range []struct{ raw, text string }{
		{"", ""},
		{"a\r\nb\r\n", "a\r\nb\r\n"},
		{"http://a/b \r\nc\r\nd", "http://a/bc\r\nd"},
		{"http://a/b \nc\nd", "http://a/bc\nd"},
		{"a  \r\nb  \r\nc", "a b c"},
		{"a \r\n b", "ab"},         // stuffed
		{"a \r\n  b", "a b"},       // the next line begins with a space of its own
		{" a\r\n  b", " a\r\n  b"}, // no continuation: unchanged
		{"a \r\n\r\nb", "a\r\nb"},
		{"a \r\n", "a \r\n"},
		{"a ", "a "},
		{"a \r", "a \r"},
		{"a \rb\r\n", "a \rb\r\n"},
		{" \r\nb", " \r\nb"}, // stuffing only
		{"  \r\nb", " b"},
		// quoted
		{"> a \r\n> b\r\n", "> ab\r\n"},
		{">a \r\n>b \r\n>c\r\nd", ">abc\r\nd"},
		{">> a \r\n>> b\r\n> c\r\n", ">> ab\r\n> c\r\n"},
		{"> > a \r\n> > b\r\n", "> > a> b\r\n"}, // quote depth 1, by RFC 3676
		{"> a \r\n>> b\r\n", "> a \r\n>> b\r\n"},
		{">> a \r\n> b\r\n", ">> a \r\n> b\r\n"},
		{"> a \r\nb\r\n", "> a \r\nb\r\n"},
		{"a \r\n> b\r\n", "a \r\n> b\r\n"},
		{"a \r\n >b\r\n", "a>b\r\n"}, // space-stuffed, not quoted
		{"> \r\n> b", "> \r\n> b"},
		{"> a \r\n>", "> a \r\n>"},
		{"> a \r\n>\r\n>b", "> a\r\n>b"},
		{deep + "a \n" + deep + "b", deep + "ab"},
		{deep + deep[:124] + "a \n" + deep + deep[:124] + "b", deep + deep[:124] + "ab"}, // no deeper
		{deep + deep[:124] + "a \n" + deep + deep[:124] + "-- ", deep + deep[:124] + "a \n" + deep + deep[:124] + "-- "},
		{deep + deep[:125] + "a \n" + deep + deep[:125] + "b", deep + deep[:125] + "a \n" + deep + deep[:125] + "b"},
		// the line before a signature
		{"a\r\n-- \r\nb \r\nc", "a\r\n-- \r\nbc"},
		{"a\n-- \nb", "a\n-- \nb"},
		{"> -- \r\n> b", "> -- \r\n> b"},
		{">-- \r\n>b", ">-- \r\n>b"},
		{"a \r\n-- \r\nb", "a \r\n-- \r\nb"},
		{"> a \r\n> -- \r\n> b", "> a \r\n> -- \r\n> b"},
		{"--- \r\nb", "---b"},
		{"- \r\n- \r\nb", "--b"},
		{"--a \r\nb", "--ab"},
		{"a \r\n--", "a--"},
		{"a \r\n--b", "a--b"},
		{"x-- \r\nb", "x--b"},
	} {
		got := decodetest.EveryWay(t, []byte(c.raw), NewFlowed())
		slowFlowed([]byte(c.raw)).Check(t, []byte(c.raw), got)
		if got.Text != c.text {
			t.Errorf("%q: got %q, want %q", c.raw, got.Text, c.text)
		}
	}
}

var (
	flowedLine = regexp.MustCompile(`^(>*)( ?)([^\n]*?)( \r?)?(\n|$)`)
	flowedEnd  = regexp.MustCompile(` \r?\n$`)
)

// slowFlowed divides lines with a regular expression, and joins them.
func slowFlowed(raw []byte) (s decodetest.Twin) {
	at, first := 0, true // first is where the paragraph begins
	for at < len(raw) {
		m := flowedLine.FindSubmatch(raw[at:])
		quote, text := len(m[1]), at+len(m[1])+len(m[2])
		end := at + len(m[0])
		if first {
			s.Copied(raw, at, text)
		}
		first = true
		content := raw[text:end]
		if e := flowedEnd.FindIndex(content); e != nil && string(content[:e[0]]) != "--" {
			next := flowedLine.FindSubmatch(raw[end:])
			prefix := 0
			if next != nil {
				prefix = len(next[1]) + len(next[2])
			}
			rest := raw[min(len(raw), end+prefix):]
			if len(next[1]) == quote && len(rest) > 0 && !bytes.HasPrefix(rest, []byte("-- ")) && len(content)-e[0]+prefix < decode.MaxUnit-3 {
				first = false
				end = text + e[0]
				s.Copied(raw, text, end)
				at = end + len(content) - e[0]
				continue
			}
		}
		s.Copied(raw, text, end)
		at = end
	}
	return s
}

func FuzzFlowed(f *testing.F) {
	pieces := []string{" ", "\r\n", "\n", ">", "-", "-- ", "a", " \r\n", " \n", "> ", ">> ", "\r", strings.Repeat(">", 126), "http://a/"}
	f.Add([]byte{13, 7, 6, 1, 9, 5, 1, 9, 6, 8, 9, 6}, 1, 1)
	f.Add([]byte{12, 12, 6, 8, 12, 12, 0, 6, 8, 3, 3, 4}, 7, 3)
	f.Fuzz(func(t *testing.T, which []byte, in, out int) {
		var raw []byte
		for _, p := range which {
			if int(p) < len(pieces) {
				raw = append(raw, pieces[p]...)
			} else {
				raw = append(raw, p)
			}
		}
		want := slowFlowed(raw)
		in, out = 1+(in&0x3F), 1+(out&0x3F)
		want.Check(t, raw, decodetest.Observe(bytes.NewReader(raw), NewFlowed(), 1<<16))
		want.Check(t, raw, decodetest.Observe(&decodetest.Chunks{B: raw, N: in}, NewFlowed(), out))
	})
}
