package extract

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/document"
	"github.com/urlsift/urlsift/extract/internal/files"
	"github.com/urlsift/urlsift/extract/internal/ledger"
	"github.com/urlsift/urlsift/extract/internal/mail"
	"github.com/urlsift/urlsift/extract/internal/schedule"
)

// Several runs, perhaps on several machines, can read parts of one large file. Each is given a Range. A
// part begins and ends at neutral places, where nothing that is in front matters for what follows:
//
//	nominal    ├───── Begin ─────────────── End ───────────┤
//	text       ├──────────┬──────────────────┬─────────────┤
//	                      └ the first neutral place at or after Begin
//
// The reader of a part finds both places by itself: they follow from the bytes around Begin and End. So
// ranges that follow one another give together what the whole file gives. In running text a neutral place is a
// line that [delimit.Options.Neutral] confirms. In a mailbox it is a line that certainly begins a message, if no
// Content-Length within 1 MiB in front of it reaches beyond it. A stretch without a neutral place belongs
// to the range in which it begins, so a range may be empty.

// A Range is a part of a regular file. It is of a plain text in UTF-8 or of a mailbox in the usual format
// (mbox), which are not compressed. Of other files only the whole can be read: a Range that is not the
// whole is an [*Error] with the stage "range". The file must not change between runs.
type Range struct {
	// The part begins at the first neutral place at or after Begin, and ends at the first neutral place at
	// or after End. Both are offsets in the file. 0 is a neutral place; an End of 0, or after the end of
	// the file, is the end of the file.
	Begin, End int64

	// InFront has the numbers of what is in front of the part, if they are known: the sums of what
	// [Extractor.Measure] returns for the ranges in front. If it is nil, they are counted, for which
	// everything in front of the part is read.
	InFront *Numbers
}

// Numbers count what is in a stretch of a file.
type Numbers struct {
	Lines    int64 // line feeds
	Messages int   // messages of a mailbox
}

// A Part is a stretch of a file between neutral places.
type Part struct {
	Begin, End int64 // offsets in the file; if they are equal, the part is empty
	Numbers
}

// whole reports whether r is all of a file with that size.
func (r *Range) whole(size int64) bool { return r.Begin == 0 && (r.End == 0 || r.End >= size) }

// A partReading is the state of a worker that reads a part of a file.
type partReading struct {
	*core
	renumbering
	Part
	file files.Seekable
	size int64 // of the file

	recognising bool // nothing is read for results: see recognise
	recognised  bool // kind and refused are set
	kind        document.Division
	bom         int64  // length of the byte order mark
	refused     string // why the file cannot be divided; "" if it can
}

const (
	notRegular  = "only a regular file can be read in parts"
	notStopped  = "a file that is resumed, or that is not read to its end, cannot be read in parts"
	notCompress = "a compressed file cannot be read in parts"
	notText     = "this is not text, and cannot be read in parts"
	isChanged   = "the file has changed while it was read"
	notDivided  = "only running text in UTF-8 and mailboxes can be read in parts; this file is of another format"
)

// newPart returns the state of src, which is open as r, with the places where its part begins and ends.
// It returns nil if src is not read in parts.
func (w *worker) newPart(src *Source, r io.Reader) (*partReading, *Error) {
	l := src.Range
	if l == nil || l.whole(math.MaxInt64) {
		return nil, nil
	}
	if _, id, ok := files.Identify(r); ok && l.whole(id.Size) {
		return nil, nil
	}
	return w.locatePart(src, l, r)
}

// locatePart is newPart for the part that l describes, which may be the whole.
func (w *worker) locatePart(src *Source, l *Range, r io.Reader) (*partReading, *Error) {
	p := &partReading{core: &w.core}
	at, id, ok := files.Identify(r)
	p.file, p.size = at, id.Size
	switch {
	case l.Begin < 0 || l.End != 0 && l.End < l.Begin:
		return nil, rangeError(src, plainError("the range ends in front of its beginning"))
	case w.x.opts.Resume != nil || src.Enough != nil:
		return nil, rangeError(src, plainError(notStopped))
	case !ok:
		return nil, rangeError(src, plainError(notRegular))
	}
	if w.recognise(src, r, p); p.refused != "" {
		return nil, rangeError(src, plainError(p.refused))
	}
	if err := p.place(l); err != nil {
		return nil, readError(src, err)
	}
	return p, nil
}

