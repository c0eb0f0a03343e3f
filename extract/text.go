package extract

import (
	"bytes"
	"io"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/uri"
)

// The joint: here what delimit finds meets what uri knows of references.
//
//	delimit.Scanner → uri.Split → uri.Accepts → uri.AppendTarget → Result
//
// Most candidates are taken as they stand: they are split once, looked at by all
// grammars in one pass, and copied nowhere. Nothing is allocated for a Result.

// joint is what the options say to it, worked out once.
type joint struct {
	grammar uri.Grammar
	refused bool
	base    base
}

func newJoint(o *Options) (j joint, err error) {
	j = joint{grammar: o.Grammar, refused: o.Refused}
	if o.Base != (uri.Ref{}) {
		j.base, err = newBase(o, o.Base, FromOption)
	}
	return j, err
}

// buffers are for what a Result does not alias. They grow to three times the
// longest reference, and to that with the base.
type buffers struct{ url, target []byte }

// text reads the text of w.leaf to its end, and returns what ended it, which may be io.EOF or
// errStopped. Its loop makes one turn for each candidate.
func (w *worker) text() error {
	beside := w.leaf.html || w.leaf.header
	var in io.Reader = &w.raw
	switch {
	case beside:
		w.attrs.reset(w)
		in = &w.attrs
	case w.staged:
		in = (*chained)(w)
	}
	w.scan.ResetAt(in, w.piece.start)
	w.res.Origin = w.origin // which stays until the text ends
	var err error
	for {
		if err = w.scan.NextInto(&w.res.Found); err != nil || w.piece.ended {
			break
		}
		if w.piece.mute {
			continue
		}
		w.locate(&w.res.Found)
		if beside && !w.attrs.before(w.res.Origin.Offset) || !w.judge() || w.stopped() {
			err = errStopped
			break
		}
	}
	w.skipped(w.piece.counted(w.scan.Skipped()))
	switch {
	case w.leaf.html:
		w.skipped(w.html.Skipped())
	case w.leaf.header:
		w.skipped(w.header.Skipped())
	}
	if beside && err != errStopped && !w.attrs.all() {
		err = errStopped
	}
	return err
}

// chained is the chain of a worker as a reader of pieces, which it counts.
type chained worker

func (w *chained) Read(p []byte) (int, error) {
	n, err := w.chain.Read(p[:min(len(p), textPiece)])
	w.n.TextBytes += int64(n)
	return n, err
}

// locate sets the Origin of c, of which offsets and line are those of text.
// Without stages that differs from the raw stream by the mark alone. What is the
// same for the whole text is there since it began.
func (w *worker) locate(c *delimit.Candidate) {
	o := &w.res.Origin
	if !w.staged {
		o.Offset, o.Length = c.Inner.Start+w.mark, c.Inner.Len()
		o.Line, o.Column, o.Exact = c.Line, c.Column, true
		if c.Line == 1 && w.piece.start == 0 {
			o.Column += w.mark
		}
		return
	}
	if w.leaf.header {
		o.Field = w.header.Field(c.Inner.Start)
	}
	w.locateSpan(w.chain.Span(c.Inner.Start, c.Inner.End))
	w.chain.Forget(c.Inner.Start) // the next candidate is behind
}

// reached returns line and column of what is read next of a text without stages. Its
// lines are counted by the scanner, once that has read any of it.
func (w *worker) reached() (line, column int64) {
	first := w.mark
	if w.piece.start > 0 { // lines and columns are those of a unit
		first = 0
	}
	if w.raw.read == w.mark+w.piece.start {
		return 1, first + 1
	}
	if line, column = w.scan.Reached(); line == 1 {
		column += first
	}
	return line, column
}

// locateSpan sets what of the Origin follows from the raw span [lo, hi).
func (w *worker) locateSpan(lo, hi int64, exact bool) {
	o := &w.res.Origin
	o.Offset, o.Length, o.Exact = lo, hi-lo, exact
	o.Line, o.Column, _ = w.lines.Position(lo)
}

// judge completes the Result in w.res, of which Found and Origin are set, and
// gives it to the sink. It reports whether there is to be more.
func (w *worker) judge() bool {
	w.assess(&w.res)
	return w.give()
}

// assess sets what of r follows from Found.Ref alone.
func (w *worker) assess(r *Result) {
	r.URL = r.Found.Ref
	r.Parts = uri.Split(r.URL)
	r.Accepts, _ = uri.Accepts(r.URL, r.Parts, uri.Every)
	r.Valid = r.Accepts&w.x.joint.grammar != 0
	if !r.Valid {
		w.mend(r)
	}
}

// give is the rest of judge.
func (w *worker) give() bool {
	r, j := &w.res, &w.x.joint
	w.n.Candidates++
	r.Err, r.Target, r.Base, r.BaseFrom = nil, nil, "", 0
	if !r.Valid {
		w.n.Refused++
		if !j.refused {
			return true
		}
		r.Err = uri.Explain(r.URL, r.Parts, j.grammar)
	} else {
		w.n.Accepted++
		if w.base.from != 0 {
			w.resolve(r)
		}
	}
	w.left = !w.out.result(r) || w.left
	return !w.left
}

// mend escapes what no reference can hold (rule 15 of the delimiting rules), and
// asks again if that changed something.
func (w *worker) mend(r *Result) {
	w.bufs.url = uri.AppendEscaped(w.bufs.url[:0], r.Found.Ref)
	if bytes.Equal(w.bufs.url, r.Found.Ref) {
		return
	}
	r.URL = w.bufs.url
	r.Parts = uri.Split(r.URL)
	got, _ := uri.Accepts(r.URL, r.Parts, w.x.joint.grammar)
	r.Valid = got != 0
}

// resolve sets the Target of r, if that is something else than the URL.
func (w *worker) resolve(r *Result) {
	target, err := uri.AppendTarget(w.bufs.target[:0], w.base.uri, r.URL, r.Parts)
	w.bufs.target = target[:0]
	if err != nil {
		r.Err = err
		return
	}
	if len(target) == 0 || bytes.Equal(target, r.URL) {
		return
	}
	r.Target, r.Base, r.BaseFrom = target, w.base.text, w.base.from
}
