package schedule

import "sync/atomic"

// Results cross from a worker to the caller in batches. A worker has a fixed number of
// them, which come back to it when they have been delivered; so it cannot get further ahead
// of the caller than they hold.

// A batch is one of them; or with then, it says what is to be delivered next.
type batch[B, D any] struct {
	items B
	home  chan *batch[B, D] // where it goes when it is empty; there is room for all
	then  *queue[B, D]
	by    D // what is added to the numbers of what comes over then
}

// A queue carries the batches of a claim, or of a segment, to the caller, in order.
type queue[B, D any] struct {
	out    chan *batch[B, D] // with room for all batches of a worker; closed at the end
	parked atomic.Pointer[batch[B, D]]
	turn   atomic.Bool // the caller takes from this queue now
	many   bool        // it is of several jobs: what follows one of them is said by a batch

	turned chan struct{} // of a segment: closed when turn is set
	then   *queue[B, D]  // of the segment where this one ended, set before out is closed
	by     D             // what is added there, beside what is added here
}

func newQueue[B, D any](room int) *queue[B, D] {
	return &queue[B, D]{out: make(chan *batch[B, D], room)}
}

// drop empties the batches of a queue that has ended, and will not be delivered.
func (r *run[J, B, E, D]) drop(q *queue[B, D]) {
	for b := range q.out {
		r.goHome(b)
	}
}

// goHome returns b, empty, to its worker.
func (r *run[J, B, E, D]) goHome(b *batch[B, D]) {
	if b.home == nil { // it held nothing
		return
	}
	r.c.Empty(&b.items)
	b.home <- b
}

// deliverAll delivers from one queue after another, in the caller's goroutine. It reports
// whether it has come to the last.
func (r *run[J, B, E, D]) deliverAll() bool {
	for {
		select {
		case q, ok := <-r.queues:
			if !ok {
				return true
			}
			var none D
			if !r.deliverChain(q, none) {
				return false
			}
		case <-r.ctx.Done():
			return false
		}
	}
}

// deliverChain delivers what comes over q, and over the queues of segments after it, with
// by added to its numbers. It reports whether to go on.
func (r *run[J, B, E, D]) deliverChain(q *queue[B, D], by D) bool {
	for q != nil {
		if !r.deliverQueue(q, by) {
			return false
		}
		if q.turned != nil { // a segment
			r.mu.Lock()
			r.ahead--
			r.changed.Broadcast()
			r.mu.Unlock()
		}
		by = r.c.Add(by, q.by)
		q = q.then
	}
	return true
}

// deliverQueue delivers what comes over q, to its end. Full batches come first: what is
// parked is the newest.
func (r *run[J, B, E, D]) deliverQueue(q *queue[B, D], by D) bool {
	q.turn.Store(true)
	if q.turned != nil {
		close(q.turned)
	}
	for {
		var b *batch[B, D]
		select {
		case b = <-q.out:
			if b == nil {
				return true
			}
		default:
			b = q.parked.Swap(nil)
		}
		if b == nil {
			select {
			case b = <-q.out:
			case <-r.ctx.Done():
				return false
			}
			if b == nil {
				return true
			}
		}
		if b.then != nil {
			if !r.deliverChain(b.then, b.by) {
				return false
			}
			continue
		}
		if !r.deliver(&b.items, by) {
			return false
		}
		r.goHome(b)
	}
}
