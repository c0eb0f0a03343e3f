package extract

import (
	"context"

	"github.com/urlsift/urlsift/delimit"
)

// What the goroutine of the loop's body does with the batches that come to it. Numbers that
// were counted from where a worker began are completed on the way.

// A consumer yields what is in batches.
type consumer struct {
	ctx     context.Context
	yield   func(*Result, error) bool
	records func(bytes []byte, n int) bool // yields what was encoded: n records

	res Result // what packed results are made into
}

// deliver yields what is in b, with by added to its numbers.
func (c *consumer) deliver(b *batch, by delta) bool {
	if b.records > 0 && (c.ctx.Err() != nil || !c.records(b.arena[:b.recordBytes], b.records)) {
		return false
	}
	r, at := &c.res, b.recordBytes // in arena
	origins, whole := 0, 0
	for i := range b.results {
		if c.ctx.Err() != nil {
			return false
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
			by.message(&r.Origin)
			origins++
		}
		n.unpack(r, b.arena[from:at:at])
		by.line(r)
		if !c.yield(r, nil) {
			return false
		}
	}
	return true
}

// deliver yields what e is, with by added to its numbers.
func (e *entry) deliver(c *consumer, by delta) bool {
	if e.err != nil {
		by.origin(&e.err.Origin)
		return c.yield(nil, e.err)
	}
	by.line(&e.res)
	by.message(&e.res.Origin)
	return c.yield(&e.res, nil)
}

// A delta is what is added to the numbers of what a segment holds, which are counted from
// where its reader began.
type delta struct {
	lines    int64
	messages int
	bytes    int64 // of places
	mail     bool  // the text has lines and places of its own
}

// addDelta returns what is added to the numbers of a segment that follows one to which by
// is added, and whose numbers differ by more.
func addDelta(by, more delta) delta {
	return delta{by.lines + more.lines, by.messages + more.messages, by.bytes + more.bytes, more.mail}
}

// line adds to the lines and places of r.
func (d *delta) line(r *Result) {
	values := r.Candidate.Form == delimit.Attribute || r.Candidate.Form == delimit.Header // which stand in no text
	if r.Candidate.Line > 0 && (!d.mail || values && r.Origin.Member == "") {             // else lines are not wanted
		r.Candidate.Line += d.lines
	}
	if r.Origin.Member == "" && r.Origin.Line > 0 {
		r.Origin.Line += d.lines
	}
	if d.bytes != 0 {
		d.place(r)
	}
}

// place adds to the places of r.
func (d *delta) place(r *Result) {
	if r.Origin.Member != "" {
		return
	}
	r.Origin.Offset += d.bytes
	if f := &r.Candidate; !d.mail {
		f.Inner.Start, f.Inner.End = f.Inner.Start+d.bytes, f.Inner.End+d.bytes
		f.Outer.Start, f.Outer.End = f.Outer.Start+d.bytes, f.Outer.End+d.bytes
	}
}

// message adds to the number of the message of o.
func (d *delta) message(o *Origin) {
	if d.messages == 0 {
		return
	}
	if o.enclosed {
		o.renumber(d.messages)
	} else if o.Message > 0 {
		o.Message += d.messages
	}
}

// origin adds to the numbers of o.
func (d *delta) origin(o *Origin) {
	if o.Member == "" {
		o.Offset += d.bytes
		if o.Line > 0 {
			o.Line += d.lines
		}
	}
	d.message(o)
}
