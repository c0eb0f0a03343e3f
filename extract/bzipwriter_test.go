package extract_test

import (
	"bytes"
	"hash/crc32"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// bzipMembers compresses text with bzip2. The sizes of blocks (up to most), the number of blocks in
// a stream, and the levels are random. Some streams are empty, and zeros follow some streams.
func bzipMembers(_ testing.TB, rnd *rand.Rand, text []byte, most int) (data []byte) {
	same := rnd.IntN(2) == 0 // use one level, and few streams
	for len(text) > 0 {
		w := bzipWriter{level: 9}
		streams := 1 << 20
		if !same {
			w.level, streams = 1+rnd.IntN(9), 1+rnd.IntN(6)
		}
		w.header()
		for range streams {
			n := min(len(text), 1+rnd.IntN(most))
			if w.block(text[:n]); n == len(text) || rnd.IntN(100) == 0 {
				text = text[n:]
				break
			}
			text = text[n:]
		}
		data = append(data, w.end()...)
		switch rnd.IntN(8) {
		case 0:
			empty := bzipWriter{level: 1}
			empty.header()
			data = append(data, empty.end()...)
		case 1:
			data = append(data, make([]byte, rnd.IntN(20))...)
		}
	}
	return data
}

// A bzipWriter writes one stream of bzip2. It sorts slowly, and its codes have one length.
type bzipWriter struct {
	level int
	out   []byte
	acc   uint64
	have  int
	sum   uint32
}

func (w *bzipWriter) bits(v uint64, n int) {
	for n--; n >= 0; n-- {
		w.acc = w.acc<<1 | v>>n&1
		if w.have++; w.have == 8 {
			w.out, w.acc, w.have = append(w.out, byte(w.acc)), 0, 0
		}
	}
}

func (w *bzipWriter) header() {
	for _, c := range []byte{'B', 'Z', 'h', '0' + byte(w.level)} {
		w.bits(uint64(c), 8)
	}
}

func (w *bzipWriter) end() []byte {
	w.bits(0x177245385090, 48)
	w.bits(uint64(w.sum), 32)
	if w.have > 0 {
		w.bits(0, 8-w.have)
	}
	return w.out
}

// blockSum returns the checksum of a block: a CRC-32 with the order of bits reversed.
func blockSum(text []byte) uint32 {
	turned := make([]byte, len(text))
	for i, c := range text {
		turned[i] = bits.Reverse8(c)
	}
	return bits.Reverse32(crc32.ChecksumIEEE(turned))
}

// block writes a block of text.
func (w *bzipWriter) block(text []byte) {
	sum := blockSum(text)
	w.sum = bits.RotateLeft32(w.sum, 1) ^ sum
	var run []byte // the text after run-length encoding
	for i := 0; i < len(text); {
		n := 1
		for i+n < len(text) && n < 259 && text[i+n] == text[i] {
			n++
		}
		run = append(run, text[i:i+min(n, 4)]...)
		if n >= 4 {
			run = append(run, byte(n-4))
		}
		i += n
	}
	last, origin := transform(run)
	var used [256]bool
	for _, c := range last {
		used[c] = true
	}
	var list []byte
	for c := range used {
		if used[c] {
			list = append(list, byte(c))
		}
	}
	w.bits(0x314159265359, 48)
	w.bits(uint64(sum), 32)
	w.bits(0, 1)
	w.bits(uint64(origin), 24)
	w.bitmap(&used)
	w.symbols(toSymbols(last, list), len(list)+2)
}

// transform is the Burrows-Wheeler transform.
func transform(text []byte) (last []byte, origin int) {
	n := len(text)
	twice := append(bytes.Clone(text), text...)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return bytes.Compare(twice[a:a+n], twice[b:b+n]) })
	for k, at := range order {
		if at == 0 {
			origin = k
		}
		last = append(last, twice[at+n-1])
	}
	return last, origin
}

// bitmap writes which bytes occur.
func (w *bzipWriter) bitmap(used *[256]bool) {
	row := func(from, step int) (v uint64) {
		for i := range 16 {
			v <<= 1
			if slices.Contains(used[from+i*step:from+(i+1)*step], true) {
				v |= 1
			}
		}
		return v
	}
	w.bits(row(0, 16), 16)
	for i := 0; i < 256; i += 16 {
		if slices.Contains(used[i:i+16], true) {
			w.bits(row(i, 1), 16)
		}
	}
}

// toSymbols is the move-to-front transform. It encodes runs of zeros as their length.
func toSymbols(last, list []byte) (syms []int) {
	run := 0
	flush := func() {
		for ; run > 0; run = (run - 1) / 2 {
			syms = append(syms, (run-1)%2)
		}
	}
	for _, c := range last {
		i := bytes.IndexByte(list, c)
		if i == 0 {
			run++
			continue
		}
		flush()
		syms = append(syms, i+1)
		copy(list[1:], list[:i])
		list[0] = c
	}
	flush()
	return append(syms, len(list)+1)
}

// symbols writes two equal code tables for n symbols, and then syms.
func (w *bzipWriter) symbols(syms []int, n int) {
	long := bits.Len(uint(n - 1))
	short := 1<<long - n // the number of codes that are shorter by one bit
	groups := (len(syms) + 49) / 50
	w.bits(2, 3)
	w.bits(uint64(groups), 15)
	for i := range groups {
		if i%2 == 0 {
			w.bits(0, 1)
		} else {
			w.bits(2, 2)
		}
	}
	for range 2 {
		w.bits(uint64(long), 5)
		for i := range n {
			if i == 0 && short > 0 {
				w.bits(3, 2)
			} else if i == short && short > 0 {
				w.bits(2, 2)
			}
			w.bits(0, 1)
		}
	}
	for _, s := range syms {
		if s < short {
			w.bits(uint64(s), long-1)
		} else {
			w.bits(uint64(s+short), long)
		}
	}
}
