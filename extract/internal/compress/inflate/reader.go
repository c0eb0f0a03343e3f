package inflate

import (
	"bufio"
	"compress/flate"
	"io"
)

// Sizes in bytes.
const (
	history = 32 << 10        // how far back a match may reach
	block   = 64 << 10        // decoded at once
	room    = 2 + 9*32        // what an iteration of the fast loop may write after that
	window  = history + block // where decoding pauses, for the text to be taken
	winSize = window + room
)

// A Reader decompresses a deflate stream. It reads no byte after the stream, and decodes
// all that its input has buffered before it waits for more. The zero Reader is ready for
// [Reader.Reset]. A Reader allocates nothing.
type Reader struct {
	in    *bufio.Reader
	begun int64 // bytes consumed of in; for the offsets of errors
	err   error // after the text in win; sticky

	bits   uint64 // the bits of a byte that is partly consumed
	n      uint   // number of them, below 8
	step   step
	final  bool // the current block is the last one
	left   int  // bytes left of a stored block
	long   bool // the block before was long; kept from one stream to the next, which is probably similar
	inside int  // bytes consumed of the current block by the fast loop

	// win[base:out] is text that matches may refer to; win[given:out] is still to be
	// returned.
	base, given, out int

	tab  *tables                   // of the current block: own, or fixed
	lens [maxLits + maxDists]uint8 // code lengths of a block
	own  tables
	work builder
	safe bool // decode with fastSafe; for tests

	win [winSize]byte // last, so that a test can put a page behind it that must not be touched
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
	d.in, d.begun, d.err = in, 0, nil
	d.bits, d.n, d.step, d.final = 0, 0, atHeader, false
	d.base, d.given, d.out = 0, 0, 0
}

// Read returns text. With the last of it, or after it, it returns io.EOF at the end of the
// stream, io.ErrUnexpectedEOF if the input ends before, a [flate.CorruptInputError], or the
// error of the input.
func (d *Reader) Read(p []byte) (int, error) {
	if d.given == d.out && d.err == nil && len(p) > 0 {
		d.decode()
	}
	n := copy(p, d.win[d.given:d.out])
	if d.given += n; d.given == d.out {
		return n, d.err
	}
	return n, nil
}

// decode decodes until the window is full, the stream ends, or more input is needed and
// there is text to be returned in front of that. Each iteration consumes input or ends the
// stream.
func (d *Reader) decode() {
	if d.out >= window {
		n := copy(d.win[:history], d.win[d.out-history:d.out])
		d.base, d.given, d.out = 0, n, n
	}
	for d.out < window && d.err == nil {
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
			if d.out > d.given {
				return
			}
			d.more()
		}
	}
}

// more waits for input.
func (d *Reader) more() {
	n := d.in.Buffered()
	if _, err := d.in.Peek(n + 1); err != nil {
		d.discard(n)
		d.fail(err)
	}
}

// discard consumes n bytes that are buffered.
func (d *Reader) discard(n int) {
	k, _ := d.in.Discard(n)
	d.begun += int64(k)
}

// fail ends the stream with an error of the input.
func (d *Reader) fail(err error) {
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	d.err = err
}

// corrupt ends the stream with an error in it. All up to that has been consumed.
func (d *Reader) corrupt() { d.err = flate.CorruptInputError(d.begun) }

// endBlock is called after a block.
func (d *Reader) endBlock() {
	if d.step = atHeader; d.final {
		d.bits, d.n = 0, 0
		d.err = io.EOF
	}
}
