package schedule

// Batches is how many batches a worker has.
const Batches = 24

// reserve is how many more a worker has for a segment whose turn has come, if others are
// away.
const reserve = 2

// An Output is what one worker fills batches with, and what it has claimed. It is for the
// goroutine of that worker.
type Output[J, B, E, D any] struct {
	Stop  *Interrupt
	Order int // of the job that is read, among all that were claimed

	run   *run[J, B, E, D]
	queue *queue[B, D]
	pool  pool[B, D]
	cur   *batch[B, D] // being filled; nil if none is

	parked bool // cur is at queue.parked, if it was not taken

	jobs      []J  // that were claimed
	small     int  // of them, small ones of unknown size: see Opened
	undecided bool // whether others can read the job: see Decided

	in reading[B, E, D]
}

// A pool has the batches of one worker that are empty.
type pool[B, D any] struct {
	home     chan *batch[B, D]
	made     int
	reserve  chan *batch[B, D]
	reserved int
}

// A reading is what a worker knows of the segment that it reads. Its queue may come before
// others that hold batches of this worker; then, and when its turn has come, there are
// reserve ones.
type reading[B, E, D any] struct {
	segment   *Segment[B, E, D] // nil if a job is read from its beginning
	committed bool              // the outcome is known, and is that
	turned    bool              // the queue's turn is known to have come
	waited    bool              // for a batch, while another's turn was
}

func (r *run[J, B, E, D]) newOutput(stop *Interrupt) *Output[J, B, E, D] {
	return &Output[J, B, E, D]{Stop: stop, run: r,
		pool: pool[B, D]{home: make(chan *batch[B, D], Batches), reserve: make(chan *batch[B, D], reserve)}}
}

// Batch returns the batch that is being filled, nil if there is none: see [Output.Next].
func (o *Output[J, B, E, D]) Batch() *B {
	if o.cur == nil {
		return nil
	}
	return &o.cur.items
}

// Next hands over the batch that is being filled, and waits for an empty one, which Batch
// then returns. It returns false if the work has ended.
func (o *Output[J, B, E, D]) Next() bool {
	if o.cur != nil {
		o.send()
	}
	p := &o.pool
	if p.made < Batches && len(p.home) == 0 {
		p.made++
		o.cur = o.newBatch(p.home)
		return !o.Stop.Is()
	}
	return o.await()
}

// newBatch returns a batch that goes home to that.
func (o *Output[J, B, E, D]) newBatch(home chan *batch[B, D]) *batch[B, D] {
	b := &batch[B, D]{home: home}
	o.run.c.New(&b.items)
	return b
}

// await makes cur a batch that has come home, or a reserve one. It returns false if the
// work has ended. There are three iterations at most.
func (o *Output[J, B, E, D]) await() bool {
	p, in := &o.pool, &o.in
	in.waited = in.waited || len(p.home) == 0 && !o.queue.turn.Load()
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
			settled = in.segment.settled
		}
		select {
		case o.cur = <-p.home:
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

// send gives cur to the queue, which has room for all batches there are.
func (o *Output[J, B, E, D]) send() {
	o.queue.out <- o.cur
	o.cur = nil
}

// Pause hands over the batch that is being filled, before a Read that may wait. Where the
// caller is still at another queue, the batch is parked: the caller takes it when the turn
// comes, if [Output.Resume] has not by then.
func (o *Output[J, B, E, D]) Pause() {
	switch {
	case o.cur == nil:
	case o.queue.turn.Load():
		o.send()
	default:
		o.queue.parked.Store(o.cur)
		o.parked = true
		// The turn may have come since, and the caller may have found nothing.
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

// begin starts a segment, or with nil a claim of jobs, whose results go to q.
func (o *Output[J, B, E, D]) begin(q *queue[B, D], s *Segment[B, E, D]) {
	o.queue, o.in = q, reading[B, E, D]{segment: s}
}

// end closes the queue, after what is in cur.
func (o *Output[J, B, E, D]) end() {
	if o.cur != nil {
		o.send()
	}
	close(o.queue.out)
}

// Committed reports whether what is found is known to count: it does not in a segment
// whose outcome is not known.
func (o *Output[J, B, E, D]) Committed() bool {
	return o.in.segment == nil || !o.Discarded() && o.in.committed
}

// Discarded reports whether the segment that is read is known to be discarded.
func (o *Output[J, B, E, D]) Discarded() bool {
	if o.in.segment == nil || o.in.committed {
		return false
	}
	select {
	case <-o.in.segment.settled:
		o.in.committed = o.in.segment.outcome == committed
		return !o.in.committed
	default:
		return false
	}
}

// Follow puts the queue of s after what was found so far, with by added to the numbers of
// what comes there.
func (o *Output[J, B, E, D]) Follow(s *Segment[B, E, D], by D) {
	if !o.queue.many {
		o.queue.then, o.queue.by = s.queue, by
		return
	}
	if o.cur != nil {
		o.send()
	}
	o.queue.out <- &batch[B, D]{then: s.queue, by: by} // there is room
}

// Assist asks a worker that has nothing to do to run fill, and reports whether there is
// one: it will.
func (o *Output[J, B, E, D]) Assist(fill func()) bool { return o.run.assist(fill) }

// Await waits until c is closed, and reports whether to go on: the work has not ended,
// and the segment that is read is not discarded. There are two iterations at most.
func (o *Output[J, B, E, D]) Await(c <-chan struct{}) bool {
	var settled <-chan struct{}
	if s := o.in.segment; s != nil && !o.in.committed {
		settled = s.settled
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
