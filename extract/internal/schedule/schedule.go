package schedule

import (
	"context"
	"iter"
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

	SplitSize int64                // bytes between split points, if a File may be divided
	AtSplit   func()               // for tests, or nil: called when a reader reaches a split point
	Outcome   func(committed bool) // for tests, or nil: called when the outcome of a segment is known
}

// A Worker runs jobs in a goroutine of its own. It shares no buffers.
type Worker[J, B, E, D any] interface {
	// Jobs runs some jobs. It may change the slice but not keep it.
	Jobs(some []J)

	// Segment reads s. When the queue of s is closed, leave is called, which calls
	// [Output.Leave].
	Segment(s *Segment[B, E, D]) (leave func())

	// Rest is called when the worker has no more work.
	Rest()
}

// Ahead is how many claims for each worker, and how many segments, may be ahead of the
// caller. Most of these produce nothing.
const Ahead = 16

// A run is the state that the workers of one Do share.
type run[J, B, E, D any] struct {
	c       Config[J, B, E, D]
	ctx     context.Context
	deliver func(*B, D) bool
	quit    chan struct{}     // closed when the consumer has stopped
	queues  chan *queue[B, D] // in the order of claims
	one     *queue[B, D]      // the only queue, if results are unordered

	mu          sync.Mutex       // guards the fields below
	changed     sync.Cond        // signals that one of them has changed
	ended       bool             // quit is closed
	list        list[J]          // jobs not yet claimed
	claimed     int              // number of claimed jobs
	undecided   int              // jobs for which it is not known whether they can be divided
	busy        int              // workers that are reading
	left        int              // workers that have not ended
	files       []*File[B, E, D] // files with segments left to claim, in order
	undelivered int              // segments that are claimed but not fully delivered
	asked       []func()         // requests for assistance, at most one for each waiting worker
	waiting     int              // workers that wait for work
	idle        atomic.Int32     // waiting workers that have no request yet
	lister      lister
}

// Do runs jobs on c.Workers workers. For each batch, in the order of the jobs, it calls
// deliver in the caller's goroutine, with the delta to add to the batch's numbers. It
// returns when there are no more jobs, when deliver has returned false, or when ctx ends;
// by then all workers have ended. A panic of jobs continues in the caller's goroutine.
func Do[J, B, E, D any](ctx context.Context, jobs iter.Seq[J], c Config[J, B, E, D],
	newWorker func(*Output[J, B, E, D]) Worker[J, B, E, D], deliver func(b *B, delta D) bool) {
	r := &run[J, B, E, D]{c: c, deliver: deliver, quit: make(chan struct{}), queues: make(chan *queue[B, D], Ahead*c.Workers), left: c.Workers}
	r.changed.L, r.list.room.L = &r.mu, &r.mu
	if c.Unordered {
		r.one = newQueue[B, D](c.Workers*Batches + Ahead*c.Workers)
		r.one.many = true
		r.one.turn.Store(true)
		r.queues <- r.one
	}
	stops := make([]*Interrupt, c.Workers)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		r.listAll(jobs)
	}()
	for i := range stops {
		stops[i] = new(Interrupt)
		wg.Add(1)
		go func() {
			defer wg.Done()
			o := r.newOutput(stops[i])
			w := newWorker(o)
			defer w.Rest()
			r.work(o, w)
		}()
	}
	ctx, cancel := context.WithCancel(ctx)
	r.ctx = ctx
	ended := EndWith(ctx, stops...)
	left, panicked := false, true // whether the consumer stopped, or panicked
	defer func() {
		if !panicked {
			r.lister.passOn(left)
		}
	}()
	defer func() {
		cancel()
		close(r.quit)
		r.mu.Lock()
		r.ended = true
		r.changed.Broadcast()
		r.list.room.Signal()
		r.mu.Unlock()
		wg.Wait()
		ended()
	}()
	left = !r.deliverAll()
	panicked = false
}

// work is the main loop of a worker.
func (r *run[J, B, E, D]) work(o *Output[J, B, E, D], w Worker[J, B, E, D]) {
	for {
		s, ok := r.claim(o)
		if !ok {
			return
		}
		switch {
		case s != nil:
			leave := w.Segment(s)
			o.end()
			leave()
		default:
			w.Jobs(o.jobs)
			if r.one == nil {
				o.end()
			} else {
				o.Pause()
			}
		}
		r.done(o)
	}
}
