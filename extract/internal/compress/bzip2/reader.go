package bzip2

import (
	"bufio"
	"fmt"
	"io"
)

const (
	streamMagic = "BZh"
	blockMagic  = 0x314159265359 // pi
	endMagic    = 0x177245385090 // its square root
)

// An Error is damage in a file. It ends the reading; the text before it is good, but for
// a block whose checksum does not match. It reads like
//
//	block checksum does not match at offset 1234
type Error struct {
	Offset int64  // of the byte after the last one that was read, from the beginning of the file
	What   string // what is wrong
}

func (e *Error) Error() string { return fmt.Sprintf("%s at offset %d", e.What, e.Offset) }

// A Reader reads one file. It must be Reset before it is read, and may be Reset any number
// of times.
type Reader struct {
	bits  bitReader
	err   error // returned by all later calls
	where func(*Reader)
	sum   uint32 // of the checksums of the stream's blocks
	want  uint32 // checksum of the block
	block block
}

// Reset begins a file. The Reader reads no further in in than it has to.
func (r *Reader) Reset(in *bufio.Reader) {
	r.bits = bitReader{in: in}
	r.err, r.where = nil, (*Reader).streamHeader
	r.block.text.left, r.block.text.repeat = 0, 0
}

// Read decompresses. It returns [io.EOF] at the end, [io.ErrUnexpectedEOF] if the file is
// cut, an [*Error] for damage, or an error of the reader below unchanged; each after all
// text that comes before it. Each iteration reads a part of the file.
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

// fail ends the reading with damage, unless the input has failed before.
func (b *bitReader) fail(what string) {
	if b.err == nil {
		b.err = &Error{Offset: b.n - int64(b.have/8), What: what} // bytes may have been taken ahead
	}
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

// check compares the checksum of the block's text, which has been read.
func (r *Reader) check() {
	if ^r.block.text.sum != r.want {
		r.bits.fail("block checksum does not match")
	}
	r.where = (*Reader).next
}

// between reads what follows a stream: zeros, the end, or another stream. Each iteration
// takes a byte.
func (r *Reader) between() {
	in := r.bits.in
	for {
		c, err := in.ReadByte()
		if err != nil {
			r.bits.err = err // the end, or that of the reader below
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

// A bitReader reads bits, the highest of each byte first. After an error all bits are 0.
type bitReader struct {
	in   *bufio.Reader
	n    int64  // bytes taken
	acc  uint64 // the last have bits are to be read
	have uint
	err  error
}

// fill makes have at least n, if there are as many; n is at most 56. Each iteration takes
// a byte.
func (b *bitReader) fill(n uint) bool {
	for b.have < n {
		c, err := b.in.ReadByte()
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			if b.err == nil {
				b.err = err
			}
			return false
		}
		b.n++
		b.acc = b.acc<<8 | uint64(c)
		b.have += 8
	}
	return true
}

// read reads a number of n bits.
func (b *bitReader) read(n uint) uint64 {
	if b.err != nil || b.have < n && !b.fill(n) {
		return 0
	}
	b.have -= n
	return b.acc >> b.have & (1<<n - 1)
}

// align passes over what is left of a byte.
func (b *bitReader) align() { b.have -= b.have % 8 }
