package extract

import (
	"io"
	"sync"
	"time"

	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/document"
	"github.com/urlsift/urlsift/extract/internal/files"
	"github.com/urlsift/urlsift/extract/internal/ledger"
	"github.com/urlsift/urlsift/uri"
)

// A worker reads sources one after another: whole, from where an earlier run has stopped, a part (Source.Range), or a
// block of a source that several workers read. Its document yields texts, in which its finder
// finds references. All its buffers are its own, and are reused.
type worker struct {
	core
	find  finder
	share sharedReading // of a source that several workers read

	prefetch  prefetcher // of small files that were claimed
	oneOfMany bool       // the source is one of several small ones: results may wait
	idle      *sync.Pool // where Idle puts the worker
}

// These are zero, which means the defaults of package compress. Only tests change them.
var ratioFrom, aheadFrom int64

// newWorker returns a worker without a sink. Idle puts it into idle.
func newWorker(x *common, idle *sync.Pool) *worker {
	o := &x.opts
	w := &worker{core: core{x: x}, idle: idle}
	w.share.core = &w.core
	w.find.core, w.find.share = &w.core, &w.share
	w.find.merge.f = &w.find
	w.find.use(false)
	w.reader.Stopped = func() bool { return w.stop.Is() }
	w.pool = compress.NewPool(compress.Limits{Depth: o.Limits.Depth, Window: o.Limits.Window, Ratio: o.Limits.Ratio,
		RatioFrom: ratioFrom, AheadFrom: aheadFrom}, w.poolHooks(), &w.ledger)
	w.doc = document.NewReader(document.Options{
		Format:  document.Format(o.Format),
		Charset: o.Charset,
		Kinds:   document.Kinds(o.Parts),

		MaxValue: o.Delimit.MaxLen,
		// The scanner has finished all earlier text, except for an open candidate.
		KeepText: int64(len(w.find.merge.buf)) + 2*int64(o.Delimit.MaxLen),

		Size:       o.Limits.Size,
		Nesting:    o.Limits.Nesting,
		MessageIDs: o.MessageIDs,
		Subjects:   o.Subjects,

		Identifiers: o.Identifiers,
	}, w.documentHooks(), w.pool, &w.ledger)
	w.prefetch.Identify = o.Resume != nil
	w.find.validator.opts, w.find.validator.bases = o, bases{opts: o, option: x.base}
	return w
}

// addCounts adds the ledger to the totals, unless it is of a block that may still not count: see endFileBlock.
func (w *worker) addCounts() {
	if b := w.share.block; b == nil || b.file == nil {
		w.x.counts.add(&w.ledger)
	}
}

// Idle ends the work of w and makes it reusable. It keeps buffers of fixed size, but no
// decompressors.
func (w *worker) Idle() {
	w.doc.Close() // it is still open if a loop body has panicked
	w.addCounts()
	w.prefetch.Release()
	w.pool.Free()
	w.out, w.stop, w.producer, w.enough, w.stoppedByCaller, w.oneOfMany = nil, nil, nil, nil, false, false
	w.share.shareState, w.find.resumed = shareState{}, nil
	w.find.forget()
	w.find.validator.res, w.direct, w.base, w.opened, w.part = Result{}, nil, uri.Ref{}, nil, nil
	w.idle.Put(w)
}

// RunJobs reads some sources, one after another.
func (w *worker) RunJobs(sources []Source) {
	handedOver := time.Now()
	keep := len(sources) > 0 && sources[len(sources)-1].inDirectory()
	for i := range sources {
		r, err, prefetched := w.prefetch.Take()
		if w.oneOfMany = len(sources) > 1; w.oneOfMany && !prefetched {
			if w.prefetch.load(sources[i:], w.x.opts.Workers, w.reader.Stopped); i > 0 {
				if now := time.Now(); now.Sub(handedOver) > soon {
					w.oneOfMany, handedOver = false, now
				}
			}
			r, err, prefetched = w.prefetch.Take()
		}
		if !prefetched {
			r, err = w.open(&sources[i])
		}
		w.readSource(&sources[i], r, err)
		sources[i] = Source{}
		if w.stopped() {
			break
		}
		if w.producer != nil {
			w.producer.Order++
		}
	}
	if w.prefetch.Clear(); !keep {
		w.prefetch.Release()
	}
	w.oneOfMany = false
	w.addCounts()
}

func (w *worker) open(src *Source) (io.ReadCloser, error) {
	if src.file != nil && src.file.Wake != nil {
		w.stop.Enter(src.file.Wake)
		defer w.stop.Leave()
	}
	return openSource(src.Open)
}

