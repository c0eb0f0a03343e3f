package extract

import (
	"context"
)

// A queued sink belongs to one of several workers. It fills batches with results, or with
// records if encode is not nil.
type queued struct {
	out    *producer
	encode Encoder
}

// result adds r to the current batch: as a record if there is an encoder, packed if possible,
// otherwise unchanged. It reports whether to continue.
func (s *queued) result(r *Result) bool {
	if s.encode != nil && !r.Origin.enclosed { // the caller completes an enclosed Origin, and makes the record
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
	if !packable || !b.pack(r) { // it may be larger than any batch
		b.add(resultOrError{res: *r})
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

func (s *queued) pause()       { s.out.Pause() }
func (s *queued) resume()      { s.out.Resume() }
func (s *queued) inBody() bool { return false } // false, because the loop body runs in another goroutine

// The rest of this file delivers batches in the caller's goroutine. Numbers in them were
// counted from where a worker started; here they become those of the whole source.

// A consumer yields the content of batches.
type consumer struct {
	ctx     context.Context
	yield   func(*Result, error) bool
	records func(bytes []byte, n int) bool // yields n encoded records
	place   func(*File, *Place)            // reports a place

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
			c.place(places[0].file, places[0].at)
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
		by.addToLines(r)
		if !c.yield(r, nil) {
			return false
		}
		r.spoil()
	}
	for i := range places {
		c.place(places[i].file, places[i].at)
	}
	return true
}

// encoded yields the records of b, and reports the places between them. It returns the places
// after the records.
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
		c.place(p.file, p.at)
	}
	return b.places[i:], upTo(b.recordBytes, b.records)
}

// deliver yields the Result or Error in e, with by added to its numbers.
func (e *resultOrError) deliver(c *consumer, by delta) bool {
	if e.err != nil {
		by.addToOrigin(&e.err.Origin)
		return c.yield(nil, e.err)
	}
	by.addToLines(&e.res)
	by.addToMessage(&e.res.Origin)
	more := c.yield(&e.res, nil)
	e.res.spoil()
	return more
}

// An Encoder appends the record of r to dst and returns the extended slice. If it appends
// nothing, r is left out. It keeps neither dst, nor r, nor slices of r. With several
// workers it runs in their goroutines, where a panic ends the program.
type Encoder func(dst []byte, r *Result) []byte

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
