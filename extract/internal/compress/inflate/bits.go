package inflate

import (
	"bufio"
	"compress/flate"
	"encoding/binary"
	"io"
)

// An input is what a Reader reads.
type input struct {
	buf  *bufio.Reader
	used int64 // bytes consumed; for the offsets of errors
	err  error // returned after the text in the window; sticky
}

// buffered returns what can be read without waiting.
func (in *input) buffered() []byte {
	b, _ := in.buf.Peek(in.buf.Buffered())
	return b
}

// more waits for at least one byte more than is buffered. If there is none, it ends the stream
// with the error of the input.
func (in *input) more() {
	n := in.buf.Buffered()
	if _, err := in.buf.Peek(n + 1); err != nil {
		in.discard(n)
		in.fail(err)
	}
}

// discard consumes n bytes that are buffered.
func (in *input) discard(n int) {
	k, _ := in.buf.Discard(n)
	in.used += int64(k)
}

// fail ends the stream with an error of the input.
func (in *input) fail(err error) {
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	in.err = err
}

// corrupt ends the stream with an error at the current offset.
func (in *input) corrupt() { in.err = flate.CorruptInputError(in.used) }

// A bitReader reads the header of a block. It waits for a byte only if the byte is part of
// the header and wait is set. If it may not wait and the header is incomplete, it consumes
// nothing.
type bitReader struct {
	in    *input
	b     []byte // buffered input
	at    int    // how many bytes of b were put into acc
	acc   uint64
	n     uint // bits in acc
	wait  bool // it may wait
	short bool // bytes were missing, and it may not wait
	fail  bool // the input has failed; in.err says why
}

// end returns to the buffer the bytes that were not needed. It returns the bits of a byte that is
// partly consumed.
func (r *bitReader) end() (bits uint64, n uint) {
	r.in.discard(r.at - int(r.n>>3))
	n = r.n & 7
	return r.acc & (1<<n - 1), n
}

// need makes sure that acc has n bits, at most 32. It reports whether it could.
func (r *bitReader) need(n uint) bool {
	if r.n >= n {
		return true
	}
	if r.at+8 <= len(r.b) {
		r.acc |= binary.LittleEndian.Uint64(r.b[r.at:]) << r.n
		r.at += int(63-r.n) >> 3
		r.n |= 56
		r.acc &= 1<<r.n - 1
		return true
	}
	for r.n < n { // each iteration takes a byte
		if r.at == len(r.b) {
			if !r.wait {
				r.short = true
				return false
			}
			r.in.discard(r.at)
			r.at = 0
			if _, err := r.in.buf.Peek(1); err != nil {
				r.b, r.fail = nil, true
				r.in.fail(err)
				return false
			}
			r.b = r.in.buffered()
		}
		r.acc |= uint64(r.b[r.at]) << r.n
		r.at++
		r.n += 8
	}
	return true
}

// take returns n bits that need has made available.
func (r *bitReader) take(n uint) uint {
	v := uint(r.acc) & (1<<n - 1)
	r.acc >>= n
	r.n -= n
	return v
}
