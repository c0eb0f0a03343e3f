package schedule

import (
	"context"
	"iter"
	"sync"
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

// A Worker runs jobs in a goroutine of its own. It shares no buffers.
type Worker[J, B, E, D any] interface {
	// Jobs runs jobs. It may change the slice but not keep it.
	Jobs(jobs []J)

	// Segment reads s. When the queue of s is closed, leave is called, which calls
	// [Share.Leave].
	Segment(s *Segment[B, E, D]) (leave func())

	// Rest is called when the worker has no more work.
	Rest()
}

// Ahead is how many claims for each worker, and how many segments, may be ahead of the
// caller. Most of these produce nothing.
const Ahead = 16

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
	assistants assistants        // workers that wait
	undecided  int               // jobs for which it is not known whether they can be divided
	busy       int               // workers that are reading
	left       int               // workers that have not ended
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

// Do runs jobs on c.Workers workers. For each batch, in the order of the jobs, it calls
// deliver in the caller's goroutine, with the delta to add to the batch's numbers. It
// returns when there are no more jobs, when deliver has returned false, or when ctx ends;
// by then all workers have ended. A panic of jobs continues in the caller's goroutine.
func Do[J, B, E, D any](ctx context.Context, jobs iter.Seq[J], c Config[J, B, E, D],
	newWorker func(*Producer[J, B, E, D]) Worker[J, B, E, D], deliver func(b *B, delta D) bool) {
	r := newScheduler(c, deliver)
	stops := make([]*Interrupt, c.Workers)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		r.fillRing(jobs)
	}()
	for i := range stops {
		stops[i] = new(Interrupt)
		wg.Add(1)
		go func() {
			defer wg.Done()
			p := r.newProducer(stops[i])
			w := newWorker(p)
			defer w.Rest()
			r.work(p, w)
		}()
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := EndWith(ctx, stops...)
	left, panicked := false, true // whether the consumer stopped, or panicked
	defer func() {
		if !panicked {
			r.lister.repeatPanic(left)
		}
	}()
	defer func() {
		cancel()
		close(r.queues.quit)
		r.mu.Lock()
		r.ended = true
		r.changed.Broadcast()
		r.jobs.room.Signal()
		r.mu.Unlock()
		wg.Wait()
		ended()
	}()
	left = !r.queues.deliverAll(ctx)
	panicked = false
}

// work is the main loop of a worker. Each iteration is a claim.
func (r *scheduler[J, B, E, D]) work(p *Producer[J, B, E, D], w Worker[J, B, E, D]) {
	for {
		s, ok := r.claim(p)
		if !ok {
			return
		}
		switch {
		case s != nil:
			leave := w.Segment(s)
			p.end()
			leave()
		default:
			w.Jobs(p.jobs)
			if r.queues.only == nil {
				p.end()
			} else {
				p.Pause()
			}
		}
		r.done(p)
	}
}
