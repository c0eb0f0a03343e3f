package extract

import (
	"context"
	"iter"
	"time"

	"github.com/urlsift/urlsift/extract/internal/schedule"
)

// Records that are made where references are found. In text with many references, moving a
// Result from a worker to the caller, to become bytes there, takes longer than finding it. So
// a caller that needs only bytes can have the workers make them:
//
//	worker 1 ─► Encoder ─► records ──┐
//	worker 2 ─► Encoder ─► records ──┴─► yield, stretch by stretch
//
// Places are counted from the beginning of a source, which one of several workers does not
// know: see [Extractor.Encode].

// An Encoder appends the record of r to dst and returns the grown dst, never a shorter
// one; if it appends nothing, r is left out. It keeps neither dst nor r, nor slices of r.
// With several workers it runs in their goroutines, where a panic ends the program.
type Encoder func(dst []byte, r *Result) []byte

// Encoded are records of results that follow one another.
type Encoded struct {
	Bytes   []byte // of all; good until the loop's next iteration, to read and not to change
	Results int    // how many of them there are, at least one
}

// Encode yields what [Extractor.Run] yields, made into bytes by Encoders, in the same
// order: records that stand next to one another at once, tens of KiB at most but for a
// longer record, and errors, beside a zero Encoded, between them.
//
// encoder is called once for each worker, in the worker's goroutine, and with several
// workers once more for the caller. Each Encoder that it returns is used by one goroutine at
// a time: what an Encoder has for itself needs no lock, what it shares with others does. An
// Encoder may be given Results that are not yielded in the end.
//
// Of the Results that an Encoder is given, Candidate.Line, Origin.Line, Origin.Message and
// Origin.Offset are 0 if Options.Workers is more than 1, and Candidate.Inner and Candidate.Outer
// count from where Outer begins: when they are found it is not known how much stands in
// front of them. With one worker it is known, and Results are complete.
//
// All else is as Run says it: records are handed over before a Read that may wait, and
// leaving the loop ends the work. When ctx ends, one worker yields once more what it has
// found by then.
func (x *Extractor) Encode(ctx context.Context, sources iter.Seq[Source], encoder func() Encoder) iter.Seq2[Encoded, error] {
	return func(yield func(Encoded, error) bool) {
		if x.opts.Workers == 1 {
			out := &recorder{encode: encoder(), yield: yield}
			x.runAlone(ctx, sources, out, &out.stop)
			out.pause() // what was found when ctx ended
			return
		}
		encode := encoder()
		out := &recorder{yield: yield, encode: func(dst []byte, r *Result) []byte { return encodeAppend(dst, encode, r) }}
		x.runTogether(ctx, sources, encoder, &consumer{ctx: ctx, yield: out.each, records: out.some})
	}
}

// encodeAppend appends the record that encode makes of r.
func encodeAppend(dst []byte, encode Encoder, r *Result) []byte {
	f, o := &r.Candidate, &r.Origin
	line, at, message, offset, inner, outer := f.Line, o.Line, o.Message, o.Offset, f.Inner, f.Outer
	f.Line, o.Line, o.Message, o.Offset = 0, 0, 0, 0
	f.Inner.Start, f.Inner.End = inner.Start-outer.Start, inner.End-outer.Start
	f.Outer.Start, f.Outer.End = 0, outer.Len()
	dst = encode(dst, r)
	f.Line, o.Line, o.Message, o.Offset, f.Inner, f.Outer = line, at, message, offset, inner, outer
	return dst
}

// A recorder yields records. It is the sink of one worker that is alone; of several it
// yields errors, and the records that the caller has to make: of Results whose Origin is
// complete only there.
type recorder struct {
	encode Encoder
	yield  func(Encoded, error) bool
	buf    []byte
	n      int                // records in buf
	since  time.Time          // when the first of them came
	stop   schedule.Interrupt // of the worker
	left   bool               // the caller wants no more
	in     bool               // see inBody
}

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
		s.tell(Encoded{}, e)
	}
	return !s.stop.Is()
}

// late hands records over that have waited for others for a while: where text is read
// that holds no reference.
func (s *recorder) late() {
	if s.n > 0 && time.Since(s.since) > soon {
		s.pause()
	}
}

func (s *recorder) pause() {
	if s.n > 0 {
		s.tell(Encoded{s.buf, s.n}, nil)
	}
	if cap(s.buf) > 2*batchBytes {
		s.buf = nil
	}
	s.buf, s.n = s.buf[:0], 0
}

func (s *recorder) resume()      {}
func (s *recorder) inBody() bool { return s.in }

// tell yields some records, or err, unless the caller has left.
func (s *recorder) tell(some Encoded, err error) {
	if s.left {
		return
	}
	s.in = true
	s.left = !s.yield(some, err)
	s.in = false
	if s.left {
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

// some yields records that a worker has made.
func (s *recorder) some(records []byte, n int) bool { return s.yield(Encoded{records, n}, nil) }
