package bzip2

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
)

// An input is a file whose bytes can be read again. It reads from in only if a byte is
// needed that is not buffered.
type input struct {
	in    *bufio.Reader
	n     int64  // bytes consumed
	ended error  // error of in; returned again, also after bytes that are read again
	kept  []byte // all bytes consumed since keep was called
	back  []byte // bytes to read again before those of in; they lie in the memory of kept
}

// keep makes b keep what it consumes from here on. A block is the most that it keeps.
func (b *input) keep() { b.kept = b.kept[:0] }

// rewind makes b read again all that it has kept.
func (b *input) rewind() {
	b.n -= int64(len(b.kept))
	b.back, b.kept = append(b.kept, b.back...), b.kept[:0] // in the same memory: kept overwrites only bytes of back that were read
}

// buffered returns how many bytes can be read without waiting.
func (b *input) buffered() int {
	if len(b.back) > 0 {
		return len(b.back)
	}
	return b.in.Buffered()
}

// next returns the next byte without consuming it.
func (b *input) next() (byte, error) {
	if len(b.back) > 0 {
		return b.back[0], nil
	}
	if b.ended == nil {
		head, err := b.in.Peek(1)
		if err == nil {
			return head[0], nil
		}
		b.ended = err
	}
	return 0, b.ended
}

// consume returns the next byte.
func (b *input) consume() (c byte, err error) {
	switch {
	case len(b.back) > 0:
		c, b.back = b.back[0], b.back[1:]
	case b.ended != nil:
		return 0, b.ended
	default:
		if c, b.ended = b.in.ReadByte(); b.ended != nil {
			return 0, b.ended
		}
	}
	b.n++
	b.kept = append(b.kept, c)
	return c, nil
}

// A bitReader reads bits, from the highest of each byte to the lowest. After an error all
// bits are 0.
type bitReader struct {
	input
	acc  uint64 // its last have bits are the next ones
	have uint
	err  error
}

// again makes b read again all that it has kept, from its first bit.
func (b *bitReader) again() {
	b.rewind()
	b.acc, b.have, b.err = 0, 0, nil
}

// fail ends reading with damage, unless the input failed first.
func (b *bitReader) fail(what string) {
	if b.err == nil {
		b.err = &Error{Offset: b.offset(), What: what}
	}
}

// offset returns the offset of the byte after the one with the last bit that was read.
func (b *bitReader) offset() int64 { return b.n - int64(b.have/8) }

