package extract

import (
	"io"
	"time"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/document"
	"github.com/urlsift/urlsift/extract/internal/files"
	"github.com/urlsift/urlsift/extract/internal/ledger"
	"github.com/urlsift/urlsift/extract/internal/schedule"
	"github.com/urlsift/urlsift/extract/internal/times"
	"github.com/urlsift/urlsift/uri"
)

// A worker reads sources one after another, each from its first byte to its last. Its
// document yields texts. The worker scans and judges each text, and passes the results to
// a sink. All its buffers are its own, and are reused.
type worker struct {
	x      *Extractor
	out    sink
	stop   *schedule.Interrupt
	shared *output       // connection with other workers; nil if there are none
	ledger ledger.Ledger // not yet added to the counts of x

	pool   *compress.Pool   // stored bytes → raw stream
	doc    *document.Reader // raw stream → texts
	base   uri.Ref          // of the source: Source.Base
	source string           // name of what is being read
	enough func() bool      // of that source; nil if all of it is read
	from   files.Reader     // reads that source
	direct *document.Text   // the last text, if the scanner counts its lines
	scan   *delimit.Scanner
	judge  judge
	merge  merge
	lines  times.Lines // of a text whose lines may have time stamps
	opened io.Reader   // the source that is being read

	resumed *resumption // of that source; nil if it is read as a whole

	prefetch prefetcher // of small files that were claimed
	share    share      // of a source that several workers read
	brief    bool       // the source is one of several small ones: results may wait
	left     bool       // the sink has stopped
}

// newWorker returns a worker of x without a sink.
func newWorker(x *Extractor) *worker {
	o := &x.opts
	w := &worker{x: x, scan: delimit.NewScanner(nil, o.Delimit)}
	w.from.Stopped = func() bool { return w.stop.Is() }
	w.pool = compress.NewPool(compress.Limits{Depth: o.Limits.Depth, Window: o.Limits.Window, Ratio: o.Limits.Ratio}, w.poolHooks(), &w.ledger)
	w.doc = document.NewReader(document.Options{
		Format:  document.Format(o.Format),
		Charset: o.Charset,
		Kinds:   document.Kinds(o.Parts),

		MaxValue: o.Delimit.MaxLen,
		// The scanner has finished all earlier text, except for an open candidate.
		KeepText: int64(len(w.merge.buf)) + 2*int64(o.Delimit.MaxLen),

		Size:       o.Limits.Size,
		Nesting:    o.Limits.Nesting,
		MessageIDs: o.MessageIDs,
		Subjects:   o.Subjects,

		Identifiers: o.Identifiers,
	}, w.documentHooks(), w.pool, &w.ledger)
	w.prefetch.Identify = o.Resume != nil
	w.judge.opts, w.judge.bases = o, bases{opts: o, option: x.base}
	return w
}

// stopped reports whether reading should stop.
func (w *worker) stopped() bool { return w.left || w.stop.Is() }

// done reports whether reading of the source should stop.
func (w *worker) done() bool { return w.stopped() || w.enough != nil && w.enough() }

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
	w.out, w.stop, w.shared, w.enough, w.left, w.share, w.brief = nil, nil, nil, nil, false, share{}, false
	w.resumed = nil
	w.scan.Reset(nil)
	w.judge.res, w.direct, w.base, w.opened = Result{}, nil, uri.Ref{}, nil
	w.lines.Reset(nil, 0, 0, nil)
	w.x.idle.Put(w)
}

// texts reads all texts of the document. Each iteration handles a text or an error.
func (w *worker) texts() {
	w.direct = nil
	for {
		t, err := w.doc.Next()
		switch d, _ := err.(*damage.Damage); {
		case err == nil:
			if !w.text(t) {
				return
			}
		case d == nil:
			return // the end
		case !w.share.warming && !w.done():
			w.damaged(d)
		}
	}
}

