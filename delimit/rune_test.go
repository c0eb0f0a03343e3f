package delimit

import (
	"io"
	"strings"
	"testing"
)

// TestReadWithinRune cuts text in two Reads at every byte.
func TestReadWithinRune(t *testing.T) {
	const text = "'http://t.example/'\u00fcword \u201chttp://a.example/\u201d\u00fc 'http://b.example/'\u3002 <http://c.example/\u00fc> http://d.example/\u4e2d \"http://e.example/\"\u00fc\n"
	want := scan(t, strings.NewReader(text), Options{})
	for i := range len(text) {
		if d := differ(scan(t, io.MultiReader(strings.NewReader(text[:i]), strings.NewReader(text[i:])), Options{}), want); d != "" {
			t.Errorf("cut at %d: %s", i, d)
		}
	}
}
