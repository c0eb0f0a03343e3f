package delimit

import (
	"math/rand/v2"
	"testing"
)

// scanUntilSlow does the same as scanUntil, byte by byte.
func scanUntilSlow(b []byte, i int, until stop) (end int, met check) {
	for ; i < len(b) && checksOf[b[i]]>>until&1 == 0; i++ {
		met |= checksOf[b[i]] & (checkHost | checkEntity)
	}
	return i, met
}

// checkScanUntil compares scanUntil, its twin in Go and scanUntilSlow.
func checkScanUntil(t *testing.T, b []byte, i int, until stop) {
	t.Helper()
	want, wantMet := scanUntilSlow(b, i, until)
	if end, met := scanUntil(b, i, until); end != want || met != wantMet {
		t.Fatalf("scanUntil(%q, %d, %d) = %d, %b, want %d, %b", b, i, until, end, met, want, wantMet)
	}
	if end, met := scanUntilGo(b, i, until); end != want || met != wantMet {
		t.Fatalf("scanUntilGo(%q, %d, %d) = %d, %b, want %d, %b", b, i, until, end, met, want, wantMet)
	}
}

// TestScanUntilBytes puts each byte at each place of some vector lanes.
func TestScanUntilBytes(t *testing.T) {
	b := make([]byte, 80)
	for i := range b {
		b[i] = 'a'
	}
	for until := range numStops {
		for at := range b {
			for c := range 256 {
				b[at] = byte(c)
				checkScanUntil(t, b, 0, until)
			}
			b[at] = 'a'
		}
	}
}

// TestStopTables checks that the bytes of each table fit into six bits, as the kernel requires.
func TestStopTables(t *testing.T) {
	for until, table := range stopTables {
		for c := range 256 {
			m := check(table[0][c&15] & table[1][c>>4])
			if is := checksOf[c]>>until&1 != 0; is != (m&(checkHost-1) != 0) || !is && m&(checkHost|checkEntity) != checksOf[c]&(checkHost|checkEntity) {
				t.Errorf("table %d, byte %q: %b", until, c, m)
			}
		}
	}
}

// TestScanUntilRandom scans random texts, at all alignments and at the ends of pages.
func TestScanUntilRandom(t *testing.T) {
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
		checkScanUntil(t, b, r.IntN(len(b)+1), stop(r.IntN(int(numStops))))
	}
}

// FuzzScanUntil compares the three implementations.
func FuzzScanUntil(f *testing.F) {
	f.Add([]byte("example.org/a?b=c&d@e(f)\" behind it, more than a lane of 32 bytes"), uint16(0), byte(0))
	f.Fuzz(func(t *testing.T, b []byte, i uint16, until byte) {
		checkScanUntil(t, b, min(int(i), len(b)), stop(until)%numStops)
	})
}
