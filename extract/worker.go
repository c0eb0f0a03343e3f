package extract

import (
	"errors"
	"io"
	"time"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract/internal/decode"
)

// A sink is where a worker gives what it finds, in order.
type sink interface {
	// result and trouble take r or e, which they do not keep, and report
	// whether there is to be more.
	result(r *Result) bool
	trouble(e *Error) bool

	// pause is called before a Read that may wait, resume behind it.
	pause()
	resume()

	// inBody reports whether the loop body of the caller runs in this goroutine, or has
	// panicked there.
	inBody() bool
}

// A worker reads sources, one after another, each from its first byte to its
// last. Everything that it needs to is its own and used again.
type worker struct {
	x    *Extractor
	out  sink
	stop *interrupt
	n    Stats // not yet added to the counts of x

	shelf shelf // of small files that were claimed
	piece piece // of a source that others read too
	brief bool  // it is one of a few small ones: what was found before may wait

	left   bool        // the sink wants no more
	origin Origin      // of what is being read
	within archiveKind // the innermost archive around what is read
	around int         // where the step of the innermost attachment begins in origin.Member

	layers  layers    // stored bytes → raw stream
	pile    []*stream // raw streams, each within a member or part of the one before
	*stream           // the last of pile that is in use: what is read now
	depth   int       // of pile that are in use

	// What follows is for one text at a time, that which the scanner reads.
	leaf leaf
	codecs
	attrs attrs
	scan  *delimit.Scanner
	base  base // in force
	outer base // of what lies around a stream: of the Options, or of the part it is in
	res   Result
	bufs  buffers
}

func newWorker(x *Extractor) *worker {
	w := &worker{x: x, scan: delimit.NewScanner(nil, x.opts.Delimit)}
	w.layers.limits = x.opts.Limits
	w.layers.stored.w = w
	w.flowed, w.unfold = decode.NewFlowed(), decode.NewUnfold()
	return w
}

// errStopped is what reading ends with when nobody wants more. Nobody sees it.
var errStopped = errors.New("stopped")

// stopped reports whether nobody wants more.
func (w *worker) stopped() bool { return w.left || w.stop.is() }

// flush adds to the counts that others see, if it is certain that they count.
func (w *worker) flush() {
	if w.piece.unit == nil || w.out.(*batcher).inChain() {
		w.x.counts.add(&w.n)
	}
}

// rest ends the work of w, and leaves it to be taken up again. It keeps buffers
// of fixed size, and no decompressors.
func (w *worker) rest() {
	w.flush()
	w.shelf.rest()
	w.layers.rest()
	w.layers.close()
	w.out, w.stop, w.left, w.piece, w.brief = nil, nil, false, piece{}, false
	w.stream, w.depth, w.around = nil, 0, 0 // a loop body may have panicked
	for _, s := range w.pile {
		s.rest()
	}
	w.scan.Reset(nil)
	w.res = Result{}
	w.x.idle.Put(w)
}

// soon is how long what was found in small files may wait for more, while they are
// read one after another, and what was found in a big one, while it is read on.
const soon = 10 * time.Millisecond

// sources reads some, one after another; of several workers, one gives them to one lane.
func (w *worker) sources(some []Source) {
	out, others := w.out.(*batcher)
	told := time.Now()
	follow := len(some) > 0 && some[len(some)-1].found != nil && (some[len(some)-1].found.more || some[len(some)-1].found.on)
	for i := range some {
		r, err, ahead := w.shelf.take()
		if w.brief = len(some) > 1; w.brief && !ahead {
			if w.shelf.load(some[i:], w.x.opts.Workers, w.stop); i > 0 {
				if now := time.Now(); now.Sub(told) > soon {
					w.brief, told = false, now
				}
			}
			r, err, ahead = w.shelf.take()
		}
		if !ahead {
			r, err = w.open(&some[i])
		}
		w.source(&some[i], r, err)
		some[i] = Source{}
		if w.stopped() {
			break
		}
		if others {
			out.order++
		}
	}
	if w.shelf.clear(); !follow {
		w.shelf.rest() // nothing more comes of that folder for now
	}
	w.brief = false
	w.flush()
}

// open opens src.
func (w *worker) open(src *Source) (io.ReadCloser, error) {
	if src.wake != nil {
		w.stop.enter(src.wake)
		defer w.stop.leave()
	}
	return openSource(src.Open)
}

// source reads src, which is open as r unless that failed with err, and closes it.
func (w *worker) source(src *Source, r io.ReadCloser, err error) {
	unasked := src.file && src.Size < 0 // a walk found it, and did not ask for its size
	if err != nil {
		if unasked {
			if src.Size, err = unopened(err); err == nil {
				return
			}
		}
		w.n.Sources++
		w.n.DiskLeft += max(0, src.Size)
		if !w.stopped() {
			w.fail(openError(src.Name, err))
		}
		w.flush()
		return
	}
	if unasked {
		src.Size = sizeOf(r)
		if out, others := w.out.(*batcher); others {
			out.opened(src.Size)
		}
	}
	shared := false // then the last that reads closes it
	defer func() {
		if !shared { // whatever becomes of the loop's body
			if err := closeSource(r); err != nil && !w.out.inBody() && !w.stopped() {
				w.fail(&Error{Origin: Origin{Source: src.Name}, Stage: "close", Err: err})
			}
		}
	}()
	wake := interrupter(r)
	if wake != nil {
		w.stop.enter(wake)
	}
	if w.piece.whole, w.piece.size = w.shareable(src.Size, r), src.Size; w.piece.whole == nil {
		w.decided()
	}
	w.read(src.Name, src.Size, r)
	if wake != nil {
		w.stop.leave()
	}
	if w.piece.file != nil {
		shared = true
		w.leaveUnit()
		return
	}
	w.piece = piece{}
}

// openError returns err as an Error with an Origin.
func openError(name string, err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	if name == "" {
		name = `""`
	}
	return &Error{Origin: Origin{Source: name}, Stage: "open", Err: err}
}

// read reads r, of that name and size, from its first byte to its last.
func (w *worker) read(name string, size int64, r io.Reader) {
	w.origin, w.outer = Origin{Source: name}, w.x.joint.base
	w.layers.stored.reset(r)
	w.enter(&w.layers.stored)
	if s := &w.layers.stored; !s.end && !w.piece.ended {
		w.n.DiskLeft += max(0, size-s.n)
	}
	w.layers.rest()
	w.n.Sources++
	if !w.brief {
		w.flush()
	}
}
