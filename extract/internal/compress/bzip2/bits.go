package bzip2

import (
	"bufio"
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

// fill makes have at least n, if the input has as many bits; n is at most 56. Each
// iteration consumes a byte.
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
