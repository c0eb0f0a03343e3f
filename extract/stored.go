package extract

import "io"

// What is stored, as the layers of compression read it: it hands over what was found
// before it may wait, and counts bytes for Stats and the limit Ratio.

// stored is at the bottom: it reads what is stored, and counts.
type stored struct {
	w    *worker
	r    io.Reader
	err  error // r's, if it is not io.EOF
	size int64 // that r had when it was opened, if it is a file
	n    int64 // bytes read
	seen int64 // of them, those that are counted
	out  int64 // bytes of raw streams that came of them
	end  bool  // there are no more
	even bool  // Reads end where blocks do: see once
	idle int   // Reads in a row that returned nothing at all

	over error // the LimitError that ends all that is read of the source

	ahead *ahead // where another worker reads
}

// mostIdle is how many Reads in a row may return neither bytes nor an error. It is what
// bufio bears; decompressors read on for ever.
const mostIdle = 100

func (s *stored) reset(r io.Reader) { *s = stored{w: s.w, r: r, size: openedSize(r)} }

// Read reads once, after what was found has been handed over: it may wait.
func (s *stored) Read(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	if s.halted() {
		s.err = errStopped
		return 0, s.err
	}
	if s.ahead != nil {
		return s.once(p)
	}
	if (s.n > 0 || !s.w.brief) && s.w.piece.mayWait() {
		s.w.flush()
		s.w.out.pause()
		if s.w.stop.is() { // nobody wants more
			s.err = errStopped
			return 0, s.err
		}
	}
	n, err := s.once(p)
	s.w.out.resume()
	s.count(s.n)
	return n, err
}

// halted reports whether nobody wants more, to whoever reads: the worker or a helper. The
// latter may wait then.
func (s *stored) halted() bool {
	if s.ahead != nil {
		return s.w.stop.is() || !s.ahead.mayWait()
	}
	return s.w.stopped() || s.w.inVain()
}

// once is Read as far as it is about the source alone. Where others may read a part of
// it, Reads end where they end for all, and what is read is the same to the byte.
func (s *stored) once(p []byte) (int, error) {
	if s.even {
		p = p[:min(len(p), fileBuffer-int(s.n%fileBuffer))]
	}
	n, err := readPatiently(s.r, p, s.w.stop)
	s.n += int64(n)
	if s.idle++; n > 0 || err != nil || len(p) == 0 {
		s.idle = 0
	} else if s.idle == mostIdle {
		err = io.ErrNoProgress
	}
	if err == io.EOF {
		err = ending(s.r, s.size)
	}
	if s.end = err == io.EOF; err != nil && !s.end {
		s.err = err
	}
	return n, err
}

// count counts what has been read when n bytes are, and the worker has them.
func (s *stored) count(n int64) {
	s.w.n.DiskBytes += n - s.seen
	s.seen = n
}

// met returns the trouble of s, or else that of the first of the layers above that
// has some.
func (s *stored) met(above []*layer) met {
	if s.err != nil {
		return met{noCodec, s.err}
	}
	return first(above)
}

// first returns the trouble of the first of pile that has some.
func first(pile []*layer) met {
	for _, l := range pile {
		if l.err != nil && l.err != io.EOF {
			return met{l.is, l.err}
		}
	}
	return met{}
}
