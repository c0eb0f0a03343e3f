package extract

import (
	"io"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/document"
	"github.com/urlsift/urlsift/extract/internal/files"
	"github.com/urlsift/urlsift/extract/internal/ledger"
	"github.com/urlsift/urlsift/extract/internal/schedule"
	"github.com/urlsift/urlsift/uri"
)

// A worker reads sources one after another, each from its first byte to its last. Its
// document yields texts, in which its finder finds references. All its buffers are its own,
// and are reused.
type worker struct {
	core
	find  finder
	share sharer // of a source that several workers read

	prefetch prefetcher // of small files that were claimed
	brief    bool       // the source is one of several small ones: results may wait
}

// newWorker returns a worker of x without a sink.
func newWorker(x *Extractor) *worker {
	o := &x.opts
	w := &worker{core: core{x: x}}
	w.share.core = &w.core
	w.find.core, w.find.share = &w.core, &w.share
	w.find.use(false)
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
	if w.share.segment == nil || w.producer.Share.Committed() {
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
	w.out, w.stop, w.producer, w.enough, w.left, w.brief = nil, nil, nil, nil, false, false
	w.share.shareState, w.find.resumed = shareState{}, nil
	w.find.forget()
	w.find.judge.res, w.direct, w.base, w.opened = Result{}, nil, uri.Ref{}, nil
	w.x.idle.Put(w)
}

// Functions that the packages below call.

// poolHooks returns the functions for the worker's Pool.
func (w *worker) poolHooks() compress.Hooks {
	return compress.Hooks{
		BeforeBlock: w.beforeBlock,
		AfterBlock:  func() { w.out.resume() },
		Stopped:     func() bool { return w.done() || w.share.isHopeless() },
		Interrupted: w.reader.Stopped,
		Assist:      func(fill func()) bool { return w.find.resumed == nil && w.producer.Assist(fill) }, // without it nothing is read ahead
		Base:        w.share.before,
		Lend:        w.share.lend,
		InConsumer:  func() bool { return w.out.inBody() },
	}
}

// documentHooks returns the functions for the worker's document.
func (w *worker) documentHooks() document.Hooks {
	return document.Hooks{
		Stopped:    w.done,
		BeforeRead: w.beforeRead,
		Layout:     w.layout,
		Reached:    func() (line, column int64) { return w.reached(w.direct) },
		InConsumer: func() bool { return w.out.inBody() },
	}
}

// layout is called when it is known how the source's outermost stream can be divided.
func (w *worker) layout(l document.Layout, mark int64) func(at int64, before int) bool {
	if s := w.find.resumed; s != nil {
		return s.layout(l, mark)
	}
	return w.share.layout(l, mark)
}

// beforeBlock is called before a Read of the source, which may wait. It delivers what was
// found, except for results of small files that were just read.
func (w *worker) beforeBlock() bool {
	if w.brief && w.pool.Source.Counted() == 0 || !w.share.mayWait() {
		return true
	}
	w.flush()
	w.out.pause()
	return !w.stop.Is() && (w.enough == nil || !w.enough())
}

// beforeRead is called before a Read of a raw stream. read is how many bytes of it were
// read so far.
func (w *worker) beforeRead(read int64) bool {
	if w.done() || w.share.segment != nil && w.producer.Share.Discarded() {
		return false
	}
	if out, alone := w.out.(*recorder); alone && (!w.brief || read >= compress.FileBuffer) { // reading the clock costs as much as reading a short file
		out.late()
	}
	return true
}

// A core is what all pieces of a worker use: what it reads with, the source that it reads,
// and the sink. The pieces are finder, sharer and resumption.
type core struct {
	x        *Extractor
	out      sink
	left     bool // the sink has stopped
	stop     *schedule.Interrupt
	producer *producer     // connection with other workers; nil if there are none
	ledger   ledger.Ledger // not yet added to the counts of x

	pool   *compress.Pool   // stored bytes → raw stream
	doc    *document.Reader // raw stream → texts
	scan   *delimit.Scanner // texts → candidates; one of the finder's scanners
	direct *document.Text   // the last text, if the scanner counts its lines

	source string       // name of what is being read
	base   uri.Ref      // of the source: Source.Base
	enough func() bool  // of the source; nil if all of it is read
	opened io.Reader    // the source
	reader files.Reader // reads it
}

// state returns the state of the scanner in t, with offsets in the text of the whole stream.
func (c *core) state(t *document.Text) delimit.State {
	st := c.scan.State()
	st.Offset += t.Start
	st.Floor += t.Start
	return st
}

// stopped reports whether reading should stop.
func (c *core) stopped() bool { return c.left || c.stop.Is() }

// done reports whether reading of the source should stop.
func (c *core) done() bool { return c.stopped() || c.enough != nil && c.enough() }

// reached returns the line and column of the next byte of t. The scanner counts the lines
// of a text that it has begun to read.
func (c *core) reached(t *document.Text) (line, column int64) {
	first := t.Mark
	if t.Start > 0 { // lines and columns are those of the segment
		first = 0
	}
	if t.RawRead() == t.Mark+t.Start {
		return 1, first + 1
	}
	at := c.scan.State()
	if at.Line == 1 {
		at.Column += first
	}
	return at.Line, at.Column
}

// pass passes r to the sink. It reports whether to continue.
func (c *core) pass(r *Result) bool {
	c.left = !c.out.result(r) || c.left
	return !c.left
}

// fail counts e in class, and passes it to the sink.
func (c *core) fail(e *Error, class ledger.Class) {
	c.ledger.Add(ledger.Errors, 1)
	c.ledger.Add(class, 1)
	if e.Severity == Warning {
		c.ledger.Add(ledger.Warnings, 1)
	}
	c.left = !c.out.failure(e) || c.left
}
