package inflate

import (
	"testing"
)

// FuzzDamaged reads arbitrary bytes in all ways, and with compress/flate. The seeds in
// testdata/fuzz were written by zlib, pigz, igzip, libdeflate, zopfli, 7-Zip and Go.
func FuzzDamaged(f *testing.F) {
	f.Add([]byte("\x03\x00"))
	d := new(Reader)
	f.Fuzz(func(t *testing.T, data []byte) { compare(t, d, data) })
}

// FuzzText reads texts that compress/flate has compressed.
func FuzzText(f *testing.F) {
	f.Add([]byte("abcabcabcabcabcabcd"), 6)
	f.Add(sample(5000), 1)
	d := new(Reader)
	f.Fuzz(func(t *testing.T, text []byte, level int) {
		compare(t, d, deflate(t, text, min(max(level, -2), 9)))
	})
}
