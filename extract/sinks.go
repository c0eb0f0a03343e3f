package extract

import (
	"context"
	"time"

	"github.com/urlsift/urlsift/extract/internal/schedule"
)

// A callerSink is the sink of the only worker, which runs in the caller's goroutine. It yields
// each result at once.
type callerSink struct {
	yield           func(*Result, error) bool
	onPlace         func(*File, *Place)
	stoppedByCaller bool // the caller has stopped
	bodyRuns        bool // see inBody
}

func (s *callerSink) result(r *Result) bool { return s.each(r, nil) }
func (s *callerSink) failure(e *Error) bool { return s.each(nil, e) }
func (s *callerSink) reached(f *File, p *Place) bool {
	if !s.stoppedByCaller {
		s.onPlace(f, p)
	}
	return !s.stoppedByCaller
}
func (s *callerSink) flush()       {}
func (s *callerSink) unpark()      {}
func (s *callerSink) inBody() bool { return s.bodyRuns }

// each yields r or e.
func (s *callerSink) each(r *Result, e *Error) bool {
	if s.stoppedByCaller {
		return false
	}
	var err error
	if e != nil {
		err = e
	}
	s.bodyRuns = true
	s.stoppedByCaller = !s.yield(r, err)
	s.bodyRuns = false
	return !s.stoppedByCaller
}

// A queued sink belongs to one of several workers. It fills batches with results, or with
// records if encode is not nil.
type queued struct {
	out    *producer
	encode Encoder
}

// result adds r to the current batch: as a record if there is an encoder, packed if possible,
// otherwise unchanged. It reports whether to continue.
func (s *queued) result(r *Result) bool {
	if s.encode != nil && !r.Origin.messageInMember { // the caller completes an Origin with the message in its Member, and makes the record
		return s.record(r)
	}
	b := s.out.Batch()
	packable := r.isPackable() && s.encode == nil
	if packable && b != nil && b.pack(r) {
		return !s.out.Stop.Is()
	}
	if b = s.room(r.owns()); b == nil {
		return false
	}
	if !packable || !b.pack(r) { // r may be larger than any batch
		b.add(resultOrError{res: *r})
	}
	return !s.out.Stop.Is()
}

// record adds the record of r to the current batch. In a batch, records come before results; so if
// the batch has results, a new batch is begun.
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
	b.add(resultOrError{err: err})
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

// room returns a batch with room for a packed result and size bytes. It waits for a batch, and
// returns nil if the work has ended.
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

func (s *queued) flush()       { s.out.Park() }
func (s *queued) unpark()      { s.out.Unpark() }
func (s *queued) inBody() bool { return false } // false, because the loop body runs in another goroutine

// A consumer yields the content of batches in the caller's goroutine. A worker counts from where it
// has started; the consumer changes these numbers to those of the whole source.
type consumer struct {
	ctx     context.Context
	yield   func(*Result, error) bool
	records func(bytes []byte, n int) bool // yields n encoded records
	onPlace func(*File, *Place)            // reports a place

	res Result // reused for each packed result; its grammar is set
}

// deliver yields the content of b, with by added to its numbers.
func (c *consumer) deliver(b *batch, by delta) bool {
	places, ok := c.encoded(b)
	if !ok {
		return false
	}
	r, at := &c.res, b.recordBytes // in arena
	origins, whole := 0, 0
	for i := range b.results {
		if c.ctx.Err() != nil {
			return false
		}
		for len(places) > 0 && places[0].results <= i {
			c.onPlace(places[0].file, places[0].at)
			places = places[1:]
		}
		n := &b.results[i]
		from := at
		at += int(n.text) + int(n.tail)
		if n.flags&(isWhole|isFresh) != 0 {
			if n.flags&isWhole != 0 {
				if !b.whole[whole].deliver(c, by) {
					return false
				}
				whole++
				continue
			}
			r.Origin = b.origins[origins]
			by.addToMessage(&r.Origin)
			origins++
		}
		n.unpack(r, b.arena[from:at:at])
		by.addToResult(r)
		if !c.yield(r, nil) {
			return false
		}
		r.spoil()
	}
	for i := range places {
		c.onPlace(places[i].file, places[i].at)
	}
	return true
}

