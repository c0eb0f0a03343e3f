package xz

import (
	"hash/crc32"
	"math/bits"
)

// The index has a record for each block. Reading from front to back does not need it, but
// it says how many blocks there were.

// records is the summary of the blocks, or of the index: their number and a hash of their
// sizes. So memory does not grow with the number of blocks.
type records struct {
	n    uint64
	hash uint64
}

// add adds a block: its size without padding, and the size of its text.
func (r *records) add(size, text uint64) {
	const odd = 0x9e3779b97f4a7c15
	r.n++
	r.hash = (bits.RotateLeft64(r.hash, 29) ^ size) * odd
	r.hash = (bits.RotateLeft64(r.hash, 29) ^ text) * odd
}

// An indexReader reads numbers of the index, and computes its checksum.
type indexReader struct {
	in   *input
	size int64  // bytes read so far
	crc  uint32 // without the final inversion
	err  error
}

// number reads a number of at most 9 bytes. Each iteration takes a byte.
func (x *indexReader) number() uint64 {
	var b [9]byte
	for i := range b {
		if b[i] = x.byte(); b[i]&0x80 == 0 || x.err != nil {
			n := numbers{b: b[:i+1]}
			v := n.next()
			if n.bad && x.err == nil {
				x.err = damage("bad number in the index")
			}
			return v
		}
	}
	x.err = damage("bad number in the index")
	return 0
}

func (x *indexReader) byte() byte {
	if x.err != nil {
		return 0
	}
	c, err := x.in.byte()
	if x.err = err; err == nil {
		x.size++
		x.crc = crc32.IEEETable[byte(x.crc)^c] ^ x.crc>>8
	}
	return c
}
