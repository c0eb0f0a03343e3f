package schedule

import (
	"context"
	"sync/atomic"
)

// Results pass from a worker to the caller in batches. A worker has a fixed number of batches,
// which return to it after delivery. So a worker cannot be further ahead of the caller than its
// batches hold.

// A batch holds results; or, if next is set, it names the queue to deliver next.
type batch[B, D any] struct {
	items    B
	returnTo chan *batch[B, D] // receives the batch when it is empty; it has room for all
	next     *queue[B, D]
	delta    D // of the trunk, if next is one: what is in front of its blocks

	block bool // next is the queue of a block: see Producer.Hand
	shift D    // what the worker has counted so far, before it started at 0 again: see Producer.Shift
}

// A queue carries the batches of a claim to the caller, in order. A trunk is a queue that names the queues of blocks.
type queue[B, D any] struct {
	out       chan *batch[B, D]           // has room for all batches of a worker; closed at the end
	parked    atomic.Pointer[batch[B, D]] // see the words in doc.go; nil if there is none
	current   atomic.Bool                 // the caller is delivering this queue
	unordered bool                        // the queue is for several jobs: a batch names the queue that follows one of them

	becameCurrent chan struct{} // of a block: closed when current is set
	delivered     func()        // of a block: called when all of it is delivered

	// Of a block: set before out is closed.
	counted D      // what it counts
	failed  bool   // the blocks of its file that follow do not count
	undo    func() // called if it does not count itself; may be nil

	isAfterFailure bool // of a trunk: the first block has failed, so the others do not count
}

func newQueue[B, D any](room int) *queue[B, D] {
	return &queue[B, D]{out: make(chan *batch[B, D], room)}
}

// A delivery is the consumer's part of a scheduler: it delivers one queue after another in
// the caller's goroutine.
type delivery[B, D any] struct {
	deliver func(*B, D) bool // passes a batch to the caller
	empty   func(*B)         // empties a batch
	add     func(D, D) D     // the sum of two deltas

	quit    chan struct{}     // closed when the consumer has stopped
	waiting chan *queue[B, D] // the next queues, in the order of claims
	only    *queue[B, D]      // the only queue, if results are unordered
}

// openOnly opens the only queue, with room for that many batches.
func (d *delivery[B, D]) openOnly(room int) {
	d.only = newQueue[B, D](room)
	d.only.unordered = true
	d.only.current.Store(true)
	d.waiting <- d.only
}

// drop empties the batches of a queue that will not be delivered, until it ends.
func (d *delivery[B, D]) drop(q *queue[B, D]) {
	for b := range q.out {
		d.recycle(b)
	}
}

// recycle empties b and returns it to its worker.
func (d *delivery[B, D]) recycle(b *batch[B, D]) {
	if b.returnTo == nil { // the batch holds no results
		return
	}
	d.empty(&b.items)
	b.returnTo <- b
}

// deliverAll delivers all queues until ctx ends. It reports whether it has delivered the last
// one.
func (d *delivery[B, D]) deliverAll(ctx context.Context) bool {
	for {
		select {
		case q, ok := <-d.waiting:
			if !ok {
				return true
			}
			var none D
			if !d.deliverWhole(ctx, q, none) {
				return false
			}
		case <-ctx.Done():
			return false
		}
	}
}

// deliverWhole delivers q, with delta added to the numbers in its results, and says that it is delivered. It reports whether to continue.
func (d *delivery[B, D]) deliverWhole(ctx context.Context, q *queue[B, D], delta D) bool {
	if !d.deliverQueue(ctx, q, delta) {
		return false
	}
	if q.delivered != nil {
		q.delivered()
	}
	return true
}

// deliverQueue delivers q to its end. Full batches are delivered before the parked one, which is
// the newest.
func (d *delivery[B, D]) deliverQueue(ctx context.Context, q *queue[B, D], delta D) bool {
	q.current.Store(true) // delta grows by what blocks have counted
	if q.becameCurrent != nil {
		close(q.becameCurrent)
	}
	failed := q.isAfterFailure
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
			case <-ctx.Done():
				return false
			}
			if b == nil {
				return true
			}
		}
		delta = d.add(delta, b.shift)
		if b.block && failed {
			if d.drop(b.next); b.next.undo != nil {
				b.next.undo()
			}
			b.next.delivered()
			continue
		}
		if b.block {
			if !d.deliverWhole(ctx, b.next, delta) {
				return false
			}
			delta, failed = d.add(delta, b.next.counted), b.next.failed
			continue
		}
		if b.next != nil {
			if !d.deliverWhole(ctx, b.next, b.delta) {
				return false
			}
			continue
		}
		if !d.deliver(&b.items, delta) {
			return false
		}
		d.recycle(b)
	}
}

// Ahead is how many claims for each worker may be ahead of the caller, and how many blocks of SharedFiles for
// each worker. Most of them have no results.
const Ahead = 16

// Batches is the number of batches of a worker.
const Batches = 24

// reserve is how many more batches a worker gets for a block that is being delivered, while
// later queues hold its other batches.
const reserve = 2
