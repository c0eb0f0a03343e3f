package lzma

import (
	"bufio"
	"io"
	"math"
)

// Params are what precedes the data.
type Params struct {
	LC, LP, PB int   // bits of the last byte, and of the position, that choose the probabilities
	Dict       int64 // how far back a match may begin, in bytes
	Size       int64 // of the text in bytes; -1 if a mark ends it
}

// SetProperties sets LC, LP and PB from the byte in which they are written. It returns false for an
// impossible one.
func (p *Params) SetProperties(b byte) bool {
	p.LC, p.LP, p.PB = int(b%9), int(b/9%5), int(b/45)
	return b < 9*5*5
}

// A Reader decodes one stream of LZMA after another. The zero Reader is ready for Reset.
type Reader struct{ decoder }

// Consumed returns how many bytes of input were decoded.
func (r *Reader) Consumed() int64 { return r.src.consumed }

// Reset begins to read the data at the beginning of in.
func (r *Reader) Reset(in *bufio.Reader, p Params) {
	r.src, r.err, r.size = source{in: in, left: math.MaxInt64}, nil, p.Size
	dict := p.Dict
	if p.Size >= 0 {
		dict = min(dict, p.Size)
	}
	r.win.reset(dict)
	r.properties(p.LC, p.LP, p.PB)
	r.resetState()
	r.begin()
	r.src.settle()
}

// Read decodes into p, and does not wait while it has text. The error is [io.EOF] at the end,
// [io.ErrUnexpectedEOF] if the input ends before, [ErrCorrupt], or an error of the input.
func (r *Reader) Read(p []byte) (int, error) {
	w := &r.win
	if w.returned == w.out && r.err == nil && len(p) > 0 {
		w.slide()
		if r.decode(min(w.out+block, front+w.ring)); r.size == 0 && w.returned == w.out && r.err == nil {
			r.finish()
		}
		r.src.settle()
	}
	if n := w.read(p); n > 0 || len(p) == 0 {
		return n, nil
	}
	return 0, r.err
}

// finish is called at the size of the text. A mark may follow.
func (r *Reader) finish() {
	if r.normalize(); r.code != 0 && r.err == nil {
		out := r.win.out
		why := r.symbol()
		r.win.out = out
		if r.err == nil {
			r.end(why == atMark)
		}
		return
	}
	if r.err == nil {
		r.err = io.EOF
	}
}