// readSource reads src and closes it. r is the open source, unless err is not nil.
func (w *worker) readSource(src *Source, r io.ReadCloser, err error) {
	w.enough = src.Enough
	sizeUnknown := src.regular() && src.Size < 0 // a walk has found it without asking for its size
	if err != nil {
		if sizeUnknown {
			if src.Size, err = files.Unopened(err); err == nil {
				return
			}
		}
		w.ledger.Add(ledger.Sources, 1)
		w.ledger.Add(ledger.StoredNotRead, max(0, src.Size))
		if !w.stopped() {
			w.fail(openError(src.Name, err), ledger.ErrorsOpen)
		}
		w.addCounts()
		return
	}
	if sizeUnknown {
		src.Size = files.SizeOf(r)
		if w.producer != nil {
			w.producer.Opened(src.Size)
		}
	}
	shared := false // if true, several workers read the source, and the last one closes it
	defer func() {
		if !shared { // also if the loop body panics
			if err := closeSource(r); err != nil && !w.out.inBody() && !w.stopped() {
				w.fail(&Error{Origin: Origin{Source: src.Name}, Stage: StageClose, Err: err}, ledger.ErrorsRead)
			}
		}
	}()
	wake := files.Waker(r)
	if wake != nil {
		w.stop.Enter(wake)
	}
	if w.find.resumed = w.newResumption(src, r); w.find.resumed != nil {
		defer func() { w.find.resumed = nil }()
	}
	w.share.begin(src, r, w.find.resumed == nil && src.Range == nil)
	w.base = src.Base
	w.read(src, r, wake)
	if wake != nil {
		w.stop.Leave()
	}
	shared = w.share.leave()
	w.share.shareState = shareState{}
}

// read reads src, which is open as r. wake ends a Read that waits; it may be nil.
func (w *worker) read(src *Source, r io.Reader, wake func()) {
	w.source, w.format, w.opened = src.Name, src.Format, r
	w.find.validator.bases.begin(w.base)
	if w.producer == nil {
		wake = nil // without other workers nothing is read ahead
	}
	part, failed := w.newPart(src, r)
	w.reader.Reset(r)
	w.doc.Describe(src.Name, document.Format(src.Format), w.reader.At())
	switch s := w.find.resumed; {
	case failed != nil:
		w.ledger.Add(ledger.StoredNotRead, max(0, src.Size))
		if !w.stopped() {
			w.fail(failed, ledger.ErrorsRead)
		}
	case part != nil:
		w.readPart(src, part)
	case s == nil:
		counted := w.ledger
		w.doc.Open(&w.reader, wake)
		w.find.texts()
		switch {
		case w.share.parts != nil:
			w.ledger = counted
			w.ledger.Add(ledger.RawAll, w.share.parts.stream.bom)
		case w.share.blocks != nil:
			w.share.endFirst()
		default:
			w.countLeft(src.Size)
		}
	default:
		if s.open() {
			w.find.texts()
		}
		s.finish()
	}
	w.doc.Close()
	if part == nil || src.Range.Begin == 0 {
		w.ledger.Add(ledger.Sources, 1)
	}
	if !w.oneOfMany {
		w.addCounts()
	}
}

// countLeft counts the part of the source that was not read. If the
// caller has stopped, another worker may still be reading ahead (see compress.Hooks.Assist), so
// countLeft first waits until that worker is done.
func (w *worker) countLeft(size int64) {
	w.pool.EndAhead()
	if s := &w.pool.Source; !s.Ended() {
		w.ledger.Add(ledger.StoredNotRead, max(0, size-s.Stored()))
	}
}

// The packages below call the following functions.

// poolHooks returns the functions for the worker's Pool.
func (w *worker) poolHooks() compress.Hooks {
	return compress.Hooks{
		BeforeBlock: w.beforeBlock,
		AfterBlock:  func() { w.out.unpark() },
		Stopped:     w.done,
		Interrupted: w.reader.Stopped,
		Assist: func(fill func()) bool {
			return w.find.resumed == nil && w.share.stream == nil && w.part == nil && w.producer.Assist(fill)
		}, // without it nothing is read ahead
		InConsumer: func() bool { return w.out.inBody() },
	}
}

// documentHooks returns the functions for the worker's document.
func (w *worker) documentHooks() document.Hooks {
	return document.Hooks{
		Stopped:    w.done,
		BeforeRead: w.beforeRead,
		OnDivision: w.onDivision,
		Paused:     w.share.paused,
		LineColumn: w.lineColumn,
		InConsumer: func() bool { return w.out.inBody() },
	}
}

// onDivision is called when it is known how the source's outermost stream can be divided.
func (w *worker) onDivision(l document.Division, bom int64) func(at int64, before int) bool {
	if w.part != nil {
		return w.part.onDivision(l, bom)
	}
	if s := w.find.resumed; s != nil {
		return s.onDivision(l, bom)
	}
	return w.share.onDivision(l, bom)
}

// beforeBlock is called before a Read of the source, which may wait. It adds the counts to the
// totals and delivers what was found, except that results of small files wait for more. It reports
// whether to continue.
func (w *worker) beforeBlock() bool {
	if w.part != nil && w.part.recognising {
		return !w.stop.Is()
	}
	if w.oneOfMany && w.pool.Source.InLedger() == 0 || !w.share.mayWait() {
		return true
	}
	w.addCounts()
	w.out.flush()
	return !w.stop.Is() && (w.enough == nil || !w.enough())
}

// beforeRead is called before a Read of a raw stream. read is how many bytes of it were read so
// far. beforeRead reports whether to continue.
func (w *worker) beforeRead(read int64) bool {
	if w.done() {
		return false
	}
	if out, alone := w.out.(*recorder); alone && (!w.oneOfMany || read >= compress.FileBuffer) { // reading the clock costs as much as reading a short file
		out.late()
	}
	return true
}
