package schedule

import (
	"context"
	"iter"
	"sync"
)

// A Worker runs jobs in a goroutine of its own. It shares no buffers with other workers.
type Worker[J, E any] interface {
	// RunJobs runs jobs. It may change the slice but not keep it.
	RunJobs(jobs []J)

	// Block reads a block of a source that another worker has opened.
	Block(block E)

	// Idle is called when the worker has no more work.
	Idle()
}

// Do runs jobs on c.Workers workers. For each batch, in the order of the jobs, it calls
// deliver in the caller's goroutine, with the delta to add to the batch's numbers. It
// returns when there are no more jobs, when deliver has returned false, or when ctx ends;
// by then all workers have ended. A panic of jobs continues in the caller's goroutine.
func Do[J, B, E, D any](ctx context.Context, jobs iter.Seq[J], c Config[J, B, E, D],
	newWorker func(*Producer[J, B, E, D]) Worker[J, E], deliver func(b *B, delta D) bool) {
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
			defer w.Idle()
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
