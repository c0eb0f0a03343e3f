package schedule

import "sync/atomic"

// This file gives work to workers, and lets them wait when there is none. A waiting worker may
// be asked to assist another one.

// Assistants are the workers that wait for work. The scheduler's mu guards all but idle.
type assistants struct {
	waiting int          // workers
	asked   []func()     // functions that they were asked to run: at most one for each
	idle    atomic.Int32 // workers that wait and were not asked to assist; 0 while jobs are left
}

// next removes the last function that a worker was asked to run and returns it; nil if
// there is none.
func (a *assistants) next() func() {
	n := len(a.asked)
	if n == 0 {
		return nil
	}
	fill := a.asked[n-1]
	a.asked = a.asked[:n-1]
	return fill
}

// ask asks a waiting worker to run fill. It reports whether there is one.
func (a *assistants) ask(fill func()) bool {
	if a.waiting <= len(a.asked) {
		return false
	}
	a.asked = append(a.asked, fill)
	return true
}

// countIdle counts the workers that can be asked to assist: those that wait, once there
// are no more jobs. While there are jobs, an assistant could wait for one slow job (a pipe) and new
// jobs would wait for it.
func (r *scheduler[J, B, E, D]) countIdle() {
	if r.jobs.exhausted() {
		r.assistants.idle.Store(int32(r.assistants.waiting - len(r.assistants.asked)))
	}
}

// claim claims work for the worker of p. It returns a segment of a file that others are
// reading, or nil and true: then p has the next jobs, and a queue is open for them. If there is
// neither a segment nor a job, it waits, because files may be divided later. ok is false if
// there will be no more work. The loop runs once for each change that wakes the worker.
func (r *scheduler[J, B, E, D]) claim(p *Producer[J, B, E, D]) (s *Segment[B, E, D], ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for {
		if fill := r.assistants.next(); fill != nil { // the worker that asked is waiting for it
			r.countIdle()
			r.mu.Unlock()
			fill()
			r.mu.Lock()
			continue
		}
		if r.ended || p.Stop.Is() {
			break
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

// assist asks an idle worker to run fill. It reports whether there is one; if so, fill
// will be run.
func (r *scheduler[J, B, E, D]) assist(fill func()) bool {
	if r.assistants.idle.Load() <= 0 { // the usual case
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended || !r.assistants.ask(fill) {
		return false
	}
	r.countIdle()
	r.changed.Broadcast()
	return true
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
	q := newQueue[B, D](Batches)
	if len(p.jobs) > 1 {
		q = newQueue[B, D](Batches + len(p.jobs))
		q.many = true
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

// seal closes the sequence of queues once the last job is claimed. The caller holds mu.
func (r *scheduler[J, B, E, D]) seal() {
	if r.jobs.exhausted() && !r.jobs.taking {
		close(r.queues.waiting)
	}
}

// settled records that it is known whether the job of p can be divided. The caller holds mu.
func (r *scheduler[J, B, E, D]) settled(p *Producer[J, B, E, D]) {
	if p.unsettled {
		p.unsettled = false
		r.undecided--
		r.changed.Broadcast()
	}
}

// segmentDelivered records that all results of a segment were delivered.
func (r *scheduler[J, B, E, D]) segmentDelivered() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.files.undelivered--
	r.changed.Broadcast()
}

// done records that the worker of p has finished its claim.
func (r *scheduler[J, B, E, D]) done(p *Producer[J, B, E, D]) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.settled(p)
	r.jobs.lately += p.small
	p.small = 0
	if r.busy--; r.busy == 0 {
		r.changed.Broadcast()
	}
}