// encoded yields the records of b, and reports the places between them. It returns the places that
// come after results. ok says whether to continue.
func (c *consumer) encoded(b *batch) (places []reachedPlace, ok bool) {
	from, n := 0, 0
	upTo := func(bytes, records int) bool {
		if records == n {
			return true
		}
		ok := c.ctx.Err() == nil && c.records(b.arena[from:bytes], records-n)
		spoil(b.arena[from:bytes])
		from, n = bytes, records
		return ok
	}
	i := 0
	for ; i < len(b.places) && b.places[i].results == 0; i++ {
		p := &b.places[i]
		if !upTo(p.recordBytes, p.records) {
			return nil, false
		}
		c.onPlace(p.file, p.at)
	}
	return b.places[i:], upTo(b.recordBytes, b.records)
}

// deliver yields the Result or Error in e, with by added to its numbers.
func (e *resultOrError) deliver(c *consumer, by delta) bool {
	if e.err != nil {
		by.addToOrigin(&e.err.Origin)
		return c.yield(nil, e.err)
	}
	by.addToResult(&e.res)
	by.addToMessage(&e.res.Origin)
	more := c.yield(&e.res, nil)
	e.res.spoil()
	return more
}

// Records can be made by the workers. In text with many references, moving a Result from
// a worker to the caller, who makes bytes of it, takes longer than finding it. So a
// caller that needs only bytes lets the workers make them:
//
//	worker 1 ─► Encoder ─► records ──┐
//	worker 2 ─► Encoder ─► records ──┴─► yield, stretch by stretch
//
// If there are several workers, a worker does not know the lines in front of its block: see
// [Extractor.Encode].

// Encoded holds consecutive records.
type Encoded struct {
	Bytes   []byte // of all records; read-only, and valid until the next iteration of the loop
	Results int    // number of records, at least one
}

// A recorder yields records. If there is one worker, the recorder is that worker's sink. With
// several, it yields errors, and the records of Results that only the caller can complete.
type recorder struct {
	encode          Encoder
	yield           func(Encoded, error) bool
	onPlace         func(*File, *Place)
	buf             []byte
	n               int                // records in buf
	since           time.Time          // time of the first of them
	stop            schedule.Interrupt // of the worker
	stoppedByCaller bool               // the caller has stopped
	bodyRuns        bool               // see inBody
}

// result encodes r into the buffer, and passes the buffer on when it is nearly full. It reports
// whether to continue.
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
		s.flush()
	}
	return !s.stop.Is()
}

func (s *recorder) failure(e *Error) bool {
	if s.flush(); !s.stop.Is() {
		s.deliver(Encoded{}, e)
	}
	return !s.stop.Is()
}

func (s *recorder) reached(f *File, p *Place) bool {
	if s.flush(); !s.stoppedByCaller {
		s.onPlace(f, p)
	}
	return !s.stop.Is()
}

// late yields the buffered records if the first of them has waited longer than soon. It is
// called while text without references is read.
func (s *recorder) late() {
	if s.n > 0 && time.Since(s.since) > soon {
		s.flush()
	}
}

func (s *recorder) flush() {
	if s.n > 0 {
		s.deliver(Encoded{s.buf, s.n}, nil)
		spoil(s.buf)
	}
	if cap(s.buf) > 2*batchBytes {
		s.buf = nil
	}
	s.buf, s.n = s.buf[:0], 0
}

func (s *recorder) unpark()      {}
func (s *recorder) inBody() bool { return s.bodyRuns }

// deliver yields e, or err, unless the caller has stopped.
func (s *recorder) deliver(e Encoded, err error) {
	if s.stoppedByCaller {
		return
	}
	s.bodyRuns = true
	s.stoppedByCaller = !s.yield(e, err)
	s.bodyRuns = false
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
	s.flush()
	return !s.stop.Is()
}

// encoded yields records that a worker has made.
func (s *recorder) encoded(records []byte, n int) bool { return s.yield(Encoded{records, n}, nil) }
