package extract

import (
	"context"

	"github.com/urlsift/urlsift/delimit"
)

// What the caller does: it yields from lane after lane, and where a lane was of a
// unit, or led to one, goes on with that. Numbers that were counted from where a
// worker began are shifted on the way.

// A caller is what the goroutine of the loop's body has.
type caller struct {
	run   *run
	ctx   context.Context
	yield func(*Result, error) bool
	res   Result // what notes are made into

	records func(bytes []byte, n int) bool // yields what was encoded: n records
}

// deliverRun yields from one lane after another. It reports whether it has come to the
// last.
func (c *caller) deliverRun() bool {
	for {
		select {
		case ln, ok := <-c.run.lanes:
			if !ok {
				return true
			}
			if !c.deliverAll(ln, shift{}) {
				return false
			}
		case <-c.ctx.Done():
			return false
		}
	}
}

// deliverAll yields what comes over ln, and the lanes of units behind it, with
// numbers shifted. It reports whether there is to be more.
func (c *caller) deliverAll(ln *lane, by shift) bool {
	for ln != nil {
		if !c.deliverLane(ln, by) {
			return false
		}
		if ln.turned != nil { // a unit
			c.run.mu.Lock()
			c.run.ahead--
			c.run.more.Broadcast()
			c.run.mu.Unlock()
		}
		by.lines += ln.shift.lines
		by.messages += ln.shift.messages
		by.bytes += ln.shift.bytes
		by.mail = ln.shift.mail
		ln = ln.then
	}
	return true
}

// deliverLane yields what comes over ln, to its end. Full batches come first: what
// is parked is the newest.
func (c *caller) deliverLane(ln *lane, by shift) bool {
	ln.turn.Store(true)
	if ln.turned != nil {
		close(ln.turned)
	}
	for {
		var b *batch
		select {
		case b = <-ln.out:
			if b == nil {
				return true
			}
		default:
			b = ln.parked.Swap(nil)
		}
		if b == nil {
			select {
			case b = <-ln.out:
			case <-c.ctx.Done():
				return false
			}
			if b == nil {
				return true
			}
		}
		if b.then != nil {
			if !c.deliverAll(b.then, b.shift) {
				return false
			}
			continue
		}
		if !c.deliver(b, by) {
			return false
		}
	}
}

// deliver yields what is in b, with its numbers shifted, and sends b home empty.
func (c *caller) deliver(b *batch, by shift) bool {
	if b.results > 0 && (c.ctx.Err() != nil || !c.records(b.arena[:b.records], b.results)) {
		return false
	}
	r, at := &c.res, b.records // in arena
	anchors, whole := 0, 0
	for i := range b.notes {
		if c.ctx.Err() != nil {
			return false
		}
		n := &b.notes[i]
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
			r.Origin = b.anchors[anchors]
			by.message(&r.Origin)
			anchors++
		}
		n.unpack(r, b.arena[from:at:at])
		by.line(r)
		if !c.yield(r, nil) {
			return false
		}
	}
	b.empty()
	return true
}

// deliver yields what e is, with its numbers shifted.
func (e *entry) deliver(c *caller, by shift) bool {
	if e.err != nil {
		by.origin(&e.err.Origin)
		return c.yield(nil, e.err)
	}
	by.line(&e.res)
	by.message(&e.res.Origin)
	return c.yield(&e.res, nil)
}

// A shift is what is added to the numbers of what comes over a lane, which are counted
// from where its reader began.
type shift struct {
	lines    int64
	messages int
	bytes    int64 // of places
	mail     bool  // the text has lines and places of its own
}

// line shifts the lines of r.
func (s *shift) line(r *Result) {
	values := r.Found.Form == delimit.Attribute || r.Found.Form == delimit.Header // which stand in no text
	if r.Found.Line > 0 && (!s.mail || values && r.Origin.Member == "") {         // else lines are not wanted
		r.Found.Line += s.lines
	}
	if r.Origin.Member == "" && r.Origin.Line > 0 {
		r.Origin.Line += s.lines
	}
	if s.bytes != 0 {
		s.place(r)
	}
}

// place shifts the places of r.
func (s *shift) place(r *Result) {
	if r.Origin.Member != "" {
		return
	}
	r.Origin.Offset += s.bytes
	if f := &r.Found; !s.mail {
		f.Inner.Start, f.Inner.End = f.Inner.Start+s.bytes, f.Inner.End+s.bytes
		f.Outer.Start, f.Outer.End = f.Outer.Start+s.bytes, f.Outer.End+s.bytes
	}
}

// message shifts the number of the message of o.
func (s *shift) message(o *Origin) {
	if s.messages == 0 {
		return
	}
	if o.enclosed {
		o.renumber(s.messages)
	} else if o.Message > 0 {
		o.Message += s.messages
	}
}

// origin shifts o.
func (s *shift) origin(o *Origin) {
	if o.Member == "" {
		o.Offset += s.bytes
		if o.Line > 0 {
			o.Line += s.lines
		}
	}
	s.message(o)
}
