package extract

import (
	"bufio"
	"io"
)

// raw is the raw stream. It counts bytes, so that an Error can tell how far reading
// had come, and ends a stream that is longer than it may be.
type raw struct {
	w    *worker
	of   *stream
	r    *bufio.Reader
	read int64
	over error // the LimitError that ended it
	seam int64 // where others may read on, and no Read goes beyond; -1 if nowhere
}

func (s *raw) reset(r *bufio.Reader) { *s = raw{w: s.w, of: s.of, r: r, seam: -1} }

// Read reads once.
func (s *raw) Read(p []byte) (int, error) {
	if s.w.stopped() {
		return 0, errStopped
	}
	if err := s.w.layers.stored.over; err != nil {
		return 0, err
	}
	if limit := s.w.x.opts.Limits.Size; limit > 0 && int64(len(p)) > limit-s.read {
		if limit == s.read {
			return 0, s.beyond()
		}
		p = p[:limit-s.read]
	}
	if s.seam >= 0 || s.w.piece.unit != nil {
		if err := s.w.pieceRead(); err != nil {
			return 0, err
		}
		if s.seam >= 0 {
			p = p[:min(int64(len(p)), s.seam-s.read)]
		}
	}
	if out, alone := s.w.out.(*recorder); alone && (!s.w.brief || s.read >= fileBuffer) { // a clock costs as much as a short file
		out.late()
	}
	n, err := s.r.Read(p)
	s.w.n.RawBytes += int64(n)
	s.w.layers.stored.unpacked(n)
	if !s.of.staged {
		s.w.n.TextBytes += int64(n)
	}
	s.read += int64(n)
	return n, err
}

// beyond returns io.EOF at the end of the stream, and else the LimitError that ends
// it there.
func (s *raw) beyond() error {
	if _, err := s.r.Peek(1); err != nil {
		return err
	}
	if s.over == nil {
		s.over = limited("Size", s.read, "longer than the limit of %d bytes, and not read on")
	}
	return s.over
}

var newline = []byte{'\n'}

var _ io.Reader = (*raw)(nil)
