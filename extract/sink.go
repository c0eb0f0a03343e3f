package extract

// A sink receives what a worker finds, in order.
type sink interface {
	// result and failure process r or e, and do not keep them. They report whether to
	// continue.
	result(r *Result) bool
	failure(e *Error) bool

	// reached reports that f has been read up to p. It is called after everything that was
	// found before p, and reports whether to continue.
	reached(f *File, p *Place) bool

	// pause is called before a Read that may wait, resume after it.
	pause()
	resume()

	// inBody reports whether the caller's loop body is running in this goroutine, or has
	// panicked in it.
	inBody() bool
}

// An inline sink yields in the worker's goroutine, which is the caller's.
type inline struct {
	yield func(*Result, error) bool
	place func(*File, *Place)
	left  bool // the caller has stopped
	in    bool // see inBody
}

func (s *inline) result(r *Result) bool { return s.each(r, nil) }
func (s *inline) failure(e *Error) bool { return s.each(nil, e) }
func (s *inline) reached(f *File, p *Place) bool {
	if !s.left {
		s.place(f, p)
	}
	return !s.left
}
func (s *inline) pause()       {}
func (s *inline) resume()      {}
func (s *inline) inBody() bool { return s.in }

// each yields r or e.
func (s *inline) each(r *Result, e *Error) bool {
	if s.left {
		return false
	}
	var err error
	if e != nil {
		err = e
	}
	s.in = true
	s.left = !s.yield(r, err)
	s.in = false
	return !s.left
}

// A queued sink belongs to one of several workers. It fills batches with results, or with
// records if encode is not nil.
type queued struct {
	out    *producer
	encode Encoder
}

func (s *queued) result(r *Result) bool {
	if s.encode != nil && !r.Origin.enclosed { // otherwise the caller completes its Origin
		return s.record(r)
	}
	b := s.out.Batch()
	plain := r.plain() && s.encode == nil
	if plain && b != nil && b.pack(r) {
		return !s.out.Stop.Is()
	}
	if b = s.room(r.owns()); b == nil {
		return false
	}
	if !plain || !b.pack(r) { // it may be larger than any batch
		b.add(entry{res: *r})
	}
	return !s.out.Stop.Is()
}

// record encodes r. Records come first in a batch.
func (s *queued) record(r *Result) bool {
	b := s.out.Batch()
	if b == nil || len(b.results) > 0 || len(b.arena) > batchBytes-usualRecord {
		if !s.out.Next() {
			return false
		}
		b = s.out.Batch()
	}
	if b.arena = encodeAppend(b.arena, s.encode, r); len(b.arena) > b.recordBytes {
		b.recordBytes = len(b.arena)
		b.records++
	}
	return !s.out.Stop.Is()
}

func (s *queued) failure(err *Error) bool {
	b := s.room(0)
	if b == nil {
		return false
	}
	b.add(entry{err: err})
	return !s.out.Stop.Is()
}

func (s *queued) reached(f *File, p *Place) bool {
	b := s.out.Batch()
	if b == nil {
		if b = s.room(0); b == nil {
			return false
		}
	}
	b.places = append(b.places, reachedPlace{len(b.results), b.recordBytes, b.records, f, p})
	return !s.out.Stop.Is()
}

// room returns a batch with room for a packed result and size bytes. It waits for one,
// and returns nil if the work has ended.
func (s *queued) room(size int) *batch {
	b := s.out.Batch()
	if b == nil || len(b.results) >= batchResults || len(b.arena)+size > cap(b.arena) && len(b.arena) > 0 {
		if !s.out.Next() {
			return nil
		}
		b = s.out.Batch()
	}
	if s.out.Stop.Is() {
		return nil
	}
	return b
}

func (s *queued) pause()       { s.out.Pause() }
func (s *queued) resume()      { s.out.Resume() }
func (s *queued) inBody() bool { return false } // the loop body runs in another goroutine