// text finds the references in t and passes them to the sink. It reports whether to
// continue. Each iteration handles a candidate.
func (w *worker) text(t *document.Text) bool {
	j, c := &w.judge, &w.judge.res.Candidate
	j.begin(w.source, t)
	w.direct = nil
	if t.Direct {
		w.direct = t
	}
	var in io.Reader = t
	hasValues := t.HasValues
	switch {
	case hasValues:
		w.merge.reset(w, t)
		in = &w.merge
	case t.Direct && w.share.of != nil:
		in = &segmentReader{w, t}
	case t.Direct && w.resumed != nil && w.resumed.kind == document.Lines:
		in = &resumedText{w, t}
	}
	logged := w.x.opts.LogTimes && t.Kind == document.Plain && !hasValues && t.Message == 0 && t.Date == ""
	if logged {
		w.lines.Reset(in, t.Start, w.x.opts.Delimit.MaxLen, w.modTime)
		in = &w.lines
	}
	more := true
	for w.scan.ResetAt(in, t.Start); more && w.scan.NextInto(c) == nil && !w.share.ended; {
		if w.share.warming {
			continue
		}
		w.locate(t)
		if logged {
			j.res.Origin.stamp, j.res.Origin.stamped = w.lines.Stamp(c.Inner.Start)
		}
		if w.doc.HasLost() && t.Direct {
			w.lost(j.res.Origin.Offset + 1)
		}
		if more = !hasValues || w.merge.before(j.res.Origin.Offset); more {
			j.spoil()
			j.assess()
			more = w.give() && !w.done()
		}
	}
	if w.share.ended && t.Direct {
		w.lost(t.RawRead())
	}
	runs, bytes := w.share.counted(w.scan.Skipped())
	w.ledger.Add(ledger.Skipped, runs)
	w.ledger.Add(ledger.SkippedBytes, bytes)
	return more && (!hasValues || w.merge.all()) && !w.share.ended
}

// modTime returns when the source was changed last, or the current time if that is not
// known.
func (w *worker) modTime() time.Time {
	r := w.opened
	if w.share.file != nil {
		r = w.share.file.at
	}
	if t, ok := files.ModTime(r); ok {
		return t
	}
	return time.Now()
}

// locate sets the position of a candidate that was found in t. If nothing is decoded,
// offsets and lines are those of the text, except for the byte order mark.
func (w *worker) locate(t *document.Text) {
	c, o := &w.judge.res.Candidate, &w.judge.res.Origin
	if t.Direct {
		o.Offset, o.Length = c.Inner.Start+t.Mark, c.Inner.Len()
		o.Line, o.Column, o.Exact = c.Line, c.Column, true
		if c.Line == 1 && t.Start == 0 {
			o.Column += t.Mark
		}
		return
	}
	if t.Kind == document.Header {
		o.Field = t.Field(c.Inner.Start)
	}
	o.set(t.Locate(c.Inner.Start, c.Inner.End))
}

// give completes the Result and passes it to the sink. It reports whether to continue.
func (w *worker) give() bool {
	j := &w.judge
	w.ledger.Add(ledger.Candidates, 1)
	if j.res.Valid {
		w.ledger.Add(ledger.Accepted, 1)
	} else {
		w.ledger.Add(ledger.Refused, 1)
	}
	if !j.finish() {
		return true
	}
	if s := w.resumed; s != nil {
		if !s.passes(&j.res) {
			return true
		}
		w.left = !w.out.result(s.moved(&j.res)) || w.left
		return !w.left
	}
	w.left = !w.out.result(&j.res) || w.left
	return !w.left
}

// damaged passes d, which the document has returned, to the sink, with its position.
func (w *worker) damaged(d *damage.Damage) {
	if s := w.resumed; s != nil {
		if s.noteFailure(d); !s.reports() {
			return
		}
	}
	at := w.doc.Damaged()
	e := &Error{Origin: origin(w.source, &at.Where), Severity: Severity(d.Severity), Stage: d.Stage, Err: d.Err, Limit: d.Limit, Value: d.Value}
	if at.Reached && w.direct != nil {
		at.Line, at.Column = w.reached(w.direct)
	}
	e.Origin.set(at.Span)
	if w.resumed != nil {
		w.resumed.base.origin(&e.Origin)
	}
	w.fail(e, classes[d.Class])
}

// lost reports damage of the source in front of the raw offset at. Each iteration reports
// one.
func (w *worker) lost(at int64) {
	for d := w.doc.Lost(at); d != nil; d = w.doc.Lost(at) {
		if !w.share.warming && !w.done() {
			w.damaged(d)
		}
	}
}

// reached returns the line and column of the next byte of t. The scanner counts the lines
// of a text that it has begun to read.
func (w *worker) reached(t *document.Text) (line, column int64) {
	first := t.Mark
	if t.Start > 0 { // lines and columns are those of the segment
		first = 0
	}
	if t.RawRead() == t.Mark+t.Start {
		return 1, first + 1
	}
	if line, column = w.scan.Reached(); line == 1 {
		column += first
	}
	return line, column
}

// fail counts e in class, and passes it to the sink.
func (w *worker) fail(e *Error, class ledger.Class) {
	w.ledger.Add(ledger.Errors, 1)
	w.ledger.Add(class, 1)
	if e.Severity == Warning {
		w.ledger.Add(ledger.Warnings, 1)
	}
	w.left = !w.out.failure(e) || w.left
}
