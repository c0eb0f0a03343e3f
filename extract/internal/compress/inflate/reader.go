package inflate

import (
	"bufio"
	"compress/flate"
	"encoding/binary"
	"io"
)

// A Reader decompresses a deflate stream. It reads no byte after the stream, and decodes
// all that its input has buffered before it waits for more. The zero Reader is ready for
// [Reader.Reset]. A Reader allocates nothing.
type Reader struct {
	in    input
	phase phase
	final bool    // the current block is the last one
	left  int     // bytes left of a stored block
	codes codes   // of compressed blocks
	dec   decoder // last, because it ends with the window
}

type phase uint8

const (
	atHeader  phase = iota // at the header of a block
	inStored               // in a stored block
	inSymbols              // in a compressed block
)

// Reset makes d read the stream at the beginning of in. If in is nil, d refers to nothing
// any more, and must be reset again before it is read.
func (d *Reader) Reset(in *bufio.Reader) {
	d.in = input{buf: in}
	d.phase, d.final = atHeader, false
	d.dec.reset()
}

// Read returns text. With the last text or after it, Read returns io.EOF at the end of the
// stream, io.ErrUnexpectedEOF if the input ends before, a [flate.CorruptInputError], or the error
// of the input.
func (d *Reader) Read(p []byte) (int, error) {
	w := &d.dec.win
	if w.returned == w.out && d.in.err == nil && len(p) > 0 {
		d.decode()
	}
	n := copy(p, w.text[w.returned:w.out])
	if w.returned += n; w.returned == w.out {
		return n, d.in.err
	}
	return n, nil
}

// decode decodes until the window is full, the stream ends, or more input is needed while there
// is text that can be returned first. Each iteration consumes input or ends the stream.
func (d *Reader) decode() {
	w := &d.dec.win
	w.slide()
	for w.out < window && d.in.err == nil {
		var more bool
		switch d.phase {
		case atHeader:
			more = d.header()
		case inStored:
			more = d.stored()
		case inSymbols:
			more = d.symbols()
		}
		if more {
			if w.out > w.returned {
				return
			}
			d.in.more()
		}
	}
}

// header reads the header of a block. It returns true if it needs more input, and there is
// text in front of the header to be returned first.
func (d *Reader) header() bool {
	dec := &d.dec
	r := bitReader{in: &d.in, b: d.in.buffered(), acc: dec.bits, n: dec.n, wait: dec.win.returned == dec.win.out}
	ok := d.readHeader(&r)
	switch {
	case r.short:
		d.phase = atHeader
		return true
	case r.fail:
		return false
	}
	if dec.bits, dec.n = r.end(); !ok {
		d.in.corrupt()
	}
	return false
}

// readHeader reports whether there is a valid header.
func (d *Reader) readHeader(r *bitReader) bool {
	if !r.need(3) {
		return false
	}
	d.final = r.take(1) == 1
	switch r.take(2) {
	case 0:
		d.phase = inStored
		return d.storedHeader(r)
	case 1:
		d.phase = inSymbols
		d.dec.tab, d.codes.inside = fixed(), 0
		return true
	case 2:
		d.phase = inSymbols
		d.dec.tab = &d.codes.own
		return d.codes.read(r)
	}
	return false
}

// storedHeader reads the length of a stored block, from the next byte on.
func (d *Reader) storedHeader(r *bitReader) bool {
	r.take(r.n & 7)
	if !r.need(32) {
		return false
	}
	n := r.take(16)
	d.left = int(n)
	if r.take(16) != n^0xffff {
		return false
	}
	if n == 0 {
		d.endBlock()
	}
	return true
}

// stored copies bytes of a stored block. It reports whether it needs more input.
func (d *Reader) stored() bool {
	b, w := d.in.buffered(), &d.dec.win
	if len(b) == 0 {
		return true
	}
	n := copy(w.text[w.out:window], b[:min(len(b), d.left)])
	w.out += n
	d.in.discard(n)
	if d.left -= n; d.left == 0 {
		d.endBlock()
	}
	return false
}

// symbols decodes a compressed block. It reports whether it needs more input.
func (d *Reader) symbols() bool {
	dec, codes := &d.dec, &d.codes
	b := d.in.buffered()
	var used int
	for len(b)-used >= margin && dec.win.out < window {
		n, why := dec.fast(codes.trial(b[used:], dec.tab))
		used += n
		codes.inside += n
		if why != atLimit {
			d.in.discard(used)
			d.endSymbols(why)
			return false
		}
	}
	if dec.win.out >= window {
		d.in.discard(used)
		return false
	}
	n, why := dec.slow(b[used:])
	d.in.discard(used + n)
	if why != atLimit {
		d.endSymbols(why)
		return false
	}
	return dec.win.out < window
}

// endSymbols ends a block.
func (d *Reader) endSymbols(why loopEnd) {
	if why == atBad {
		d.in.corrupt()
		return
	}
	d.codes.ended(d.dec.tab)
	d.endBlock()
}

// endBlock is called after a block.
func (d *Reader) endBlock() {
	if d.phase = atHeader; d.final {
		d.dec.bits, d.dec.n = 0, 0
		d.in.err = io.EOF
	}
}

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
	for r.n < n {
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
