package schedule

import (
	"iter"
	"slices"
	"sync"
	"sync/atomic"
)

// A Config describes jobs and batches, and how jobs are run.
type Config[J, B, E, D any] struct {
	Workers   int  // at least one
	Unordered bool // deliver results as they arrive, not in the order of jobs

	Hint  func(*J) Hint // what is known of a job before it is read
	New   func(*B)      // turns a zero B into an empty batch
	Empty func(*B)      // empties a batch for reuse
	Add   func(D, D) D  // the sum of two deltas

	Whole int64 // the largest size of a file that is not cut into blocks
}

// A scheduler is the state that the workers of one Do share.
type scheduler[J, B, E, D any] struct {
	c      Config[J, B, E, D]
	queues delivery[B, D]
	lister lister

	mu         sync.Mutex // guards the fields below
	changed    sync.Cond  // signals that one of them has changed
	ended      bool       // the consumer has stopped
	jobs       jobRing[J] // jobs not yet claimed
	blocks     blockList[B, E, D]
	assistants assistants // workers that wait
	undecided  int        // jobs for which it is not known whether they are cut
	busy       int        // workers that are reading
	left       int        // workers that have not ended
}

func newScheduler[J, B, E, D any](c Config[J, B, E, D], deliver func(*B, D) bool) *scheduler[J, B, E, D] {
	r := &scheduler[J, B, E, D]{c: c, left: c.Workers}
	r.changed.L = &r.mu
	r.queues = delivery[B, D]{deliver: deliver, empty: c.Empty, add: c.Add,
		quit: make(chan struct{}), waiting: make(chan *queue[B, D], Ahead*c.Workers)}
	if c.Unordered {
		r.queues.openOnly(c.Workers*Batches + Ahead*c.Workers)
	}
	r.jobs.room.L = &r.mu
	r.jobs.hint, r.jobs.wholeSize = c.Hint, c.Whole
	r.blocks.most = Ahead * c.Workers
	r.blocks.setEarliest()
	return r
}

// Assistants are the workers that wait for work. The scheduler's mu guards all but idle.
type assistants struct {
	waiting int          // number of workers that wait
	asked   []assistance // what they were asked to run: at most one for each
	idle    atomic.Int32 // workers that wait and were not asked to do anything; 0 while jobs are left
}

// An assistance is a function that a worker runs for the job with that number.
type assistance struct {
	fill  func()
	order int
}

// first returns the index in asked of what belongs to the earliest job, or -1.
func (a *assistants) first() int {
	first := -1
	for i := range a.asked { // at most one for each worker
		if first < 0 || a.asked[i].order < a.asked[first].order {
			first = i
		}
	}
	return first
}

// free returns how many of the workers that wait can do something for the job with that number: they were not asked for anything, and no
// earlier job needs them. The caller holds mu.
func (r *scheduler[J, B, E, D]) free(order int) int {
	if r.blocks.earliest() <= order {
		return 0
	}
	return r.assistants.waiting - len(r.assistants.asked) - len(r.blocks.list)
}

// countIdle counts the workers that can be asked to assist: those that wait, once there are no
// more jobs. While jobs are left, no worker is asked: reading ahead in a slow source (a pipe)
// would keep it from new jobs.
func (r *scheduler[J, B, E, D]) countIdle() {
	if r.jobs.exhausted() {
		r.assistants.idle.Store(int32(r.free(-1)))
	}
}

