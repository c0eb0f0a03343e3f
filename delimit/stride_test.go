package delimit

import (
	"math/rand/v2"
	"testing"
)

// strideSlow is stride byte by byte.
func strideSlow(b []byte, i int, until stop) (end int, met ask) {
	for ; i < len(b) && asks[b[i]]>>until&1 == 0; i++ {
		met |= asks[b[i]] & (askHost | askEntity)
	}
	return i, met
}

// checkStride compares stride, its twin in Go and strideSlow.
func checkStride(t *testing.T, b []byte, i int, until stop) {
	t.Helper()
	want, wantMet := strideSlow(b, i, until)
	if end, met := stride(b, i, until); end != want || met != wantMet {
		t.Fatalf("stride(%q, %d, %d) = %d, %b, want %d, %b", b, i, until, end, met, want, wantMet)
	}
	if end, met := strideGo(b, i, until); end != want || met != wantMet {
		t.Fatalf("strideGo(%q, %d, %d) = %d, %b, want %d, %b", b, i, until, end, met, want, wantMet)
	}
}

// TestStrideBytes puts each byte at each place of some lanes.
func TestStrideBytes(t *testing.T) {
	b := make([]byte, 80)
	for i := range b {
		b[i] = 'a'
	}
	for until := range numStops {
		for at := range b {
			for c := range 256 {
				b[at] = byte(c)
				checkStride(t, b, 0, until)
			}
			b[at] = 'a'
		}
	}
}

// TestStrideTables checks that no table needs more than six bits for its ends.
func TestStrideTables(t *testing.T) {
	for until, table := range strideTables {
		for c := range 256 {
			m := ask(table[0][c&15] & table[1][c>>4])
			if is := asks[c]>>until&1 != 0; is != (m&(askHost-1) != 0) || !is && m&(askHost|askEntity) != asks[c]&(askHost|askEntity) {
				t.Errorf("table %d, byte %q: %b", until, c, m)
			}
		}
	}
}

// TestStrideRandom takes random texts, at all alignments and at the ends of pages.
func TestStrideRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	page := make([]byte, 1<<16)
	for i := range page {
		if page[i] = 'a' + byte(r.IntN(26)); r.IntN(40) == 0 {
			page[i] = byte(r.IntN(256))
		}
	}
	for range 100000 {
		lo := r.IntN(len(page))
		if r.IntN(4) == 0 {
			lo = len(page) - r.IntN(100)
		}
		b := page[lo:min(len(page), lo+r.IntN(140))]
		checkStride(t, b, r.IntN(len(b)+1), stop(r.IntN(int(numStops))))
	}
}

// FuzzStride compares the three ways.
func FuzzStride(f *testing.F) {
	f.Add([]byte("example.org/a?b=c&d@e(f)\" behind it, more than a lane of 32 bytes"), uint16(0), byte(0))
	f.Fuzz(func(t *testing.T, b []byte, i uint16, until byte) {
		checkStride(t, b, min(int(i), len(b)), stop(until)%numStops)
	})
}
