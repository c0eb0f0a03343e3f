package schedule

import (
	"context"
	"iter"
	"sync"
	"sync/atomic"
)

// A Config says how jobs are done, and what batches and segments are.
type Config[J, B, E, D any] struct {
	Workers   int  // at least one
	Unordered bool // deliver as results come, not in the order of jobs

	Hint  func(*J) Hint // what is known of a job
	New   func(*B)      // makes a zero B an empty batch
	Empty func(*B)      // empties it, to be used again
	Add   func(D, D) D  // adds what is added to numbers

	SplitSize int64                // bytes from split point to split point, as a File may have it
	AtSplit   func()               // is called where a reader comes to a split point; for tests, or nil
	Outcome   func(committed bool) // is called for each segment that is settled; for tests, or nil
}

// A Worker does jobs, in a goroutine of its own. All its buffers are its own.
type Worker[J, B, E, D any] interface {
	// Jobs does some, which the worker may change but not keep.
	Jobs(some []J)

	// Segment reads one. When its queue has ended, what it returns is called: it
	// calls [File.Leave].
	Segment(s *Segment[B, E, D]) (leave func())

	// Rest ends the work.
	Rest()
}

// Ahead bounds how many claims there may be, for each worker, when the caller is still at
// an earlier one, and how many segments. Most have nothing in them.
const Ahead = 16

// A run is what the workers of one Do share.
type run[J, B, E, D any] struct {
	c       Config[J, B, E, D]
	ctx     context.Context
	deliver func(*B, D) bool
	quit    chan struct{}     // closed when the caller has stopped
	queues  chan *queue[B, D] // in the order of claims
	one     *queue[B, D]      // of all jobs, if they are unordered

	mu        sync.Mutex       // for what follows
	changed   sync.Cond        // some of it has changed
	ended     bool             // quit is closed
	list      list[J]          // of jobs that wait to be claimed
	claimed   int              // jobs
	undecided int              // jobs of which it is not known whether others can read them too
	busy      int              // workers that read
	left      int              // workers
	files     []*File[B, E, D] // that have segments left, in order
	ahead     int              // segments that were claimed, and not delivered to the end
	asked     []func()         // for assistance; not more than there are workers that wait
	waiting   int              // workers, for something to do
	idle      atomic.Int32     // those of them that have not been asked
	lister    lister
}

// Do does jobs on c.Workers workers, and calls deliver, in the goroutine of the caller, for
// each batch, in the order of the jobs, with what is to be added to its numbers. It returns
// when there are no more jobs, when deliver has returned false, or when ctx ends; all
// workers have ended then. A panic of jobs goes on in the goroutine of the caller.
func Do[J, B, E, D any](ctx context.Context, jobs iter.Seq[J], c Config[J, B, E, D],
	newWorker func(*Output[J, B, E, D]) Worker[J, B, E, D], deliver func(b *B, by D) bool) {
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
	left, panicked := false, true // the consumer
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

// work is the life of a worker.
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
