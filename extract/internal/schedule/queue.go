package schedule

import "sync/atomic"

// Results pass from a worker to the caller in batches. A worker has a fixed number of
// batches, which return to it after delivery. So it cannot be further ahead of the caller
// than its batches hold.

// A batch holds results; or, if then is set, it names the queue to deliver next.
type batch[B, D any] struct {
	items    B
	returnTo chan *batch[B, D] // receives the batch when it is empty; it has room for all
	then     *queue[B, D]
	delta    D // to add to the numbers in the results of then
}

// A queue carries the batches of a claim or of a segment to the caller, in order.
type queue[B, D any] struct {
	out    chan *batch[B, D] // has room for all batches of a worker; closed at the end
	parked atomic.Pointer[batch[B, D]]
	turn   atomic.Bool // the caller is delivering this queue
	many   bool        // of several jobs: a batch names the queue that follows one of them

	turned chan struct{} // of a segment: closed when turn is set
	then   *queue[B, D]  // the queue of the segment where this one ended, set before out is closed
	delta  D             // to add to the numbers there, in addition to the delta of this queue
}

func newQueue[B, D any](room int) *queue[B, D] {
	return &queue[B, D]{out: make(chan *batch[B, D], room)}
}

// drop empties the batches of a queue that has ended and will not be delivered.
func (r *run[J, B, E, D]) drop(q *queue[B, D]) {
	for b := range q.out {
		r.recycle(b)
	}
}

// recycle empties b and returns it to its worker.
func (r *run[J, B, E, D]) recycle(b *batch[B, D]) {
	if b.returnTo == nil { // it holds no results
		return
	}
	r.c.Empty(&b.items)
	b.returnTo <- b
}

// deliverAll delivers one queue after another, in the caller's goroutine. It reports
// whether it has reached the last one.
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

// deliverChain delivers q and the queues of the segments that follow it, with delta added
// to the numbers in their results. It reports whether to continue.
func (r *run[J, B, E, D]) deliverChain(q *queue[B, D], delta D) bool {
	for q != nil {
		if !r.deliverQueue(q, delta) {
			return false
		}
		if q.turned != nil { // a segment
			r.mu.Lock()
			r.undelivered--
			r.changed.Broadcast()
			r.mu.Unlock()
		}
		delta = r.c.Add(delta, q.delta)
		q = q.then
	}
	return true
}

// deliverQueue delivers q to its end. Full batches are delivered first: the parked one is
// the newest.
func (r *run[J, B, E, D]) deliverQueue(q *queue[B, D], delta D) bool {
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
			if !r.deliverChain(b.then, b.delta) {
				return false
			}
			continue
		}
		if !r.deliver(&b.items, delta) {
			return false
		}
		r.recycle(b)
	}
}
