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

// New returns an Extractor. The error is an [*Error] with the stage "options":
// they contradict one another, or ask for what there is not.
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
// goroutine. It looks for compression as [Extractor.Run] does. name is what the
// Origins say; r is not closed.
//
// An error is an [*Error], beside a nil Result. It is about a stretch, as it says
// itself: behind one of a part, a message or a member more may come. The sequence may be
// ranged over once. A Result is good until the loop goes on.
func (x *Extractor) Read(name string, r io.Reader) iter.Seq2[*Result, error] {
	return func(yield func(*Result, error) bool) {
		w := x.worker(&inline{yield: yield}, new(schedule.Interrupt), nil)
		defer w.Rest()
		w.read(name, -1, r, nil)
	}
}

// Stats returns what was done so far by all sequences of x. It may be called at
// any time; what workers did since they last read more of their sources is
// missing, of small files what they did in the last few, and of big ones what they did
// in the last milliseconds.
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
