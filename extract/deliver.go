package extract

import (
	"context"

	"github.com/urlsift/urlsift/delimit"
)

// What the caller does: it yields from lane after lane, and where a lane was of a
// unit, or led to one, goes on with that. Numbers that were counted from where a
// worker began are shifted on the way.

// deliver yields from one lane after another.
func (r *run) deliver(ctx context.Context, yield func(*Result, error) bool) {
	for {
		select {
		case ln, ok := <-r.lanes:
			if !ok || !r.deliverAll(ctx, yield, ln, shift{}) {
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// deliverAll yields what comes over ln, and the lanes of units behind it, with
// numbers shifted. It reports whether there is to be more.
func (r *run) deliverAll(ctx context.Context, yield func(*Result, error) bool, ln *lane, by shift) bool {
	for ln != nil {
		if !r.deliverLane(ctx, yield, ln, by) {
			return false
		}
		if ln.turned != nil { // a unit
			r.mu.Lock()
			r.ahead--
			r.more.Broadcast()
			r.mu.Unlock()
		}
		by.lines += ln.shift.lines
		by.messages += ln.shift.messages
		by.mail = ln.shift.mail
		ln = ln.then
	}
	return true
}

// deliverLane yields what comes over ln, to its end. Full batches come first: what
// is parked is the newest.
func (r *run) deliverLane(ctx context.Context, yield func(*Result, error) bool, ln *lane, by shift) bool {
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
			case <-ctx.Done():
				return false
			}
			if b == nil {
				return true
			}
		}
		if b.then != nil {
			if !r.deliverAll(ctx, yield, b.then, b.shift) {
				return false
			}
			continue
		}
		if !b.deliver(ctx, yield, by) {
			return false
		}
	}
}

// deliver yields what is in b, with its numbers shifted, and sends b home empty.
func (b *batch) deliver(ctx context.Context, yield func(*Result, error) bool, by shift) bool {
	for i := range b.entries {
		if ctx.Err() != nil {
			return false
		}
		e := &b.entries[i]
		var more bool
		if e.err != nil {
			by.origin(&e.err.Origin)
			more = yield(nil, e.err)
		} else {
			by.result(&e.res)
			more = yield(&e.res, nil)
		}
		if !more {
			return false
		}
	}
	b.empty()
	return true
}

// A shift is what is added to the numbers of what comes over a lane, which are counted
// from where its reader began.
type shift struct {
	lines    int64
	messages int
	mail     bool // the text has lines of its own
}

// result shifts r.
func (s *shift) result(r *Result) {
	values := r.Found.Form == delimit.Attribute || r.Found.Form == delimit.Header // which stand in no text
	if r.Found.Line > 0 && (!s.mail || values && r.Origin.Member == "") {         // else lines are not wanted
		r.Found.Line += s.lines
	}
	s.origin(&r.Origin)
}

// origin shifts o.
func (s *shift) origin(o *Origin) {
	if o.Member == "" && o.Line > 0 {
		o.Line += s.lines
	}
	if s.messages == 0 {
		return
	}
	if o.enclosed {
		o.renumber(s.messages)
	} else if o.Message > 0 {
		o.Message += s.messages
	}
}
