package schedule

import (
	"sync"
	"sync/atomic"
)

// A Config describes jobs, batches and segments, and how jobs are run.
type Config[J, B, E, D any] struct {
	Workers   int  // at least one
	Unordered bool // deliver results as they arrive, not in the order of jobs

	Hint  func(*J) Hint // what is known of a job before it is read
	New   func(*B)      // turns a zero B into an empty batch
	Empty func(*B)      // empties a batch for reuse
	Add   func(D, D) D  // the sum of two deltas

	SplitSize int64                // bytes between split points, if a DividedFile may be divided
	AtSplit   func()               // for tests, or nil: called when a reader reaches a split point
	Outcome   func(committed bool) // for tests, or nil: called when the outcome of a segment is known
}

// A scheduler is the state that the workers of one Do share.
type scheduler[J, B, E, D any] struct {
	c      Config[J, B, E, D]
	queues delivery[B, D]
	lister lister

	mu         sync.Mutex        // guards the fields below
	changed    sync.Cond         // signals that one of them has changed
	ended      bool              // the consumer has stopped
	jobs       jobRing[J]        // jobs not yet claimed
	files      fileList[B, E, D] // files with segments left to claim
	blocks     blockList[B, E, D]
	assistants assistants // workers that wait
	undecided  int        // jobs for which it is not known whether they can be divided
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
	r.jobs.hint, r.jobs.wholeSize = c.Hint, 2*c.SplitSize
	r.files = fileList[B, E, D]{mu: &r.mu, changed: &r.changed, quit: r.queues.quit, workers: c.Workers,
		add: c.Add, drop: r.queues.drop, atSplit: c.AtSplit, outcome: c.Outcome}
	return r
}

// Assistants are the workers that wait for work. The scheduler's mu guards all but idle.
type assistants struct {
	waiting int          // number of workers that wait
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

// countIdle counts the workers that can be asked to assist: those that wait, once there are no
// more jobs. While jobs are left, no worker is asked: reading ahead in a slow source (a pipe)
// would keep it from new jobs.
func (r *scheduler[J, B, E, D]) countIdle() {
	if r.jobs.exhausted() {
		r.assistants.idle.Store(int32(r.assistants.waiting - len(r.assistants.asked)))
	}
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

// seal closes the sequence of queues once the last job is claimed. The caller holds mu.
func (r *scheduler[J, B, E, D]) seal() {
	if r.jobs.exhausted() && !r.jobs.taking {
		close(r.queues.waiting)
	}
}

// segmentDelivered records that all results of a segment were delivered.
func (r *scheduler[J, B, E, D]) segmentDelivered() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.files.undelivered--
	r.changed.Broadcast()
}
