package extract

import (
	"io"
	"time"

	"github.com/urlsift/urlsift/extract/internal/schedule"

	"github.com/urlsift/urlsift/extract/internal/files"
	"github.com/urlsift/urlsift/extract/internal/ledger"
)

// How a worker opens and reads Sources.

// soon is how long results may wait: those of small files while more are read, and those
// of a big file while it is read.
const soon = 10 * time.Millisecond

// Jobs reads some sources, one after another.
func (w *worker) Jobs(sources []Source) {
	handedOver := time.Now()
	keep := len(sources) > 0 && sources[len(sources)-1].inDirectory()
	for i := range sources {
		r, err, prefetched := w.prefetch.Take()
		if w.brief = len(sources) > 1; w.brief && !prefetched {
			if w.prefetch.load(sources[i:], w.x.opts.Workers, w.reader.Stopped); i > 0 {
				if now := time.Now(); now.Sub(handedOver) > soon {
					w.brief, handedOver = false, now
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
	w.brief = false
	w.flush()
}

// open opens src.
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
	unasked := src.regular() && src.Size < 0 // a walk has found it without asking for its size
	if err != nil {
		if unasked {
			if src.Size, err = files.Unopened(err); err == nil {
				return
			}
		}
		w.ledger.Add(ledger.Sources, 1)
		w.ledger.Add(ledger.DiskLeft, max(0, src.Size))
		if !w.stopped() {
			w.fail(openError(src.Name, err), ledger.OpenErrors)
		}
		w.flush()
		return
	}
	if unasked {
		src.Size = files.SizeOf(r)
		if w.producer != nil {
			w.producer.Opened(src.Size)
		}
	}
	shared := false // then the last reader closes it
	defer func() {
		if !shared { // also if the loop body panics
			if err := closeSource(r); err != nil && !w.out.inBody() && !w.stopped() {
				w.fail(&Error{Origin: Origin{Source: src.Name}, Stage: StageClose, Err: err}, ledger.ReadErrors)
			}
		}
	}()
	wake := files.Waker(r)
	if wake != nil {
		w.stop.Enter(wake)
	}
	if w.find.resumed = w.resume(src, r); w.find.resumed != nil {
		defer func() { w.find.resumed = nil }()
	}
	w.share.begin(src, r, w.find.resumed == nil)
	w.base = src.Base
	w.read(src.Name, src.Size, r, wake)
	if wake != nil {
		w.stop.Leave()
	}
	if w.share.of != nil {
		shared = true
		w.share.leave()
		return
	}
	w.share.shareState = shareState{}
}

// read reads r, which has that name and size, completely. wake ends a Read that waits; it
// may be nil.
func (w *worker) read(name string, size int64, r io.Reader, wake func()) {
	w.source, w.opened = name, r
	w.find.judge.bases.begin(w.base)
	if w.producer == nil {
		wake = nil // reading ahead is not possible
	}
	w.reader.Reset(r)
	switch s := w.find.resumed; {
	case s == nil:
		w.doc.Open(&w.reader, wake)
		w.find.texts()
		w.countLeft(size)
	default:
		if s.open() {
			w.find.texts()
		}
		s.finish()
	}
	w.doc.Close()
	w.ledger.Add(ledger.Sources, 1)
	if !w.brief {
		w.flush()
	}
}

// Segment reads s to its end, or until another reader continues.
func (w *worker) Segment(s *segment) (leave func()) {
	f := s.State.file
	w.ledger, w.left = ledger.Ledger{}, false
	w.share.shareState = shareState{of: s.File, file: f, segment: s, warming: true}
	w.source = f.name
	w.find.judge.bases.begin(f.base)
	w.doc.Close()
	if w.share.openSegment(s) {
		w.find.texts()
		if !w.share.warming {
			w.countLeft(f.size)
		}
	}
	w.doc.Close()
	if w.share.warming { // the split point was not reached
		w.ledger = ledger.Ledger{}
		w.producer.Share.Fail()
	}
	return w.share.leave
}

// countLeft counts the part of the source that was not read, unless others read it.
func (w *worker) countLeft(size int64) {
	if s := &w.pool.Source; !s.Ended() && !w.share.ended {
		w.ledger.Add(ledger.DiskLeft, max(0, size-s.Stored()))
	}
}

// A prefetcher opens and reads the small files that a worker has claimed, in advance.
type prefetcher struct {
	files.Prefetcher
	list [schedule.Most]*files.File // used in load
}

// load prefetches the first of sources, as long as they are unchanged results of a
// walk.
func (p *prefetcher) load(sources []Source, workers int, stopped func() bool) {
	n := 0
	for n < min(len(sources), len(p.list)) && sources[n].prefetchable() {
		p.list[n] = sources[n].file
		n++
	}
	p.Load(p.list[:n], workers, stopped)
	clear(p.list[:n])
}