// rangeError returns the Error for a part of src that cannot be read.
func rangeError(src *Source, err error) *Error {
	return &Error{Origin: Origin{Source: src.Name}, Stage: StageRange, Err: err}
}

// readError returns the Error for src, of which some bytes cannot be read.
func readError(src *Source, err error) *Error {
	return &Error{Origin: Origin{Source: src.Name}, Stage: StageRead, Err: err}
}

// recognise sets what the first bytes of src show.
func (w *worker) recognise(src *Source, r io.Reader, p *partReading) {
	counted := w.ledger
	p.recognising, p.refused = true, notDivided
	w.part = p
	w.source, w.opened = src.Name, r
	w.doc.Describe(src.Name, document.Format(src.Format))
	w.reader.Reset(io.NewSectionReader(p.file, 0, p.size))
	w.doc.Open(&w.reader, nil)
	for !p.recognised { // a Text, or damage in front of the first
		if t, err := w.doc.Next(); t != nil || err == io.EOF || w.stopped() {
			break
		}
	}
	w.doc.Close()
	p.recognising, w.part, w.ledger = false, nil, counted
}

// onDivision is sharedReading.onDivision for a source that is read in parts.
func (p *partReading) onDivision(l document.Division, bom int64) func(at int64, before int) bool {
	if !p.recognising {
		return p.atMessage // the part begins with the file
	}
	p.recognised, p.kind, p.bom = true, l, bom
	switch {
	case p.pool.Compressions() > 0:
		p.refused = notCompress
	case l == document.Lines && p.doc.Outermost().IsBinary() && p.x.opts.Format != Plain:
		p.refused = notText
	case l != document.Whole:
		p.refused = ""
	}
	return func(int64, int) bool { return false }
}

// place sets where the part of r begins and ends.
func (p *partReading) place(r *Range) (err error) {
	if p.Begin, err = p.neutral(r.Begin); err != nil {
		return err
	}
	if p.End = p.size; r.End > 0 {
		p.End, err = p.neutral(r.End)
	}
	return err
}

// neutral returns the first neutral place at or after the offset from. If there is none, it is the end of the
// file.
func (p *partReading) neutral(from int64) (int64, error) {
	switch {
	case from == 0 || from >= p.size:
		return min(from, p.size), nil
	case p.kind == document.Messages:
		return mail.FirstNeutral(p.file, max(from, p.bom+1), p.size, p.x.neutralBefore)
	}
	return neutralLine(p.file, &p.x.opts.Delimit, p.bom, max(from, p.bom+1), p.size)
}

// neutralLine returns the offset of the first line at or after from in front of which the text in r may be cut.
// The text begins at the offset bom. Each iteration searches a step.
func neutralLine(r io.ReaderAt, opts *delimit.Options, bom, from, size int64) (int64, error) {
	const step = 64 << 10
	before := int64(opts.NeutralBefore()) + 1
	buf := make([]byte, before+step+delimit.NeutralAfter)
	for from < size {
		begin, end := max(bom, from-before), min(size, from+step+delimit.NeutralAfter)
		b := buf[:end-begin]
		if n, err := r.ReadAt(b, begin); n < len(b) {
			if err == nil || err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return 0, err
		}
		next := from + step // lines after that are not followed by enough bytes
		for at := from - begin - 1; ; {
			k := bytes.IndexByte(b[at:], '\n')
			if at += int64(k) + 1; k < 0 || begin+at >= next {
				break
			}
			if opts.Neutral(b, int(at), end == size) {
				return begin + at, nil
			}
		}
		from = next
	}
	return size, nil
}

// count returns the numbers of the stretch from begin to end, which are neutral places.
func (p *partReading) count(begin, end int64) (n Numbers, err error) {
	in := &countedLines{in: io.NewSectionReader(p.file, begin, p.size-begin), left: end - begin, stopped: p.stopped}
	if p.kind == document.Messages && begin < end {
		if n.Messages, err = messagesIn(in, begin, end, p.bom, p.x.opts.Limits.Nesting); err != nil {
			return n, err
		}
	}
	buf := make([]byte, 256<<10)
	for err == nil && in.left > 0 {
		_, err = in.Read(buf)
	}
	if err == io.EOF && in.left == 0 {
		err = nil
	}
	return Numbers{in.lines, n.Messages}, err
}

