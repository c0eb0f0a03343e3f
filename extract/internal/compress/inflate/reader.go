package inflate

import (
	"bufio"
	"compress/flate"
	"io"
)

// A Reader decompresses a deflate stream. It reads no byte after the stream, and decodes
// all that its input has buffered before it waits for more. The zero Reader is ready for
// [Reader.Reset]. A Reader allocates nothing.
type Reader struct {
	in    input
	step  step
	final bool    // the current block is the last one
	left  int     // bytes left of a stored block
	codes codes   // of compressed blocks
	dec   decoder // last, because it ends with the window
}

type step uint8

const (
	atHeader  step = iota // at the header of a block
	inStored              // in a stored block
	inSymbols             // in a compressed block
)

// NewReader returns a Reader of the stream at the beginning of in.
func NewReader(in *bufio.Reader) *Reader {
	d := new(Reader)
	d.Reset(in)
	return d
}

// Reset makes d read the stream at the beginning of in. If in is nil, d refers to nothing
// any more, and must be reset again before it is read.
func (d *Reader) Reset(in *bufio.Reader) {
	d.in = input{buf: in}
	d.step, d.final = atHeader, false
	d.dec.reset()
}

// Read returns text. With the last of it, or after it, it returns io.EOF at the end of the
// stream, io.ErrUnexpectedEOF if the input ends before, a [flate.CorruptInputError], or the
// error of the input.
func (d *Reader) Read(p []byte) (int, error) {
	w := &d.dec.win
	if w.given == w.out && d.in.err == nil && len(p) > 0 {
		d.decode()
	}
	n := copy(p, w.text[w.given:w.out])
	if w.given += n; w.given == w.out {
		return n, d.in.err
	}
	return n, nil
}

// decode decodes until the window is full, the stream ends, or more input is needed and
// there is text to be returned in front of that. Each iteration consumes input or ends the
// stream.
func (d *Reader) decode() {
	w := &d.dec.win
	w.slide()
	for w.out < window && d.in.err == nil {
		var more bool
		switch d.step {
		case atHeader:
			more = d.header()
		case inStored:
			more = d.stored()
		case inSymbols:
			more = d.symbols()
		}
		if more {
			if w.out > w.given {
				return
			}
			d.in.more()
		}
	}
}

// endBlock is called after a block.
func (d *Reader) endBlock() {
	if d.step = atHeader; d.final {
		d.dec.bits, d.dec.n = 0, 0
		d.in.err = io.EOF
	}
}

// An input is what a Reader reads.
type input struct {
	buf  *bufio.Reader
	used int64 // bytes consumed; for the offsets of errors
	err  error // after the text in the window; sticky
}

// buffered returns what can be read without waiting.
func (in *input) buffered() []byte {
	b, _ := in.buf.Peek(in.buf.Buffered())
	return b
}

// more waits for input.
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

// corrupt ends the stream with an error in it. All up to that has been consumed.
func (in *input) corrupt() { in.err = flate.CorruptInputError(in.used) }
