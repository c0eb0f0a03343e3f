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

// TestIndexStream finds 12 streams in a file, which have a block each, and a short one.
func TestIndexStream(t *testing.T) {
	data := file(t, "short")
	for name, index := range map[string]func([]byte) int{"blocks": Index, "streams": IndexStream} {
		var at []int
		for from := 0; ; from = at[len(at)-1] + HeadLen {
			k := index(data[from:])
			if k < 0 {
				break
			}
			at = append(at, from+k)
		}
		heads := slices.DeleteFunc(slices.Clone(at), func(i int) bool { return !isHeader(data[i:]) })
		want := map[string]int{"blocks": 24, "streams": 12}[name]
		if len(at) != want || len(heads) != 12 {
			t.Errorf("%s: %d, want %d, and %d of 12 headers", name, len(at), want, len(heads))
		}
	}
	if k := IndexStream(file(t, "ten")[1:]); k >= 0 {
		t.Errorf("a stream at %d in a file of one stream", 1+k)
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
