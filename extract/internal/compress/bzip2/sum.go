package bzip2

import (
	"encoding/binary"
	"math/bits"
)

// A Checksum combines the checksums of consecutive blocks of a stream. The zero Checksum is the Checksum of no
// blocks, at the beginning of a stream.
type Checksum struct {
	bits    uint32
	blocks  uint8 // number of the blocks, modulo 32
	partial bool  // other blocks of the stream precede these
	lost    bool  // a block was damaged: the Checksum is not known
}

// add adds the checksum of the next block.
func (s *Checksum) add(block uint32) {
	s.bits = bits.RotateLeft32(s.bits, 1) ^ block
	s.blocks = (s.blocks + 1) % 32
}

// Then returns the Checksum of the blocks of s and then those of next.
func (s Checksum) Then(next Checksum) Checksum {
	if !next.partial {
		return next
	}
	return Checksum{bits.RotateLeft32(s.bits, int(next.blocks)) ^ next.bits, (s.blocks + next.blocks) % 32, s.partial, s.lost || next.lost}
}

// sumTables are the tables of CRC-32 with the highest bit first, which hash/crc32 lacks:
// sumTables[i][c] is the sum of c and i zeros after it.
var sumTables = func() (t [8][256]uint32) {
	for i := range 256 {
		v := uint32(i) << 24
		for range 8 {
			v = v<<1 ^ v>>31*0x04c11db7
		}
		t[0][i] = v
	}
	for k := 1; k < len(t); k++ {
		for i := range 256 {
			v := t[k-1][i]
			t[k][i] = t[0][v>>24] ^ v<<8
		}
	}
	return t
}()

// addSum adds p to sum. Each iteration adds 8 bytes, or one.
func addSum(sum uint32, p []byte) uint32 {
	t := &sumTables
	for ; len(p) >= 8; p = p[8:] {
		a := binary.BigEndian.Uint32(p) ^ sum
		b := binary.BigEndian.Uint32(p[4:])
		sum = t[7][a>>24] ^ t[6][a>>16&255] ^ t[5][a>>8&255] ^ t[4][a&255] ^
			t[3][b>>24] ^ t[2][b>>16&255] ^ t[1][b>>8&255] ^ t[0][b&255]
	}
	for _, c := range p {
		sum = t[0][byte(sum>>24)^c] ^ sum<<8
	}
	return sum
}
