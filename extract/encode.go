package extract

import (
	"time"

	"github.com/urlsift/urlsift/extract/internal/schedule"
)

// Records can be made by the workers. In text with many references, moving a Result from
// a worker to the caller, who makes bytes of it, takes longer than finding it. So a
// caller that needs only bytes lets the workers make them:
//
//	worker 1 ─► Encoder ─► records ──┐
//	worker 2 ─► Encoder ─► records ──┴─► yield, stretch by stretch
//
// If there are several workers, a worker does not know offsets from the beginning of a source: see
// [Extractor.Encode].

// Encoded holds consecutive records.
type Encoded struct {
	Bytes   []byte // of all records; read-only, and valid until the next iteration of the loop
	Results int    // number of records, at least one
}

// A recorder yields records. If there is one worker, it is that worker's sink. If there
// are several, it yields errors, and the records of Results that only the caller can
// complete.
type recorder struct {
	encode          Encoder
	yield           func(Encoded, error) bool
	place           func(*File, *Place)
	buf             []byte
	n               int                // records in buf
	since           time.Time          // time of the first of them
	stop            schedule.Interrupt // of the worker
	stoppedByCaller bool               // the caller has stopped
	in              bool               // see inBody
}

// result encodes r into the buffer and passes it on when it is nearly full. It reports whether
// to continue.
func (s *recorder) result(r *Result) bool {
	if s.buf == nil {
		s.buf = make([]byte, 0, batchBytes)
	}
	n := len(s.buf)
	if s.buf = s.encode(s.buf, r); len(s.buf) > n {
		if s.n++; s.n == 1 {
			s.since = time.Now()
		}
	}
	if len(s.buf) > batchBytes-usualRecord {
		s.pause()
	}
	return !s.stop.Is()
}

func (s *recorder) failure(e *Error) bool {
	if s.pause(); !s.stop.Is() {
		s.deliver(Encoded{}, e)
	}
	return !s.stop.Is()
}

func (s *recorder) reached(f *File, p *Place) bool {
	if s.pause(); !s.stoppedByCaller {
		s.place(f, p)
	}
	return !s.stop.Is()
}

// late yields the buffered records if the first of them has waited longer than soon. It is
// called while text without references is read.
func (s *recorder) late() {
	if s.n > 0 && time.Since(s.since) > soon {
		s.pause()
	}
}

func (s *recorder) pause() {
	if s.n > 0 {
		s.deliver(Encoded{s.buf, s.n}, nil)
		spoil(s.buf)
	}
	if cap(s.buf) > 2*batchBytes {
		s.buf = nil
	}
	s.buf, s.n = s.buf[:0], 0
}

func (s *recorder) resume()      {}
func (s *recorder) inBody() bool { return s.in }

// deliver yields e, or err, unless the caller has stopped.
func (s *recorder) deliver(e Encoded, err error) {
	if s.stoppedByCaller {
		return
	}
	s.in = true
	s.stoppedByCaller = !s.yield(e, err)
	s.in = false
	if s.stoppedByCaller {
		s.stop.End()
	}
}

// each yields the record of r, or err.
func (s *recorder) each(r *Result, err error) bool {
	if err != nil {
		return s.yield(Encoded{}, err)
	}
	s.result(r)
	s.pause()
	return !s.stop.Is()
}

// encoded yields records that a worker has made.
func (s *recorder) encoded(records []byte, n int) bool { return s.yield(Encoded{records, n}, nil) }
