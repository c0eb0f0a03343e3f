package delimit

import (
	"math/rand/v2"
	"testing"

	"github.com/urlsift/urlsift/delimit/internal/window"
)

// scanUntilSlow does the same as window.ScanUntil, byte by byte.
func scanUntilSlow(b []byte, i int, until window.Stop) (end int, met window.Check) {
	for ; i < len(b) && window.ChecksOf[b[i]]>>until&1 == 0; i++ {
		met |= window.ChecksOf[b[i]] & (window.CheckHost | window.CheckEntity)
	}
	return i, met
}

// checkScanUntil compares window.ScanUntil, its twin in Go and scanUntilSlow.
func checkScanUntil(t *testing.T, b []byte, i int, until window.Stop) {
	t.Helper()
	want, wantMet := scanUntilSlow(b, i, until)
	if end, met := window.ScanUntil(b, i, until); end != want || met != wantMet {
		t.Fatalf("scanUntil(%q, %d, %d) = %d, %b, want %d, %b", b, i, until, end, met, want, wantMet)
	}
	if end, met := window.ScanUntilGo(b, i, until); end != want || met != wantMet {
		t.Fatalf("scanUntilGo(%q, %d, %d) = %d, %b, want %d, %b", b, i, until, end, met, want, wantMet)
	}
}

// TestScanUntilBytes puts each byte at each place of some vector lanes.
func TestScanUntilBytes(t *testing.T) {
	b := make([]byte, 80)
	for i := range b {
		b[i] = 'a'
	}
	for until := range window.NumStops {
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
	for until, table := range window.StopTables {
		for c := range 256 {
			m := window.Check(table[0][c&15] & table[1][c>>4])
			if is := window.ChecksOf[c]>>until&1 != 0; is != (m&(window.CheckHost-1) != 0) || !is && m&(window.CheckHost|window.CheckEntity) != window.ChecksOf[c]&(window.CheckHost|window.CheckEntity) {
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
		checkScanUntil(t, b, r.IntN(len(b)+1), window.Stop(r.IntN(int(window.NumStops))))
	}
}

// FuzzScanUntil compares the three implementations.
func FuzzScanUntil(f *testing.F) {
	f.Add([]byte("example.org/a?b=c&d@e(f)\" behind it, more than a lane of 32 bytes"), uint16(0), byte(0))
	f.Fuzz(func(t *testing.T, b []byte, i uint16, until byte) {
		checkScanUntil(t, b, min(int(i), len(b)), window.Stop(until)%window.NumStops)
	})
}