// assist asks an idle worker to run fill for the job with that number. It reports whether there is one; if so, fill
// will be run.
func (r *scheduler[J, B, E, D]) assist(fill func(), order int) bool {
	if r.assistants.idle.Load() <= 0 { // the usual case
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended || r.free(order) <= 0 {
		return false
	}
	r.assistants.asked = append(r.assistants.asked, assistance{fill, order})
	r.countIdle()
	r.changed.Broadcast()
	return true
}

// seal closes the sequence of queues once the last job is claimed. The caller holds mu.
func (r *scheduler[J, B, E, D]) seal() {
	if r.jobs.exhausted() && !r.jobs.taking {
		close(r.queues.waiting)
	}
}

// The scheduler gives work to workers, and lets them wait when there is none. A waiting worker may
// be asked to assist another one.

// claim claims work for the worker of p: what the caller needs first. It returns a block of a source that another worker has opened, or nil and true: then p has the next jobs, and a
// queue is open for them. If there is nothing of all this, claim waits, because blocks may be handed
// out, or a file cut, later. ok is false if there will be no more work. The loop runs once for each
// change that wakes the worker.
func (r *scheduler[J, B, E, D]) claim(p *Producer[J, B, E, D]) (b *claimed[B, E, D], ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for {
		if r.ended || p.Stop.Is() {
			if i := r.assistants.first(); i >= 0 { // another worker waits for it
				r.run(i)
				continue
			}
			break
		}
		assist, handed := r.assistants.first(), r.blocks.first()
		first := r.blocks.earliest()
		switch {
		case assist >= 0 && r.assistants.asked[assist].order < first && (handed < 0 || r.assistants.asked[assist].order < r.blocks.list[handed].order):
			r.run(assist)
			continue
		case handed >= 0 && r.blocks.list[handed].order <= first:
			b = r.blocks.claim(handed)
			r.busy++
			p.begin(b.queue, b)
			r.countIdle()
			return b, true
		case len(r.blocks.files) > 0:
			if b = r.claimNext(); b != nil {
				p.begin(b.queue, b)
				r.countIdle()
				return b, true
			}
			r.wait()
			continue
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
	if r.left--; r.left == 0 {
		if r.queues.only != nil {
			close(r.queues.only.out)
		}
		for _, f := range r.blocks.files { // the consumer has stopped
			f.Close()
		}
	}
	r.changed.Broadcast()
	return nil, false
}

// run runs what asked has at the index i. The caller holds mu, which is released meanwhile.
func (r *scheduler[J, B, E, D]) run(i int) {
	fill := r.assistants.asked[i].fill
	r.assistants.asked = slices.Delete(r.assistants.asked, i, i+1)
	r.countIdle()
	r.mu.Unlock()
	fill()
	r.mu.Lock()
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
	if p.unsettled = r.jobs.mayCut(); p.unsettled {
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
	switch b := p.block; {
	case b == nil:
	case b.from != nil:
		b.from.busy.Add(-1)
	case b.file != nil:
		r.blocks.leave(b.file, b.queue.failed, p.waited)
	}
	r.jobs.smallInRow += p.small
	p.small = 0
	if r.busy--; r.busy == 0 {
		r.changed.Broadcast()
	}
}

// work is the main loop of a worker. Each iteration is a claim.
func (r *scheduler[J, B, E, D]) work(p *Producer[J, B, E, D], w Worker[J, E]) {
	for {
		b, ok := r.claim(p)
		if !ok {
			return
		}
		if b != nil {
			w.Block(b.block)
		} else {
			w.RunJobs(p.jobs)
		}
		if b != nil || r.queues.only == nil {
			p.end()
		} else {
			p.Park()
		}
		r.done(p)
	}
}

// fillRing puts jobs in the ring until the consumer stops.
func (r *scheduler[J, B, E, D]) fillRing(jobs iter.Seq[J]) {
	func() {
		l := &r.lister
		defer func() {
			if !l.done {
				l.value = recover()
			}
		}()
		more := func(job *J) bool { return r.c.Hint(job).More }
		Gather(jobs, more, func(next []J) bool {
			l.closed = !r.putAll(next)
			return !l.closed
		})
		l.done = true
	}()

	r.mu.Lock()
	defer r.mu.Unlock()
	r.jobs.complete = true
	r.seal()
	r.changed.Broadcast()
}

// putAll puts jobs in the ring when there is room. It returns false if the consumer has
// stopped.
func (r *scheduler[J, B, E, D]) putAll(jobs []J) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := &r.jobs
	if l.n > ringSize-len(jobs) {
		for l.n > ringSize/2 && !r.ended { // one iteration for each wake-up
			l.room.Wait()
		}
	}
	if r.ended {
		return false
	}
	l.put(jobs)
	if r.assistants.waiting > 0 {
		r.changed.Broadcast()
	}
	return true
}
