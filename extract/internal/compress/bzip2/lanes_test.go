package bzip2

import (
	"bytes"
	twin "compress/bzip2"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
)

// larger has texts of more than leastLong bytes, which are decoded in several lanes at once. The
// periodic text gives a table that consists of several cycles.
var larger = map[string][]byte{"words": words(), "period": bytes.Repeat([]byte("the same again.\n"), 12_000)}

func words() []byte {
	var b bytes.Buffer
	rnd := rand.New(rand.NewPCG(1, 2))
	for b.Len() < 100_000 {
		fmt.Fprintf(&b, "%c%c%d ", 'a'+rnd.IntN(26), 'a'+rnd.IntN(5), rnd.IntN(3))
		if rnd.IntN(12) == 0 {
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}

func TestLarger(t *testing.T) {
	r := new(Reader)
	for name, want := range larger {
		if got, err := read(r, bytes.NewReader(file(t, name))); !bytes.Equal(got, want) || err != nil {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
	}
}

// TestLargerOrigin changes the origin of blocks to every value, so that decoding follows other
// cycles of the table. The text must be that of compress/bzip2.
func TestLargerOrigin(t *testing.T) {
	r := new(Reader)
	for name := range larger {
		data := file(t, name)
		for i := range 24 {
			if !long && i%5 != 0 {
				continue
			}
			const origin = 8*(4+6+4) + 1
			at := origin + i
			data[at/8] ^= 1 << (7 - at%8)
			got, err := read(r, bytes.NewReader(data))
			want, twinErr := io.ReadAll(twin.NewReader(bytes.NewReader(data)))
			if !bytes.HasPrefix(got, want) || (err == nil) != (twinErr == nil) {
				t.Errorf("%s, bit %d: %d bytes, %v; compress/bzip2 has %d, %v", name, i, len(got), err, len(want), twinErr)
			}
			data[at/8] ^= 1 << (7 - at%8)
		}
	}
}

// TestToFront compares the move-to-front list with a simple one that moves each byte.
func TestToFront(t *testing.T) {
	var list, slow [256]byte
	for i := range list {
		list[i], slow[i] = byte(i), byte(i)
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 10_000 {
		i := rnd.IntN(1 + rnd.IntN(256))
		want := slow[i]
		copy(slow[1:], slow[:i])
		slow[0] = want
		if got := toFront(&list, uint(i)); got != want || list != slow {
			t.Fatalf("byte %d: %d, want %d; %v", i, got, want, list)
		}
	}
}
