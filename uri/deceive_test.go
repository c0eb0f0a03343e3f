package uri

import (
	"strings"
	"testing"

	"golang.org/x/net/idna"
)

// FuzzPunycode compares decodePunycode with package idna.
func FuzzPunycode(f *testing.F) {
	for _, s := range []string{"pypal-4ve", "80ak6aa92e", "news-9d6fs62e31j", "mller-kva", "i-7iq", "", "-", "a-", "99999999", "zzzzzzzzzz", "0000000000000000", "-0", "ab-cdE-fgH0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 300 || strings.Contains(s, ".") {
			return // a label has no dot
		}
		var runes [maxLabel]rune
		n := decodePunycode(&runes, s)
		got := string(runes[:n])
		want, err := idna.Punycode.ToUnicode("xn--" + s)
		if n > 0 && err == nil && got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
		if again, err := idna.Punycode.ToASCII(got); n > 0 && err == nil && len(again) > 4 && again[:4] == "xn--" {
			if k := decodePunycode(&runes, again[4:]); string(runes[:k]) != got {
				t.Errorf("%q: %q becomes %q", s, got, again)
			}
		}
	})
}
