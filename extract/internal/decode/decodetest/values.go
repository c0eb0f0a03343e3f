package decodetest

import (
	"bytes"
	"testing"
	"unicode/utf8"

	"github.com/urlsift/urlsift/extract/internal/decode"
)

// CheckValues reads raw with a decoder that finds values, first whole, and then in Reads of in
// bytes into slices of out bytes. It fails if the two results differ, if text is not in order,
// or if a value is empty or outside the input.
func CheckValues(t *testing.T, raw []byte, in, out int, d decode.Decoder) {
	t.Helper()
	want := Observe(bytes.NewReader(raw), d, 1<<16)
	if want.Err != "" {
		t.Fatalf("%q: %s", raw, want.Err)
	}
	if utf8.Valid(raw) {
		CheckOrder(t, want, len(raw))
	}
	for i, s := range want.Spans {
		if s[0] > s[1] || s[1] > int64(len(raw)) || len(want.Vals[i]) == 0 {
			t.Fatalf("%q: value %q at %v", raw, want.Vals[i], s)
		}
	}
	in, out = 1+(in&0x3F), 1+(out&0x3F)
	if err := Observe(&Chunks{B: raw, N: in}, d, out).Equal(want); err != nil {
		t.Fatalf("%q, reads of %d into %d: %v", raw, in, out, err)
	}
}

// CheckSniff fails unless sniff returns for each text, a key of texts, the value of that key. For a
// beginning of the text, sniff must return the same, or ask for more bytes.
func CheckSniff(t *testing.T, texts map[string]bool, sniff func(head []byte, whole bool) (is, wait bool)) {
	t.Helper()
	for text, want := range texts {
		if got, _ := sniff([]byte(text), true); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
		for n := range len(text) {
			if got, wait := sniff([]byte(text[:n]), false); !wait && got != want {
				t.Errorf("%q: %v after %d bytes, want %v", text, got, n, want)
			}
		}
	}
}
