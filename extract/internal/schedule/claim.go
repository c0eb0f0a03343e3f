package schedule

// This file gives work to workers, and lets them wait when there is none. A waiting worker may
// be asked to assist another one.

// claim claims work for the worker of p. It returns a block of a stream that another worker reads, or
// else a segment of a file that others are reading, or nil and true: then p has the next jobs, and a
// queue is open for them. If there is nothing of all this, claim waits, because blocks may be handed
// out, or a file divided, later. ok is false if there will be no more work. The loop runs once for each
// change that wakes the worker.
func (r *scheduler[J, B, E, D]) claim(p *Producer[J, B, E, D]) (s *Segment[B, E, D], ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for {
		if fill := r.assistants.next(); fill != nil { // another worker waits for what fill produces
			r.countIdle()
			r.mu.Unlock()
			fill()
			r.mu.Lock()
			continue
		}
		if r.ended || p.Stop.Is() {
			break
		}
		if s = r.blocks.claim(); s != nil { // first of all: the caller needs it soon
			p.begin(s.queue, s)
			p.Share.committed = true
			r.busy++
			return s, true
		}
		if s = r.files.claim(r.segmentDelivered); s != nil {
			p.begin(s.queue, s)
			r.busy++
			return s, true
		}
		switch {
		case r.jobs.n > 0 && !r.jobs.taking && r.undecided == 0:
			r.take(p)
			if r.openQueue(p) {
				return nil, true
			}
			continue
		case r.jobs.exhausted() && r.busy == 0:
		default:
			r.wait()
			continue
		}
		break
	}
	if r.left--; r.left == 0 && r.queues.only != nil {
		close(r.queues.only.out)
	}
	r.changed.Broadcast()
	return nil, false
}

// wait waits until something has changed, or another worker asks for assistance. The
// caller holds mu.
func (r *scheduler[J, B, E, D]) wait() {
	r.assistants.waiting++
	r.countIdle()
	r.changed.Wait()
	r.assistants.waiting--
	r.countIdle()
}

// take claims the next jobs of the ring for p. The caller holds mu.
func (r *scheduler[J, B, E, D]) take(p *Producer[J, B, E, D]) {
	if p.unsettled = r.jobs.mayDivide(); p.unsettled {
		r.undecided++
	}
	p.Order = r.jobs.claimed
	p.jobs = r.jobs.take(p.jobs[:0], r.c.Workers)
	r.busy++
}

// openQueue opens a queue for the jobs that p has claimed, in the order of claims. It
// returns false if the consumer has stopped. The caller holds mu; openQueue releases it
// while it waits for the consumer.
func (r *scheduler[J, B, E, D]) openQueue(p *Producer[J, B, E, D]) bool {
	if r.queues.only != nil {
		p.begin(r.queues.only, nil)
		r.seal()
		return true
	}
	q := newQueue[B, D](Batches + mostBlocks)
	if len(p.jobs) > 1 {
		q = newQueue[B, D](Batches + len(p.jobs))
		q.unordered = true
	}
	p.begin(q, nil)
	ok := true
	select {
	case r.queues.waiting <- q:
	default:
		r.jobs.taking = true
		r.mu.Unlock()
		select {
		case r.queues.waiting <- q:
		case <-r.queues.quit:
			ok = false
		}
		r.mu.Lock()
		r.jobs.taking = false
		r.changed.Broadcast()
	}
	if !ok {
		r.busy--
		return false
	}
	r.seal()
	return true
}

// done records that the worker of p has finished its claim.
func (r *scheduler[J, B, E, D]) done(p *Producer[J, B, E, D]) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p.settle()
	if s := p.Share.segment; s != nil && s.from != nil {
		s.from.busy--
	}
	r.jobs.smallInRow += p.small
	p.small = 0
	if r.busy--; r.busy == 0 {
		r.changed.Broadcast()
	}
}
