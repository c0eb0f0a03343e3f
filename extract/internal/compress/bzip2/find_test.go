package bzip2

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestIndex puts the magic number of a block at each bit offset of random bytes, with and without a
// stream header in front of it. It must be found.
func TestIndex(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for at := range 8 * 40 {
		for _, head := range []string{"", "BZh9", "BZh0", "BZx9"} {
			b := make([]byte, 60)
			for i := range b {
				b[i] = byte(rnd.Uint32())
			}
			for i := range 48 {
				mask := byte(1) << (7 - (at+i)%8)
				b[(at+i)/8] &^= mask
				if uint64(blockMagic)>>(47-i)&1 != 0 {
					b[(at+i)/8] |= mask
				}
			}
			want := at / 8
			if from := at/8 - len(head); head != "" && at%8 == 0 && from >= 0 {
				copy(b[from:], head)
				if head == "BZh9" {
					want = from
				}
			}
			if got := Index(b); got != want {
				t.Errorf("bit %d after %q: %d, want %d", at, head, got, want)
			}
			if got := Index(b[:(at+48)/8]); at%8 != 0 && got >= 0 {
				t.Errorf("bit %d, cut: %d", at, got)
			}
		}
	}
}

// TestIndexShort finds the blocks of a file of 12 streams, which have a long block each, and a short one.
func TestIndexShort(t *testing.T) {
	data := file(t, "short")
	at := starts(data)
	at = at[:len(at)-1] // the end
	heads := slices.DeleteFunc(slices.Clone(at), func(i int) bool { return !isHeader(data[i:]) })
	if len(at) != 24 || len(heads) != 12 {
		t.Errorf("%d blocks, want 24, and %d of 12 headers", len(at), len(heads))
	}
}

// TestSum checks that checksums of blocks can be combined in parts.
func TestSum(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	for range 1000 {
		var whole, before Checksum
		after := Checksum{partial: true}
		n, m := rnd.IntN(70), rnd.IntN(70)
		for i := range n + m {
			v := rnd.Uint32()
			whole.add(v)
			if i < n {
				before.add(v)
			} else {
				after.add(v)
			}
		}
		if got := before.Then(after); got != whole {
			t.Fatalf("%d and %d blocks: %v, want %v", n, m, got, whole)
		}
		if got := after.Then(whole); got != whole {
			t.Fatalf("a stream after %d blocks: %v, want %v", m, got, whole)
		}
	}
}
