package extract

import (
	"context"
	"iter"
	"sync"
	"time"
)

// How a run goes. Workers claim sources one by one, in order, and read each from
// end to end. With every claim a lane is opened, and the caller yields from the
// lanes in that order; so what comes out does not depend on how many workers
// there are. A worker whose turn has not come fills its batches and then waits:
//
//	sources ─► claim ─► worker 1 ─► lane 0 ──┐
//	               └──► worker 2 ─► lane 1 ──┼─► yield, lane by lane
//	                             └► lane 2 ──┘
//
// The one whose turn it is never waits for another: all batches that it lacks
// are in its own lane, or in earlier ones, which have been yielded.

// Run yields the references of many sources, in the order of the sources,
// whatever their number and that of the workers, or as they come if
// Options.Unordered is set. The loop body runs in the caller's goroutine, sources
// in that of one worker at a time. A reference that is complete is yielded before
// its source is read on, so that a slow pipe holds nothing back.
//
// An error is an [*Error], beside a nil Result. It is about a stretch of a source,
// or all that is left of it, and comes behind what was found before that; the
// sequence goes on with what can be read, and the next source. The
// sequence may be ranged over as often as sources may. A Result is good until
// the loop goes on.
//
// Leaving the loop, or the end of ctx, stops the workers, and nothing more is
// yielded; whether ctx was the reason, ctx says. The sequence returns when the
// last worker has stopped. One that waits for input stops if what it waits for
// can be told to: a file, pipe or terminal, or a [net.Conn]; see [Source]. Else it
// stops when its Read returns.
func (x *Extractor) Run(ctx context.Context, sources iter.Seq[Source]) iter.Seq2[*Result, error] {
	if x.opts.Workers == 1 {
		return func(yield func(*Result, error) bool) { x.runAlone(ctx, sources, yield) }
	}
	return func(yield func(*Result, error) bool) { x.runTogether(ctx, sources, yield) }
}

// runAlone is Run with one worker, which is the caller's own goroutine.
func (x *Extractor) runAlone(ctx context.Context, sources iter.Seq[Source], yield func(*Result, error) bool) {
	var stop interrupt
	defer endWith(ctx, &stop)()
	w := x.worker(&inline{yield: yield}, &stop)
	defer w.rest()
	for src := range sources {
		if w.stopped() {
			return
		}
		w.source(src)
		if w.stopped() {
			return
		}
	}
}

// endWith ends the work of stop when ctx ends. What it returns is to be called
// when the work has ended.
func endWith(ctx context.Context, stop ...*interrupt) (release func()) {
	over, done := make(chan struct{}), make(chan struct{})
	undo := context.AfterFunc(ctx, func() {
		defer close(done)
		for {
			for _, s := range stop {
				s.end()
			}
			// Once is enough for all but a worker that was just about to
			// wait, in the system, for the writer of a FIFO.
			select {
			case <-over:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	})
	return func() {
		close(over)
		if !undo() {
			<-done
		}
	}
}

// A run is what the workers of one Run share.
type run struct {
	x     *Extractor
	quit  chan struct{} // closed when the caller wants no more
	lanes chan *lane    // in the order of their sources
	one   *lane         // of all sources, if they are unordered

	mu   sync.Mutex // for next
	next func() (Source, bool)
	left int // workers
}

// lanesAhead bounds how many sources may have been claimed, for each worker,
// when the caller is still at an earlier one. Most have nothing in them.
const lanesAhead = 16

// runTogether is Run with several workers.
func (x *Extractor) runTogether(ctx context.Context, sources iter.Seq[Source], yield func(*Result, error) bool) {
	workers := x.opts.Workers
	r := &run{x: x, quit: make(chan struct{}), lanes: make(chan *lane, lanesAhead*workers), left: workers}
	if x.opts.Unordered {
		r.one = newLane(workers)
		r.one.turn.Store(true)
		r.lanes <- r.one
	}
	next, release := iter.Pull(sources)
	r.next = next

	stops := make([]*interrupt, workers)
	var wg sync.WaitGroup
	for i := range stops {
		stops[i] = new(interrupt)
		wg.Add(1)
		go func() {
			defer wg.Done()
			r.work(stops[i])
		}()
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := endWith(ctx, stops...)
	defer func() {
		cancel()
		close(r.quit)
		wg.Wait()
		release()
		ended()
	}()
	r.deliver(ctx, yield)
}

func newLane(workers int) *lane { return &lane{out: make(chan *batch, workers*batches)} }

// work is the life of a worker.
func (r *run) work(stop *interrupt) {
	out := &batcher{home: make(chan *batch, batches), stop: stop, quit: r.quit}
	w := r.x.worker(out, stop)
	defer w.rest()
	for {
		src, ok := r.claim(out)
		if !ok {
			return
		}
		w.source(src)
		if r.one == nil {
			out.end()
		} else {
			out.pause()
		}
	}
}

// claim returns the next source, and opens a lane for it. When there is none
// left, and the last worker asks, there will be no more lanes.
func (r *run) claim(out *batcher) (Source, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if src, ok := r.take(out); ok {
		return src, true
	}
	if r.left--; r.left == 0 {
		if r.one != nil {
			close(r.one.out)
		}
		close(r.lanes)
	}
	return Source{}, false
}

// take is claim without an end.
func (r *run) take(out *batcher) (Source, bool) {
	if out.stop.is() {
		return Source{}, false
	}
	src, ok := r.next()
	if !ok || r.one != nil {
		out.lane = r.one
		return src, ok
	}
	out.lane = newLane(1)
	select {
	case r.lanes <- out.lane:
		return src, true
	case <-r.quit:
		return Source{}, false
	}
}

// deliver yields from one lane after another.
func (r *run) deliver(ctx context.Context, yield func(*Result, error) bool) {
	for {
		select {
		case ln, ok := <-r.lanes:
			if !ok || !ln.deliver(ctx, yield) {
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// deliver yields what comes over the lane, to its end. It reports whether there
// is to be more. Full batches come first: what is parked is the newest.
func (ln *lane) deliver(ctx context.Context, yield func(*Result, error) bool) bool {
	ln.turn.Store(true)
	for {
		var b *batch
		select {
		case b = <-ln.out:
			if b == nil {
				return true
			}
		default:
			b = ln.parked.Swap(nil)
		}
		if b == nil {
			select {
			case b = <-ln.out:
			case <-ctx.Done():
				return false
			}
			if b == nil {
				return true
			}
		}
		if !b.deliver(ctx, yield) {
			return false
		}
	}
}

// deliver yields what is in b, and sends b home empty.
func (b *batch) deliver(ctx context.Context, yield func(*Result, error) bool) bool {
	for i := range b.entries {
		if ctx.Err() != nil {
			return false
		}
		e := &b.entries[i]
		var more bool
		if e.err != nil {
			more = yield(nil, e.err)
		} else {
			more = yield(&e.res, nil)
		}
		if !more {
			return false
		}
	}
	if cap(b.arena) > batchBytes {
		b.arena = make([]byte, 0, batchBytes)
	}
	b.entries, b.arena = b.entries[:0], b.arena[:0]
	b.home <- b // there is room for all
	return true
}
