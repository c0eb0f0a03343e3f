package xz

import (
	"encoding/binary"
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

// add adds a block: its size without padding, and that of its text.
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

// index reads the index and the footer, after the 0 that begins them. Each iteration
// reads a record; there are as many as blocks.
func (r *Reader) index() error {
	x := indexReader{in: &r.in, size: 1, crc: crc32.IEEETable[0xff] ^ (1<<32-1)>>8} // of the 0 that begins the index
	const differs = damage("index does not match the blocks")
	if n := x.number(); x.err == nil && n != r.records.n {
		return differs
	}
	var seen records
	for seen.n < r.records.n && x.err == nil {
		size := x.number()
		seen.add(size, x.number())
	}
	for x.size%4 != 0 && x.err == nil {
		if x.byte() != 0 && x.err == nil {
			x.err = damage("padding of the index is not zero")
		}
	}
	switch {
	case x.err != nil:
		return x.err
	case seen != r.records:
		return differs
	}
	h, err := r.in.next(4)
	if err == nil && binary.LittleEndian.Uint32(h) != ^x.crc {
		err = damage("index does not match its checksum")
	}
	if err != nil {
		return err
	}
	return r.footer(x.size + 4)
}

// footer reads the end of a stream, after an index of size bytes.
func (r *Reader) footer(size int64) error {
	f, err := r.in.next(12)
	if err != nil {
		return err
	}
	crc, at := binary.LittleEndian.Uint32(f), int64(binary.LittleEndian.Uint32(f[4:]))
	switch {
	case string(f[10:]) != footerMagic:
		return damage("no footer of a stream")
	case crc32.ChecksumIEEE(f[4:10]) != crc:
		return damage("footer does not match its checksum")
	case 4*(at+1) != size, f[8] != 0, int(f[9]) != r.check:
		return damage("footer does not match the stream")
	}
	r.where = (*Reader).between
	return nil
}

// between reads what follows a stream: 4 zeros at a time, the end, or another stream.
func (r *Reader) between() error {
	head, err := r.in.Peek(4)
	switch {
	case len(head) == 0:
		return err // the end, or that of the reader below
	case len(head) < 4:
		return noEOF(err)
	case string(head) == "\x00\x00\x00\x00":
		_, err = r.in.next(4)
		return err
	case string(head) != streamMagic[:4]:
		return damage("trailing bytes that begin no stream")
	}
	r.where = (*Reader).streamHeader
	return nil
}
