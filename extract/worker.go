package extract

import (
	"io"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/delimit/split"
	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/document"
	"github.com/urlsift/urlsift/extract/internal/files"
	"github.com/urlsift/urlsift/extract/internal/ledger"
	"github.com/urlsift/urlsift/extract/internal/schedule"
)

// A worker reads sources, one after another, each from its first byte to its last: it
// has a document yield texts, scans and judges each of them, and gives what it finds to a
// sink. Everything that it needs for that is its own and used again.
type worker struct {
	x      *Extractor
	out    sink
	stop   *schedule.Interrupt
	shared *output       // with other workers; nil if there are none
	ledger ledger.Ledger // not yet added to the counts of x

	pool   *compress.Pool   // stored bytes → raw stream
	doc    *document.Reader // raw stream → texts
	source string           // name of what is being read
	from   files.Reader     // which reads it
	direct *document.Text   // the last text, if lines of it are counted by the scanner
	scan   *delimit.Scanner
	judge  judge
	merge  merge

	ahead prefetcher // of small files that were claimed
	share share      // of a source that several workers read
	brief bool       // the source is one of several small ones: what was found before may wait
	left  bool       // the sink has stopped
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
		// The scanner has seen all that was read before, but for an open candidate.
		KeepText: int64(len(w.merge.buf)) + 2*int64(o.Delimit.MaxLen),

		Size:       o.Limits.Size,
		Nesting:    o.Limits.Nesting,
		MessageIDs: o.MessageIDs,
		Subjects:   o.Subjects,
	}, w.documentHooks(), w.pool, &w.ledger)
	w.judge.opts, w.judge.bases = o, bases{opts: o, option: x.base}
	return w
}

// stopped reports whether reading should stop.
func (w *worker) stopped() bool { return w.left || w.stop.Is() }

// flush adds to the counts that others see, if it is certain that they count.
func (w *worker) flush() {
	if w.share.segment == nil || w.shared.Committed() {
		w.x.counts.add(&w.ledger)
	}
}

// Rest ends the work of w, and leaves it to be taken up again. It keeps buffers of fixed
// size, and no decompressors.
func (w *worker) Rest() {
	w.doc.Close() // a loop body may have panicked
	w.flush()
	w.ahead.Release()
	w.pool.Free()
	w.out, w.stop, w.shared, w.left, w.share, w.brief = nil, nil, nil, false, share{}, false
	w.scan.Reset(nil)
	w.judge.res, w.direct = Result{}, nil
	w.x.idle.Put(w)
}

// texts reads what the document yields, to its end. Each iteration takes a text or an
// error.
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
		case !w.share.warming:
			w.damaged(d)
		}
	}
}

// text finds the references in t, and gives them to the sink. It reports whether to go
// on. Each iteration takes a candidate.
func (w *worker) text(t *document.Text) bool {
	j, c := &w.judge, &w.judge.res.Candidate
	j.begin(w.source, t)
	w.direct = nil
	if t.Direct {
		w.direct = t
	}
	var in io.Reader = t
	beside := t.Beside
	switch {
	case beside:
		w.merge.reset(w, t)
		in = &w.merge
	case t.Direct && w.share.of != nil:
		in = &segmentReader{w, t}
	}
	more := true
	for split.ResetAt(w.scan, in, t.Start); more && split.Next(w.scan, c) == nil && !w.share.ended; {
		if w.share.warming {
			continue
		}
		w.locate(t)
		if more = !beside || w.merge.before(j.res.Origin.Offset); more {
			j.assess()
			more = w.give() && !w.stopped()
		}
	}
	runs, bytes := w.share.counted(w.scan.Skipped())
	w.ledger.Add(ledger.Skipped, runs)
	w.ledger.Add(ledger.SkippedBytes, bytes)
	return more && (!beside || w.merge.all()) && !w.share.ended
}

// locate sets the place of the candidate that was found in t. Without decoding, offsets
// and lines are those of the text, but for the byte order mark.
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

// give completes the Result and gives it to the sink. It reports whether to go on.
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
	w.left = !w.out.result(&j.res) || w.left
	return !w.left
}

// damaged gives d to the sink, which the document has returned, at the place where it is.
func (w *worker) damaged(d *damage.Damage) {
	at := w.doc.Damaged()
	e := &Error{Origin: origin(w.source, &at.Where), Severity: Severity(d.Severity), Stage: d.Stage, Err: d.Err, Limit: d.Limit, Value: d.Value}
	if at.Reached && w.direct != nil {
		at.Line, at.Column = w.reached(w.direct)
	}
	e.Origin.set(at.Span)
	w.fail(e, classes[d.Class])
}

// reached returns line and column of what is read next of t. Its lines are counted by the
// scanner, once that has read any of it.
func (w *worker) reached(t *document.Text) (line, column int64) {
	first := t.Mark
	if t.Start > 0 { // lines and columns are those of a unit
		first = 0
	}
	if t.RawRead() == t.Mark+t.Start {
		return 1, first + 1
	}
	if line, column = split.Reached(w.scan); line == 1 {
		column += first
	}
	return line, column
}

// fail counts e, in that class, and gives it to the sink.
func (w *worker) fail(e *Error, class ledger.Class) {
	w.ledger.Add(ledger.Errors, 1)
	w.ledger.Add(class, 1)
	if e.Severity == Warning {
		w.ledger.Add(ledger.Warnings, 1)
	}
	w.left = !w.out.failure(e) || w.left
}
