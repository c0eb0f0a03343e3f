package lzma

import (
	"bufio"
	"io"
)

// A Reader2 decodes LZMA2, the data of a block of xz: a sequence of chunks, each of which is LZMA, or text
// verbatim. The zero Reader2 is ready for Reset.
type Reader2 struct {
	decoder
	left     int64 // bytes of text of a verbatim chunk
	coded    bool  // in a chunk of LZMA
	hasDict  bool  // a chunk has begun a dictionary
	hasProps bool  // a chunk since then had properties
}

// The control byte of a chunk ("The .xz File Format" refers to LZMA2, but does not describe it).
const (
	chunkEnd   = 0x00
	chunkBegin = 0x01 // verbatim, and begins a dictionary
	chunkText  = 0x02 // verbatim
	chunkLZMA  = 0x80 // LZMA; the lowest five bits are of the size
	chunkState = 0xa0 // and begins with new probabilities
	chunkProps = 0xc0 // and with new properties
	chunkDict  = 0xe0 // and with a dictionary
)

// Reset begins to read the data at the beginning of in, with a dictionary of dict bytes. If in is nil, the
// Reader2 must be reset again before it is read.
func (r *Reader2) Reset(in *bufio.Reader, dict int64) {
	r.src, r.err, r.size = source{in: in}, nil, 0
	r.left, r.coded, r.hasDict, r.hasProps = 0, false, false, false
	r.win.reset(dict)
}

// Consumed returns how many bytes of input were decoded.
func (r *Reader2) Consumed() int64 { return r.src.consumed }

// Read decodes into p, and does not wait while it has text. It reads no byte after the data. The error is
// [io.EOF] at the end, [io.ErrUnexpectedEOF] if the input ends before, [ErrCorrupt], or an error of the
// input.
func (r *Reader2) Read(p []byte) (int, error) {
	w := &r.win
	if w.returned == w.out && r.err == nil && len(p) > 0 {
		w.slide()
		r.chunks(min(w.out+block, front+w.ring))
		r.src.settle()
	}
	if n := w.read(p); n > 0 || len(p) == 0 {
		return n, nil
	}
	return 0, r.err
}

// chunks decodes until the window has limit bytes, the data ends, or more input is needed while there is text
// that can be returned first. Each iteration consumes input, or ends a chunk.
func (r *Reader2) chunks(limit int) {
	w, s := &r.win, &r.src
	for w.out < limit && r.err == nil {
		switch {
		case r.size > 0:
			if !r.decode(limit) {
				return
			}
		case w.out > w.returned && (r.left == 0 || s.in.Buffered() == s.at):
			return // it may have to wait, or the dictionary may end
		case r.coded: // at the end of a chunk
			r.coded = false
			if r.end(true); r.err == io.EOF {
				if r.err = nil; s.left != 0 || s.at < len(s.b) {
					r.err = ErrCorrupt
				}
			}
		case r.left > 0:
			s.settle()
			s.left = r.left
			if r.err = s.fill(); r.err == nil {
				s.at = copy(w.text[w.out:limit], s.b)
				w.out += s.at
				r.left -= int64(s.at)
			}
		default:
			r.chunk()
		}
	}
}

// chunk reads the header of a chunk.
func (r *Reader2) chunk() {
	s := &r.src
	s.settle()
	s.left = 6
	c := r.next()
	switch {
	case r.err != nil:
		return
	case c == chunkEnd:
		s.settle()
		r.err = io.EOF
		return
	case c > chunkText && c < chunkLZMA:
		r.err = ErrCorrupt
		return
	case c == chunkBegin || c >= chunkDict:
		r.win.restart()
		r.hasDict, r.hasProps = true, false
	}
	size := int64(r.next())<<8 + int64(r.next()) + 1 // of the text
	if c < chunkLZMA {
		if r.left = size; r.err == nil && !r.hasDict {
			r.err = ErrCorrupt
		}
		return
	}
	size += int64(c&0x1f) << 16
	data := int64(r.next())<<8 + int64(r.next()) + 1
	if c >= chunkProps {
		var p Params
		if ok := p.SetProperties(r.next()); r.err == nil && (!ok || p.LC+p.LP > 4) {
			r.err = ErrCorrupt
			return
		}
		r.properties(p.LC, p.LP, p.PB)
		r.hasProps = true
	}
	switch {
	case r.err != nil:
		return
	case !r.hasDict || !r.hasProps:
		r.err = ErrCorrupt
		return
	case c >= chunkState:
		r.resetState()
	}
	s.settle()
	s.left = data
	r.begin()
	r.size, r.coded = size, true
}
