package extract

import (
	"io"
	"time"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract/internal/document"
	"github.com/urlsift/urlsift/extract/internal/files"
	"github.com/urlsift/urlsift/extract/internal/ledger"
	"github.com/urlsift/urlsift/extract/internal/times"
)

// A finder reads the texts of a document, scans and validates them, and passes the results to
// the sink.
type finder struct {
	*core
	validator validator
	merge     merge
	lines     times.LineStamps // time stamps of the lines of a text

	scanner, articles *delimit.Scanner // for most texts, and for articles of news; each is made for its first text

	share   *sharedReading // of a source that several workers read
	resumed *resumption    // of a source that is resumed; else nil
}

// texts reads all texts of the document. Each iteration handles a text or an error.
func (f *finder) texts() {
	f.direct = nil
	for {
		t, err := f.doc.Next()
		switch d, _ := err.(*document.Damage); {
		case err == nil:
			if f.share.parts != nil || !f.text(t) { // the text is read in parts
				return
			}
		case d == nil:
			return // the end
		case !f.done():
			f.damaged(d)
		}
	}
}

// text finds the references in t and passes them to the sink. It reports whether to
// continue. Each iteration handles a candidate.
func (f *finder) text(t *document.Text) bool {
	v, c := &f.validator, &f.validator.res.Candidate
	v.begin(f.source, t)
	f.direct = nil
	if t.Direct {
		f.direct = t
	}
	in, hasValues, logged := f.input(t), t.HasValues, f.isLogged(t)
	more := true
	f.use(v.article != "")
	for f.scan.Reset(in); more && f.scan.Next(c) == nil; {
		t.Found = true
		if t.Start > 0 { // reading started in the middle
			c.Inner.Start, c.Inner.End = c.Inner.Start+t.Start, c.Inner.End+t.Start
			c.Outer.Start, c.Outer.End = c.Outer.Start+t.Start, c.Outer.End+t.Start
		}
		f.locate(t)
		if logged {
			v.res.Origin.stamp, v.res.Origin.stamped = f.lines.Stamp(c.Inner.Start)
		}
		if f.doc.Outermost().Lost.Any() && t.Direct {
			f.lost(v.res.Origin.Offset + 1)
		}
		if more = !hasValues || f.merge.before(v.res.Origin.Offset); more {
			v.spoil()
			v.assess()
			more = f.give() && !f.done()
		}
	}
	runs, bytes := f.scan.Skipped()
	f.ledger.Add(ledger.SkippedRuns, runs)
	f.ledger.Add(ledger.SkippedBytes, bytes)
	return more && (!hasValues || f.merge.all())
}

// input returns the reader of t for the scanner. This is t itself, or a reader around t. Such a
// reader holds back values, ends where a block is handed out, searches for a later point of restart, or
// reads time stamps.
func (f *finder) input(t *document.Text) io.Reader {
	var in io.Reader = t
	switch {
	case t.HasValues:
		f.merge.reset(t)
		in = &f.merge
	case t.Direct && f.share.stream != nil && f.share.stream.kind == document.Lines: // else it may be the text of an attachment
		in = &streamReader{f.share, t}
	case t.Direct && f.resumed != nil && f.resumed.kind == document.Lines:
		in = &resumedText{s: f.resumed, t: t}
	}
	if f.isLogged(t) {
		f.lines.Reset(in, t.Start, f.x.opts.Delimit.MaxLen, f.modTime)
		in = &f.lines
	}
	return in
}

// isLogged reports whether time stamps are searched in the lines of t.
func (f *finder) isLogged(t *document.Text) bool {
	return f.x.opts.LogTimes && t.Kind == document.Plain && !t.HasValues && t.Message == 0 && t.Date == ""
}

// use selects the scanner: the one for articles, or the one for other texts.
func (f *finder) use(articles bool) {
	opts, scanner := f.x.opts.Delimit, &f.scanner
	if articles {
		opts.Article, scanner = true, &f.articles
	}
	if *scanner == nil {
		*scanner = delimit.NewScanner(nil, opts)
	}
	f.scan = *scanner
}

