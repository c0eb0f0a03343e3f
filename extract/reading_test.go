package extract

import (
	"testing"

	"github.com/urlsift/urlsift/uri"
)

// TestPlain checks that text for which isPlain reports true needs no escapes.
func TestPlain(t *testing.T) {
	n := 0
	for i := range 256 {
		c := string([]byte{byte(i)})
		if !isPlain([]byte(c)) {
			continue
		}
		n++
		for _, s := range []string{"http://u" + c + "@h/a" + c + "b?" + c + "#" + c, "urn:" + c, c} {
			for g := range uri.Every.Each() {
				if got := string(uri.AppendEscaped(nil, s, g)); got != s {
					t.Errorf("%q becomes %q by %v", s, got, g)
				}
			}
		}
	}
	if n != 62+19 {
		t.Errorf("%d bytes are plain", n)
	}
}