// messagesIn returns how many messages are between the offsets begin and end of a mailbox. in begins at begin.
func messagesIn(in io.Reader, begin, end, bom int64, nesting int) (n int, err error) {
	if begin == 0 {
		if _, err = io.CopyN(io.Discard, in, bom); err != nil {
			return 0, err
		}
		begin = bom
	}
	var r mail.Reader
	var mild *damage.Damage
	r.Reset(in, begin, mail.Mbox, nesting, "")
	r.SkipEmpty()
	r.OnMessage(func(at int64, before int) bool {
		if n = before; at < end {
			n++
		}
		return at < end
	})
	for err == nil || errors.As(err, &mild) && mild.Mild { // a part in each iteration
		_, err = r.Next()
	}
	if err == io.EOF {
		err = nil
	}
	return n, err
}

// A countedLines counts the line feeds in the next left bytes that are read.
type countedLines struct {
	in      io.Reader
	left    int64
	lines   int64
	stopped func() bool
}

// Read reads once.
func (c *countedLines) Read(p []byte) (int, error) {
	if c.stopped() {
		return 0, context.Canceled
	}
	n, err := c.in.Read(p)
	own := min(c.left, int64(n))
	c.lines += int64(bytes.Count(p[:own], []byte{'\n'}))
	c.left -= own
	return n, err
}

// readPart reads the part of src, which is open as r.
func (w *worker) readPart(src *Source, p *partReading) {
	if limit := w.x.opts.Limits.Size; p.Begin == p.End || limit > 0 && p.Begin >= limit {
		w.ledger.Add(ledger.StoredNotRead, p.End-p.Begin)
		return
	}
	n := src.Range.InFront
	if n == nil && p.kind == document.Lines && w.x.opts.Delimit.NoLines {
		n = new(Numbers) // they do not matter
	}
	if n == nil {
		counted, err := p.count(0, p.Begin)
		if err != nil {
			if !w.stopped() {
				w.fail(readError(src, err), ledger.ErrorsRead)
			}
			return
		}
		n = &counted
	}
	p.numbersAtStart = delta{lines: n.Lines, messages: n.Messages, mail: p.kind == document.Messages}
	w.part = p
	defer func() { w.part = nil }()
	at := document.Start{Offset: p.Begin, BOM: p.bom, Mail: p.kind == document.Messages}
	from := p.Begin - at.Before()
	w.reader.Reset(io.NewSectionReader(p.file, from, p.size-from))
	if p.Begin == 0 {
		w.doc.Open(&w.reader, nil)
	} else if !w.doc.Outermost().OpenFrom(&w.reader, at, false, p.atMessage) {
		if !w.stopped() {
			w.fail(readError(src, plainError(isChanged)), ledger.ErrorsRead)
		}
		return
	}
	if p.kind == document.Lines {
		w.doc.Outermost().StopAt(p.End)
	}
	w.find.texts()
	stored := w.pool.Source.Stored()
	w.ledger.Add(ledger.StoredRead, from-p.Begin+min(0, p.End-stored))
	w.ledger.Add(ledger.StoredNotRead, max(0, p.End-stored))
	if limit := w.x.opts.Limits.Size; stored < p.End && limit == 0 && !w.stopped() {
		w.fail(readError(src, plainError(isChanged)), ledger.ErrorsRead)
	}
}

// atMessage is called when the reader of a mailbox has found a message at the offset at. It reports whether
// the message is in the part.
func (p *partReading) atMessage(at int64, _ int) bool {
	if at >= p.End {
		p.doc.Outermost().Lost.Forget(at)
	}
	return at < p.End
}

// Measure returns where the part of src begins and ends that src.Range describes, and what is in it. It reads
// that part, and does not search it for references. Several calls may run at the same time. The error is an
// [*Error]; its stage is "range" if the source cannot be read in parts.
func (x *Extractor) Measure(ctx context.Context, src Source) (Part, error) {
	x.begin()
	stop := new(schedule.Interrupt)
	defer schedule.EndWith(ctx, stop)()
	w := x.worker(&callerSink{yield: func(*Result, error) bool { return true }}, stop, nil)
	defer w.Idle()
	r, err := w.open(&src)
	if err != nil {
		return Part{}, openError(src.Name, err)
	}
	defer func() { _ = closeSource(r) }()
	l := src.Range
	if l == nil {
		l = new(Range)
	}
	p, failed := w.locatePart(&src, l, r)
	if failed != nil {
		return Part{}, failed
	}
	if p.Numbers, err = p.count(p.Begin, p.End); err != nil {
		return Part{}, readError(&src, err)
	}
	return p.Part, nil
}