// fill makes have at least n, if the input has as many bits; n is at most 56.
func (b *bitReader) fill(n uint) bool {
	for b.have < n {
		c, err := b.consume()
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			if b.err == nil {
				b.err = err
			}
			return false
		}
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

// peek makes have at least n, if the buffer has as many bits.
func (b *bitReader) peek(n uint) bool {
	return b.buffered() >= 2 && b.err == nil && b.fill(n)
}

// align skips to the next whole byte.
func (b *bitReader) align() { b.have -= b.have % 8 }

// A window reads bits that are buffered, without consuming them. The method group of code
// uses it.
type window struct {
	buf  []byte
	at   int    // the next byte of buf
	acc  uint64 // its first have bits are the next ones; those after them are zeros, or the bits that follow
	have uint
}

// window returns the buffered bits. What was read from the window is consumed only by
// advance.
func (b *bitReader) window() window {
	buf := b.back
	if len(buf) == 0 {
		buf, _ = b.in.Peek(b.in.Buffered())
	}
	return window{buf: buf, acc: b.acc << (64 - b.have), have: b.have}
}

// advance continues after the bits that were read from w.
func (b *bitReader) advance(w *window) {
	unread := min(w.at, int(w.have/8))
	n := w.at - unread
	b.kept = append(b.kept, w.buf[:n]...)
	if len(b.back) > 0 {
		b.back = b.back[n:]
	} else {
		_, _ = b.in.Discard(n)
	}
	b.n += int64(n)
	b.have = w.have - 8*uint(unread)
	b.acc = w.acc >> (64 - b.have)
}

// An Error is damage in a file. Reading ends there. The text before it is intact, except for a
// block whose checksum does not match. Its message has this form:
//
//	block checksum does not match at offset 1234
type Error struct {
	Offset int64  // offset of the byte after the last one that was read; if a block has no end, offset of the next block
	What   string // what is wrong
}

func (e *Error) Error() string { return fmt.Sprintf("%s at offset %d", e.What, e.Offset) }

// Reading continues after a damaged block. The decoder may have read beyond the end of that
// block, into the blocks after it. So the bytes that it consumes for a block are kept, and the
// next block is searched for in them first.
//
// The decoder may read to the end of the file and find no end of a block. If another block
// or the end of the stream begins in the consumed bytes, the block is damaged; otherwise it
// is cut.

// findBlock consumes the input up to the magic number of the next block. whole reports whether
// that number begins at the first bit of a byte; if it does, head is the four bytes in front of
// it.
func (b *bitReader) findBlock() (head string, whole, ok bool) {
	var before, v uint64 // v has the last 8 bytes, and before the 8 bytes in front of these
	for {
		c, err := b.consume()
		if err != nil {
			b.err = err // io.EOF, or an error of the input
			return "", false, false
		}
		b.keep() // the bytes before are not needed again
		before, v = before<<8|v>>56, v<<8|uint64(c)
		if pair := v >> 16 & (1<<16 - 1); pairs[pair/64]>>(pair%64)&1 == 0 {
			continue
		}
		for rest := range 8 {
			if v>>rest&(1<<48-1) == blockMagic {
				b.acc, b.have = v, uint(rest)
				return string([]byte{byte(before >> 8), byte(before), byte(v >> 56), byte(v >> 48)}), rest == 0, true
			}
		}
	}
}

// firstMagic reads a magic number that begins at any bit of the first byte.
func (b *bitReader) firstMagic() uint64 {
	magic := b.read(48)
	for i := 0; i < 7 && magic != blockMagic; i++ {
		magic = (magic<<1 | b.read(1)) & (1<<48 - 1)
	}
	return magic
}

// swallowed is called when the current block has ended with an error. If the input ended in this
// block, other blocks may have been consumed as a part of it: swallowed returns the offset of the
// first block, or end of a stream, among the consumed bytes. It returns -1 if there is none, or if
// the input ended with the error stopped.
func (b *bitReader) swallowed(stopped error) int64 {
	if _, damaged := b.err.(*Error); damaged || b.ended == nil || b.ended == stopped {
		return -1
	}
	var v uint64
	for i, c := range b.kept {
		v = v<<8 | uint64(c)
		for rest := range 8 {
			if m := v >> rest & (1<<48 - 1); m == blockMagic || m == endMagic {
				return b.n - int64(len(b.kept)) + int64(8*(i+1)-rest-48)/8
			}
		}
	}
	return -1
}

const (
	streamMagic = "BZh"
	blockMagic  = 0x314159265359 // pi
	endMagic    = 0x177245385090 // its square root
)

// HeadLen is how many bytes are needed to recognise a block: the header of its stream, and
// its magic number, which may begin at any bit.
const HeadLen = 4 + 7

// Index returns the index in b of the first byte of what is probably a block, or of the header
// of the block's stream if that directly precedes the block. It returns -1 if b has no whole
// magic number of a block. By chance, such a number appears once in 2^48 bits.
//
// A magic number covers at least 5 whole bytes, at whichever bit of a byte it begins. So two
// adjacent bytes of these begin at an index that is a multiple of 4. Such a pair has one of only
// 33 values.
func Index(b []byte) int {
	for i := 0; i+2 <= len(b); i += 4 {
		pair := binary.BigEndian.Uint16(b[i:])
		if pairs[pair/64]>>(pair%64)&1 == 0 {
			continue
		}
		for at := max(0, i-4); at <= i; at++ {
			if isBlock(b[at:]) {
				if head := at - len(streamMagic) - 1; head >= 0 && isHeader(b[head:at]) && b[at] == blockMagic>>40 {
					return head
				}
				return at
			}
		}
	}
	return -1
}

// isBlock reports whether a block begins in the first byte of b.
func isBlock(b []byte) bool {
	if len(b) < 7 {
		return len(b) == 6 && uint64(binary.BigEndian.Uint32(b))<<16|uint64(binary.BigEndian.Uint16(b[4:])) == blockMagic
	}
	v := uint64(binary.BigEndian.Uint32(b))<<24 | uint64(binary.BigEndian.Uint32(b[3:]))&(1<<24-1)
	for shift := range 8 {
		if v>>(8-shift)&(1<<48-1) == blockMagic {
			return true
		}
	}
	return false
}

// isHeader reports whether b is the header of a stream.
func isHeader(b []byte) bool {
	return string(b[:len(streamMagic)]) == streamMagic && b[3] >= '1' && b[3] <= '9'
}

// pairs is the set of pairs of bytes that are within the magic number of a block.
var pairs = func() (set [1 << 16 / 64]uint64) {
	for from := 0; from <= 48-16; from++ {
		pair := uint64(blockMagic) >> from & (1<<16 - 1)
		set[pair/64] |= 1 << (pair % 64)
	}
	return set
}()
