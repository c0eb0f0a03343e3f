package schedule

// A Producer is the connection of a worker with the scheduler. It has the claimed jobs or block, and the batch
// that is being filled. Only that worker's goroutine uses the Producer.
type Producer[J, B, E, D any] struct {
	Stop  *Interrupt
	Order int // number of the job that is read, counted over all claimed jobs

	scheduler *scheduler[J, B, E, D]
	queue     *queue[B, D]
	pool      batchPool[B, D]
	cur       *batch[B, D] // the batch being filled, or nil

	block  *claimed[B, E, D] // that is read, or nil
	waited bool              // the worker waited for a batch while another queue was being delivered

	parked bool // cur may also be in queue.parked, where the caller can take it
	shift  D    // of the batch or block that is sent next: see Shift

	handed    handed // blocks: see Hand
	jobs      []J    // the jobs that were claimed
	small     int    // how many of the jobs had an unknown size and were small: see Opened
	unsettled bool   // it is not known yet whether the job is cut: see Settled
}

// A batchPool holds the empty batches of one worker.
type batchPool[B, D any] struct {
	empty    chan *batch[B, D]
	made     int
	reserve  chan *batch[B, D]
	reserved int // batches made for reserve
}

func (r *scheduler[J, B, E, D]) newProducer(stop *Interrupt) *Producer[J, B, E, D] {
	return &Producer[J, B, E, D]{Stop: stop, scheduler: r,
		pool: batchPool[B, D]{empty: make(chan *batch[B, D], Batches), reserve: make(chan *batch[B, D], reserve)}}
}

// Settled reports to the scheduler that the worker knows whether its job is cut into blocks. Until then
// other workers wait, so that they do not start on jobs that the caller needs much later.
func (p *Producer[J, B, E, D]) Settled() {
	if !p.unsettled { // the usual case
		return
	}
	p.scheduler.mu.Lock()
	defer p.scheduler.mu.Unlock()
	p.settle()
}

// settle is Settled for a caller that holds mu.
func (p *Producer[J, B, E, D]) settle() {
	if p.unsettled {
		p.unsettled = false
		p.scheduler.undecided--
		p.scheduler.changed.Broadcast()
	}
}

// Opened reports the size in bytes of a file whose size was unknown when it was claimed.
func (p *Producer[J, B, E, D]) Opened(size int64) {
	l := &p.scheduler.jobs
	if l.isSmallSize(size) {
		p.small++ // see scheduler.done
		return
	}
	p.scheduler.mu.Lock()
	defer p.scheduler.mu.Unlock()
	l.smallInRow, p.small = 0, 0
}

// Assist asks an idle worker to run fill. It reports whether there is one; if so, fill
// will be run.
func (p *Producer[J, B, E, D]) Assist(fill func()) bool { return p.scheduler.assist(fill, p.Order) }

// begin starts the block b, or if it is nil a claim of jobs. Results are sent to q.
func (p *Producer[J, B, E, D]) begin(q *queue[B, D], b *claimed[B, E, D]) {
	p.queue, p.block, p.waited, p.shift = q, b, false, *new(D)
	if b != nil {
		p.Order = b.order
	}
}

// end sends cur and closes the queue.
func (p *Producer[J, B, E, D]) end() {
	if p.cur != nil {
		p.send()
	}
	close(p.queue.out)
}

// Batch returns the batch that is being filled, or nil: see [Producer.Next].
func (p *Producer[J, B, E, D]) Batch() *B {
	if p.cur == nil {
		return nil
	}
	return &p.cur.items
}

// Next passes on the batch that was filled and waits for an empty one, which Batch then returns.
// Next returns false if the work has ended.
func (p *Producer[J, B, E, D]) Next() bool {
	if p.cur != nil {
		p.send()
	}
	pool := &p.pool
	if pool.made < Batches && len(pool.empty) == 0 {
		pool.made++
		p.cur = p.newBatch(pool.empty)
	} else if !p.await() {
		return false
	}
	p.cur.shift, p.shift = p.shift, *new(D)
	return !p.Stop.Is()
}

// newBatch makes a batch that returns to the channel to after its delivery.
func (p *Producer[J, B, E, D]) newBatch(to chan *batch[B, D]) *batch[B, D] {
	b := &batch[B, D]{returnTo: to}
	p.scheduler.c.New(&b.items)
	return b
}

// await makes cur an empty batch, from the pool or the reserve. It returns false if the
// work has ended. The loop runs at most twice.
func (p *Producer[J, B, E, D]) await() bool {
	pool := &p.pool
	// If the worker has to wait, the next blocks of the file are shorter: see SharedFile.together.
	p.waited = p.waited || len(pool.empty) == 0 && !p.queue.current.Load()
	for {
		var becameCurrent <-chan struct{}
		var extra <-chan *batch[B, D]
		switch {
		case p.block == nil:
		case !p.block.current:
			becameCurrent = p.queue.becameCurrent
		default:
			extra = pool.reserve
		}
		select {
		case p.cur = <-pool.empty:
			return true
		case p.cur = <-extra:
			return true
		case <-becameCurrent:
			p.block.current = true
			if pool.reserved < reserve {
				pool.reserved++
				pool.reserve <- p.newBatch(pool.reserve)
			}
		case <-p.scheduler.queues.quit:
			return false
		}
	}
}

// send puts cur in the queue. The queue has room for all batches.
func (p *Producer[J, B, E, D]) send() {
	p.queue.out <- p.cur
	p.cur = nil
}

// Park passes on the batch that is being filled, before a Read that may wait. If the caller is
// still at another queue, the batch is parked. When the caller comes to this queue it takes the
// batch, unless [Producer.Unpark] takes it back first.
func (p *Producer[J, B, E, D]) Park() {
	switch {
	case p.cur == nil:
	case p.queue.current.Load():
		p.send()
	default:
		p.queue.parked.Store(p.cur)
		p.parked = true
		// The caller may have come to this queue in between, and found no parked batch.
		if p.queue.current.Load() {
			p.Unpark()
			p.Park()
		}
	}
}

// Unpark takes the parked batch back, if it is still there.
func (p *Producer[J, B, E, D]) Unpark() {
	if p.parked {
		p.cur = p.queue.parked.Swap(nil)
		p.parked = false
	}
}
