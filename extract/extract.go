package extract

import (
	"io"
	"iter"
	"sync"

	"github.com/urlsift/urlsift/extract/internal/schedule"
	"github.com/urlsift/urlsift/uri"
)

// An Extractor holds options, the state of its workers, which is reused, and counts. It
// is safe for concurrent use.
type Extractor struct {
	opts   Options
	base   base // of the Options
	counts counts
	idle   sync.Pool // of *worker

	foundHash, readHash uint64 // see Options.hashes

	// Only tests change these: splitSize and warmUp, and functions that are called at a
	// split point and when the outcome of a segment is known.
	split, warm int64
	atSplit     func()
	outcome     func(committed bool)
}

// New returns an Extractor. If opts contradict one another, or name something that does
// not exist, it returns an [*Error] with the stage "options".
func New(opts Options) (*Extractor, error) {
	if err := opts.check(); err != nil {
		return nil, err
	}
	x := &Extractor{opts: opts.withDefaults(), split: splitSize, warm: warmUp}
	x.foundHash, x.readHash = x.opts.hashes()
	if o := &x.opts; o.Base != (uri.Ref{}) {
		var err error
		if x.base, err = newBase(o, o.Base, FromOption); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// Read yields the references of one stream, in order, in the caller's goroutine. It
// recognises compression like [Extractor.Run]. name becomes Origin.Source. r is not
// closed.
//
// An error is an [*Error] about a stretch of the stream, with a nil Result. More Results
// may follow it. The sequence may be ranged over once. A Result is valid until the next
// iteration of the loop.
func (x *Extractor) Read(name string, r io.Reader) iter.Seq2[*Result, error] {
	return func(yield func(*Result, error) bool) {
		w := x.worker(&inline{yield: yield, place: x.placed()}, new(schedule.Interrupt), nil)
		defer w.Rest()
		w.read(name, -1, r, nil)
	}
}

// Stats returns the counts of all sequences of x so far. It may be called at any time.
// What workers did in the last milliseconds, or in the last of several small files, may
// be missing.
func (x *Extractor) Stats() Stats { return x.counts.load() }

// worker returns a worker that passes its results to out and can be ended by stop. shared
// is its connection with other workers, nil if there are none.
func (x *Extractor) worker(out sink, stop *schedule.Interrupt, shared *output) *worker {
	w, ok := x.idle.Get().(*worker)
	if !ok {
		w = newWorker(x)
	}
	w.out, w.stop, w.shared = out, stop, shared
	return w
}
