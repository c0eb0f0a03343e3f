package bzip2

import (
	"bufio"
	"io"
)

// A bitReader reads bits, from the highest of each byte to the lowest. After an error all
// bits are 0. It reads in only when a bit is wanted that is not buffered.
type bitReader struct {
	in   *bufio.Reader
	n    int64  // bytes consumed
	acc  uint64 // its last have bits are the next ones
	have uint
	err  error
}

// fail ends reading with damage, unless the input failed first.
func (b *bitReader) fail(what string) {
	if b.err == nil {
		b.err = &Error{Offset: b.offset(), What: what}
	}
}

// offset is that of the byte after the one with the last bit that was read.
func (b *bitReader) offset() int64 { return b.n - int64(b.have/8) }

// fill makes have at least n, if the input has as many bits; n is at most 56. Each
// iteration consumes a byte.
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

// peek makes have at least n, if the buffer has as many bits.
func (b *bitReader) peek(n uint) bool {
	return b.in.Buffered() >= 2 && b.err == nil && b.fill(n)
}

// align skips to the next whole byte.
func (b *bitReader) align() { b.have -= b.have % 8 }

// A window reads bits from what is buffered, as group does.
type window struct {
	buf  []byte
	at   int    // the next byte of buf
	acc  uint64 // its first have bits are the next ones; those after them are zeros, or the bits that follow
	have uint
}

// window returns the buffered bits. To read on after what was read from it, call advance;
// otherwise they are read again.
func (b *bitReader) window() window {
	buf, _ := b.in.Peek(b.in.Buffered())
	return window{buf: buf, acc: b.acc << (64 - b.have), have: b.have}
}

// advance continues after the bits that were read from w.
func (b *bitReader) advance(w *window) {
	unread := min(w.at, int(w.have/8))
	n, _ := b.in.Discard(w.at - unread)
	b.n += int64(n)
	b.have = w.have - 8*uint(unread)
	b.acc = w.acc >> (64 - b.have)
}
