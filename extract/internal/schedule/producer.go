package schedule

// Batches is the number of batches of a worker.
const Batches = 24

// reserve is how many more batches a worker gets for a segment that is being delivered,
// while its own are held by later queues.
const reserve = 2

// An Output has the batch that a worker is filling, and what that worker has claimed.
// Only that worker's goroutine uses it.
type Output[J, B, E, D any] struct {
	Stop  *Interrupt
	Order int // number of the job that is read, counted over all claimed jobs

	run   *run[J, B, E, D]
	queue *queue[B, D]
	pool  pool[B, D]
	cur   *batch[B, D] // the batch being filled, or nil

	parked bool // cur may also be in queue.parked, where the caller can take it

	jobs      []J  // the jobs that were claimed
	small     int  // how many of them had no known size and were small: see Opened
	unsettled bool // not known yet whether the job can be divided: see Settled

	in reading[B, E, D]
}

// A pool holds the empty batches of one worker.
type pool[B, D any] struct {
	empty    chan *batch[B, D]
	made     int
	reserve  chan *batch[B, D]
	reserved int
}

// A reading is the state of a worker that reads a segment. The segment's queue may come
// before other queues that hold this worker's batches; while it is being delivered, the
// worker may use reserve batches.
type reading[B, E, D any] struct {
	segment   *Segment[B, E, D] // nil while a job is read from its beginning
	committed bool              // the segment is known to be committed
	turned    bool              // its queue is known to be the one being delivered
	waited    bool              // the worker waited for a batch while another queue was being delivered
}

func (r *run[J, B, E, D]) newOutput(stop *Interrupt) *Output[J, B, E, D] {
	return &Output[J, B, E, D]{Stop: stop, run: r,
		pool: pool[B, D]{empty: make(chan *batch[B, D], Batches), reserve: make(chan *batch[B, D], reserve)}}
}

// Batch returns the batch that is being filled, or nil: see [Output.Next].
func (o *Output[J, B, E, D]) Batch() *B {
	if o.cur == nil {
		return nil
	}
	return &o.cur.items
}

// Next passes on the batch that was filled and waits for an empty one, which Batch then
// returns. It returns false if the work has ended.
func (o *Output[J, B, E, D]) Next() bool {
	if o.cur != nil {
		o.send()
	}
	p := &o.pool
	if p.made < Batches && len(p.empty) == 0 {
		p.made++
		o.cur = o.newBatch(p.empty)
		return !o.Stop.Is()
	}
	return o.await()
}

// newBatch returns a batch that returns to the channel to when it has been delivered.
func (o *Output[J, B, E, D]) newBatch(to chan *batch[B, D]) *batch[B, D] {
	b := &batch[B, D]{returnTo: to}
	o.run.c.New(&b.items)
	return b
}

// await makes cur an empty batch, from the pool or the reserve. It returns false if the
// work has ended. The loop runs at most three times.
func (o *Output[J, B, E, D]) await() bool {
	p, in := &o.pool, &o.in
	in.waited = in.waited || len(p.empty) == 0 && !o.queue.turn.Load()
	for {
		var turned, settled <-chan struct{}
		var extra <-chan *batch[B, D]
		switch {
		case in.segment == nil:
		case !in.turned:
			turned = in.segment.queue.turned
		default:
			extra = p.reserve
		}
		if in.segment != nil && !in.committed {
			settled = in.segment.decided
		}
		select {
		case o.cur = <-p.empty:
			return !o.Stop.Is()
		case o.cur = <-extra:
			return !o.Stop.Is()
		case <-turned:
			in.turned = true
			if p.reserved < reserve {
				p.reserved++
				p.reserve <- o.newBatch(p.reserve)
			}
		case <-settled:
			if o.Discarded() {
				return false
			}
		case <-o.run.quit:
			return false
		}
	}
}

// send puts cur in the queue. The queue has room for all batches.
func (o *Output[J, B, E, D]) send() {
	o.queue.out <- o.cur
	o.cur = nil
}

// Pause passes on the batch that is being filled, before a Read that may wait. If the
// caller is still at another queue, the batch is parked. The caller takes it when it
// comes to this queue, unless [Output.Resume] takes it back first.
func (o *Output[J, B, E, D]) Pause() {
	switch {
	case o.cur == nil:
	case o.queue.turn.Load():
		o.send()
	default:
		o.queue.parked.Store(o.cur)
		o.parked = true
		// The caller may have come to this queue in between, and found nothing.
		if o.queue.turn.Load() {
			o.Resume()
			o.Pause()
		}
	}
}

// Resume takes the parked batch back, if it is still there.
func (o *Output[J, B, E, D]) Resume() {
	if o.parked {
		o.cur = o.queue.parked.Swap(nil)
		o.parked = false
	}
}

// begin starts a segment, or if s is nil a claim of jobs. Results are sent to q.
func (o *Output[J, B, E, D]) begin(q *queue[B, D], s *Segment[B, E, D]) {
	o.queue, o.in = q, reading[B, E, D]{segment: s}
}

// end sends cur and closes the queue.
func (o *Output[J, B, E, D]) end() {
	if o.cur != nil {
		o.send()
	}
	close(o.queue.out)
}

// Committed reports whether the results are known to count. They are not while the
// outcome of the segment is unknown.
func (o *Output[J, B, E, D]) Committed() bool {
	return o.in.segment == nil || !o.Discarded() && o.in.committed
}

// Discarded reports whether the segment is known to be discarded.
func (o *Output[J, B, E, D]) Discarded() bool {
	if o.in.segment == nil || o.in.committed {
		return false
	}
	select {
	case <-o.in.segment.decided:
		o.in.committed = o.in.segment.outcome == committed
		return !o.in.committed
	default:
		return false
	}
}

// Follow appends the queue of s to this queue. delta is added to the numbers in the
// results of s.
func (o *Output[J, B, E, D]) Follow(s *Segment[B, E, D], delta D) {
	if !o.queue.many {
		o.queue.then, o.queue.delta = s.queue, delta
		return
	}
	if o.cur != nil {
		o.send()
	}
	o.queue.out <- &batch[B, D]{then: s.queue, delta: delta} // there is room
}

// Assist asks an idle worker to run fill. It reports whether there is one; if so, fill
// will be run.
func (o *Output[J, B, E, D]) Assist(fill func()) bool { return o.run.assist(fill) }

// Await waits until c is closed. It reports whether to continue: the work has not ended,
// and the current segment is not discarded. The loop runs at most twice.
func (o *Output[J, B, E, D]) Await(c <-chan struct{}) bool {
	var settled <-chan struct{}
	if s := o.in.segment; s != nil && !o.in.committed {
		settled = s.decided
	}
	for {
		select {
		case <-c:
			return true
		case <-settled:
			if settled = nil; o.Discarded() {
				return false
			}
		case <-o.run.quit:
			return false
		}
	}
}
