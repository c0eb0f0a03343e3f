package bzip2

import (
	"bufio"
	"fmt"
)

const (
	streamMagic = "BZh"
	blockMagic  = 0x314159265359 // pi
	endMagic    = 0x177245385090 // its square root
)

// An Error is damage in a file. Reading ends there. The text before it is intact, except
// for a block whose checksum does not match. It reads like
//
//	block checksum does not match at offset 1234
type Error struct {
	Offset int64  // of the byte after the last one that was read, from the beginning of the file
	What   string // what is wrong
}

func (e *Error) Error() string { return fmt.Sprintf("%s at offset %d", e.What, e.Offset) }

// A Reader reads one file. Call Reset before the first use, and again for each further
// file.
type Reader struct {
	bits  bitReader
	err   error // returned by all later calls
	where func(*Reader)
	sum   uint32 // combined checksum of the blocks of the stream
	want  uint32 // checksum that the block should have
	block block
}

// Reset begins a file. The Reader reads no more of in than it needs.
func (r *Reader) Reset(in *bufio.Reader) {
	r.bits = bitReader{in: in}
	r.err, r.where = nil, (*Reader).streamHeader
	r.block.text.reset()
}

// Read decompresses. It returns [io.EOF] at the end, [io.ErrUnexpectedEOF] if the file is
// truncated, an [*Error] for damage, or an error of in unchanged. All text in front of
// that is returned first. Each iteration reads a part of the file.
func (r *Reader) Read(p []byte) (int, error) {
	for len(p) > 0 {
		if n := r.block.text.read(p); n > 0 {
			return n, nil
		}
		if r.err != nil {
			return 0, r.err
		}
		if r.where(r); r.bits.err != nil {
			r.err = r.bits.err
		}
	}
	return 0, nil
}

// streamHeader reads the 4 bytes that begin a stream.
func (r *Reader) streamHeader() {
	b := &r.bits
	for _, c := range []byte(streamMagic) {
		if b.read(8) != uint64(c) {
			b.fail("no header of a stream")
		}
	}
	level := int(b.read(8)) - '0'
	if level < 1 || level > 9 {
		b.fail("no header of a stream")
	}
	r.block.most, r.sum, r.where = 100_000*level, 0, (*Reader).next
}

// next reads a block, or the end of the stream.
func (r *Reader) next() {
	b := &r.bits
	switch magic := b.read(48); {
	case b.err != nil:
	case magic == endMagic:
		if sum := uint32(b.read(32)); sum != r.sum {
			b.fail("checksum of a stream does not match")
		}
		b.align()
		r.where = (*Reader).between
	case magic == blockMagic:
		r.want = uint32(b.read(32))
		r.sum = (r.sum<<1 | r.sum>>31) ^ r.want
		r.block.decode(b)
		r.where = (*Reader).check
	default:
		b.fail("no header of a block")
	}
}

// check compares the checksum of the block that was read.
func (r *Reader) check() {
	if ^r.block.text.sum != r.want {
		r.bits.fail("block checksum does not match")
	}
	r.where = (*Reader).next
}

// between reads what follows a stream: zeros, the end, or another stream. Each iteration
// consumes a byte.
func (r *Reader) between() {
	in := r.bits.in
	for {
		c, err := in.ReadByte()
		if err != nil {
			r.bits.err = err // io.EOF, or an error of the input
			return
		}
		if c != 0 {
			break
		}
		r.bits.n++
	}
	_ = in.UnreadByte()
	if head, _ := in.Peek(len(streamMagic)); string(head) != streamMagic[:len(head)] {
		r.bits.fail("trailing bytes that begin no stream")
	}
	r.where = (*Reader).streamHeader
}
