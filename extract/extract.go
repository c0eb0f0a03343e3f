package extract

import (
	"io"
	"iter"
	"sync"

	"github.com/urlsift/urlsift/extract/internal/schedule"
	"github.com/urlsift/urlsift/uri"
)

// An Extractor holds options, the reusable state of its workers, and counts. It
// is safe for concurrent use.
type Extractor struct {
	opts   Options
	base   base // of the Options
	counts counts
	idle   sync.Pool // of *worker

	// Tests change them: splitSize and warmUp, what is called at a split point, and
	// what is told the outcome of segments.
	split, warm int64
	atSplit     func()
	outcome     func(committed bool)
}

// New returns an Extractor. The error is an [*Error] with the stage "options" if opts
// contradict one another or name what does not exist.
func New(opts Options) (*Extractor, error) {
	if err := opts.check(); err != nil {
		return nil, err
	}
	x := &Extractor{opts: opts.withDefaults(), split: splitSize, warm: warmUp}
	if o := &x.opts; o.Base != (uri.Ref{}) {
		var err error
		if x.base, err = newBase(o, o.Base, FromOption); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// Read yields the references of one stream, in order, from the caller's own
// goroutine. It recognises compression as [Extractor.Run] does. name becomes
// Origin.Source; r is not closed.
//
// An error is an [*Error], beside a nil Result, about a stretch of the stream: after an
// error about a part, a message or a member more may come. The sequence may be ranged over
// once. A Result is good until the loop's next iteration.
func (x *Extractor) Read(name string, r io.Reader) iter.Seq2[*Result, error] {
	return func(yield func(*Result, error) bool) {
		w := x.worker(&inline{yield: yield}, new(schedule.Interrupt), nil)
		defer w.Rest()
		w.read(name, -1, r, nil)
	}
}

// Stats returns what all sequences of x have done so far. It may be called at any time.
// What workers did in the last milliseconds, or in the last few of several small files, may
// be missing.
func (x *Extractor) Stats() Stats { return x.counts.load() }

// worker returns a worker that gives what it finds to out, and is ended by stop. shared is
// what it shares with other workers, nil if it is alone.
func (x *Extractor) worker(out sink, stop *schedule.Interrupt, shared *output) *worker {
	w, ok := x.idle.Get().(*worker)
	if !ok {
		w = newWorker(x)
	}
	w.out, w.stop, w.shared = out, stop, shared
	return w
}
