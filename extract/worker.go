package extract

import (
	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/document"
	"github.com/urlsift/urlsift/uri"
)

// A worker reads sources one after another, each from its first byte to its last. Its
// document yields texts, in which its finder finds references. All its buffers are its own,
// and are reused.
type worker struct {
	core
	find  finder
	share sharing // of a source that several workers read

	prefetch prefetcher // of small files that were claimed
	brief    bool       // the source is one of several small ones: results may wait
}

// newWorker returns a worker of x without a sink.
func newWorker(x *Extractor) *worker {
	o := &x.opts
	w := &worker{core: core{x: x, scan: delimit.NewScanner(nil, o.Delimit)}}
	w.share.core = &w.core
	w.find.core, w.find.share = &w.core, &w.share
	w.reader.Stopped = func() bool { return w.stop.Is() }
	w.pool = compress.NewPool(compress.Limits{Depth: o.Limits.Depth, Window: o.Limits.Window, Ratio: o.Limits.Ratio}, w.poolHooks(), &w.ledger)
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
	w.find.judge.opts, w.find.judge.bases = o, bases{opts: o, option: x.base}
	return w
}

// flush adds the ledger to the totals, if it is certain that the worker's results count.
func (w *worker) flush() {
	if w.share.segment == nil || w.shared.Committed() {
		w.x.counts.add(&w.ledger)
	}
}

// Rest ends the work of w and makes it reusable. It keeps buffers of fixed size, but no
// decompressors.
func (w *worker) Rest() {
	w.doc.Close() // a loop body may have panicked
	w.flush()
	w.prefetch.Release()
	w.pool.Free()
	w.out, w.stop, w.shared, w.enough, w.left, w.brief = nil, nil, nil, nil, false, false
	w.share.share, w.find.resumed = share{}, nil
	w.scan.Reset(nil)
	w.find.judge.res, w.direct, w.base, w.opened = Result{}, nil, uri.Ref{}, nil
	w.find.lines.Reset(nil, 0, 0, nil)
	w.x.idle.Put(w)
}
