package extract

import (
	"context"
	"iter"
	"sync"
	"sync/atomic"
	"time"
)

// How a run goes. Workers claim sources one by one, in order, and read each from
// end to end (claim.go), or a big one together (unit.go). With every claim a lane is
// opened, and the caller yields from the lanes in that order (deliver.go); so what comes
// out does not depend on how many workers there are. A worker whose turn has not come
// fills its batches (batch.go) and then waits:
//
//	sources ─► list ─► claim ─► worker 1 ─► lane 0 ──┐
//	                      └───► worker 2 ─► lane 1 ──┼─► yield, lane by lane
//	                                     └► lane 2 ──┘
//
// The list is filled ahead of the claims, so walking overlaps reading; of small files
// a claim takes several (list.go).
//
// The one whose turn it is never waits for another: all batches that it lacks
// are in its own lane, or in earlier ones, which have been yielded; or if it reads a
// unit, and they may be in later ones, it gets spare ones. A worker that finds
// nothing to claim may be asked to decompress for another (ahead.go).

// Run yields the references of many sources, in the order of the sources,
// whatever their number and that of the workers, or as they come if
// Options.Unordered is set. The loop body runs in the caller's goroutine, and each
// source in that of one worker at a time, or two where a worker that has nothing else
// to do decompresses for another. With several workers, sources is ranged over in a
// goroutine of its own, and is up to a thousand of them ahead. A reference that is complete is yielded without
// waiting for more of its source, so that a slow pipe holds nothing back; of a big file
// that several workers read, within milliseconds of reading.
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
//
// A source that panics, or returns from Read a count that cannot be, is an [*Error] of
// that source. A panic of sources or of the loop body reaches the caller.
func (x *Extractor) Run(ctx context.Context, sources iter.Seq[Source]) iter.Seq2[*Result, error] {
	if x.opts.Workers == 1 {
		return func(yield func(*Result, error) bool) { x.runAlone(ctx, sources, &inline{yield: yield}, new(interrupt)) }
	}
	return func(yield func(*Result, error) bool) { x.runTogether(ctx, sources, nil, caller{yield: yield}) }
}

// runAlone is Run with one worker, which is the caller's own goroutine, and gives what
// it finds to out. It ends when stop says so.
func (x *Extractor) runAlone(ctx context.Context, sources iter.Seq[Source], out sink, stop *interrupt) {
	defer endWith(ctx, stop)()
	w := x.worker(out, stop)
	defer w.rest()
	gather(sources, func(some []Source) bool {
		if w.stopped() {
			return false
		}
		w.sources(some)
		out.pause()
		return !w.stopped()
	})
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
	x       *Extractor
	encoder func() Encoder // or nil
	quit    chan struct{}  // closed when the caller wants no more
	lanes   chan *lane     // in the order of their sources
	one     *lane          // of all sources, if they are unordered

	mu        sync.Mutex   // for what follows
	more      sync.Cond    // some of it has changed
	ended     bool         // quit is closed
	list      list         // of sources that wait to be claimed
	sources   int          // that were claimed
	undecided int          // sources of which it is not known whether others can read them too
	busy      int          // workers that read
	left      int          // workers
	files     []*shared    // that have units left, in order
	ahead     int          // units that were claimed, and not yielded to the end
	asked     []func()     // for help; not more than there are workers that wait
	waiting   int          // workers, for more
	idle      atomic.Int32 // those of them that have not been asked

	lister lister
}

// lanesAhead bounds how many sources may have been claimed, for each worker,
// when the caller is still at an earlier one, and how many units. Most have nothing
// in them.
const lanesAhead = 16

// runTogether is Run with several workers, which encode what they find if encoder is
// not nil.
func (x *Extractor) runTogether(ctx context.Context, sources iter.Seq[Source], encoder func() Encoder, c caller) {
	workers := x.opts.Workers
	r := &run{x: x, encoder: encoder, quit: make(chan struct{}), lanes: make(chan *lane, lanesAhead*workers), left: workers}
	r.more.L = &r.mu
	if x.opts.Unordered {
		r.one = newLane(workers*batches + lanesAhead*workers)
		r.one.many = true
		r.one.turn.Store(true)
		r.lanes <- r.one
	}
	stops := make([]*interrupt, workers)
	var wg sync.WaitGroup
	r.list.room.L = &r.mu
	wg.Add(1)
	go func() {
		defer wg.Done()
		r.listAll(sources)
	}()
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
	left, panicked := false, true // the loop body
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
		r.more.Broadcast()
		r.list.room.Signal()
		r.mu.Unlock()
		wg.Wait()
		ended()
	}()
	c.run, c.ctx = r, ctx
	left = !c.deliverRun()
	panicked = false
}

// newLane returns a lane with room for so many batches.
func newLane(room int) *lane { return &lane{out: make(chan *batch, room)} }

// work is the life of a worker.
func (r *run) work(stop *interrupt) {
	out := &batcher{home: make(chan *batch, batches), spare: make(chan *batch, spares), stop: stop, quit: r.quit, run: r}
	if r.encoder != nil {
		out.encode = r.encoder()
	}
	w := r.x.worker(out, stop)
	defer w.rest()
	for {
		u, ok := r.claim(out)
		if !ok {
			return
		}
		switch {
		case u != nil:
			w.readUnit(u)
			out.end()
			w.leaveUnit()
		default:
			w.sources(out.bundle)
			if r.one == nil {
				out.end()
			} else {
				out.pause()
			}
		}
		r.done(out)
	}
}