// forget removes the finder's references to readers, so that they can be freed.
func (f *finder) forget() {
	f.scanner.Reset(nil)
	if f.articles != nil {
		f.articles.Reset(nil)
	}
	f.lines.Reset(nil, 0, 0, nil)
}

// modTime returns when the source was changed last, or the current time if that is not
// known.
func (f *finder) modTime() time.Time {
	if t, ok := files.ModTime(f.opened); ok {
		return t
	}
	return time.Now()
}

// locate sets the position of a candidate that was found in t. If nothing is decoded,
// offsets and lines are those of the text, except for the byte order mark. The scanner counts these lines in the
// pass that finds colons. With [decode.Lines] for such text too, access logs take 1.03 (JSON) to 1.1 times (-n) the processor time.
func (f *finder) locate(t *document.Text) {
	c, o := &f.validator.res.Candidate, &f.validator.res.Origin
	if t.Direct {
		o.Offset, o.Length = c.Inner.Start+t.BOM, c.Inner.Len()
		o.Line, o.Column, o.Exact = c.Line, c.Column, true
		if c.Line == 1 && t.Start == 0 {
			o.Column += t.BOM
		}
		return
	}
	if t.Kind == document.Header {
		o.Field = t.Field(c.Inner.Start)
	}
	o.set(t.Locate(c.Inner.Start, c.Inner.End))
}

// give completes the Result and passes it to the sink. It reports whether to continue.
func (f *finder) give() bool {
	v := &f.validator
	f.ledger.Add(ledger.Candidates, 1)
	if v.res.Valid {
		f.ledger.Add(ledger.Found, 1)
	} else {
		f.ledger.Add(ledger.Refused, 1)
	}
	if !v.finish() {
		return true
	}
	if e := v.bases.joined.exceeded(&v.res.Origin); e != nil && !f.done() {
		f.joinedTooMuch(e)
	}
	if f.resumed != nil && !f.resumed.isYielded(&v.res) {
		return true
	}
	r := &v.res
	if m := f.renumbering(); m != nil {
		r = m.renumbered(r)
	}
	return f.resumed != nil && f.resumed.hold(r) || f.send(r)
}

// renumbering returns what changes the numbers of Results if reading of the source did not start at its
// beginning; else nil.
func (f *finder) renumbering() *renumbering {
	switch {
	case f.resumed != nil:
		return &f.resumed.renumbering
	case f.part != nil:
		return &f.part.renumbering
	}
	return nil
}

// joinedTooMuch passes e, about Limits.Joined, to the sink.
func (f *finder) joinedTooMuch(e *Error) {
	if f.resumed == nil || f.resumed.isYieldedLimit() {
		f.failRenumbered(e, ledger.ErrorsLimit)
	}
}

// failRenumbered passes e to the sink, with the numbers of the whole source, unless an earlier run has done so.
func (f *finder) failRenumbered(e *Error, class ledger.Count) {
	if m := f.renumbering(); m != nil {
		m.numbersAtStart.addToOrigin(&e.Origin)
	}
	if s := f.resumed; s == nil || !s.holdError(e, class) && !s.wasReported(e) {
		f.fail(e, class)
	}
}

// lost reports the damage of the source that has a raw offset below at. Each iteration reports one
// Damage.
func (f *finder) lost(at int64) {
	for d := f.doc.Outermost().Lost.Next(at); d != nil; d = f.doc.Outermost().Lost.Next(at) {
		if !f.done() {
			f.damaged(d)
		}
	}
}

// damaged passes d, which the document has returned, to the sink.
func (f *finder) damaged(d *document.Damage) {
	m := d.Cause
	if s := f.resumed; s != nil && !s.isYieldedDamage(m) {
		return
	}
	e := errorOf(origin(f.source, &d.Where), m)
	e.Origin.set(d.Position)
	f.failRenumbered(e, classes[m.Class])
}
