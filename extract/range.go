package extract

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract/internal/compress"
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
// Content-Length within 1 MiB in front of it reaches beyond it; in a web archive it is the header of a record after a blank
// line, if no other record that begins in 1 MiB in front of it reaches beyond it. If that distance is too short, the place is within
// a message or record. Then the reader of the part in front does not arrive there, and reports it. A stretch without a neutral place belongs
// to the range in which it begins, so a range may be empty.
//
// A file of gzip members or zstd frames is divided by stored offsets. To a stored offset belongs a place in the text of the
// first member at or after it, or of the members that follow: the first neutral one that is so far in that text
// that nothing in front of the member matters for whether it is neutral. What cannot be read up to there is passed over: it is damaged, or only
// looks like a member. If so much of it can be read, the reader of the part in front does not arrive there, and reports damage.

// A Range is a part of a regular file. The file is a plain text in UTF-8, a mailbox in the usual format
// (mbox) or a web archive (WARC), which may be compressed as gzip members, such as BGZF, or as zstd frames, if the first of them has at most 64 MiB. Of other
// files only the whole can be read: a Range that is not the whole is an [*Error] with the stage "range". The
// file must not change between runs. Damage to a member ends its part; the next
// range is read, if InFront is given, because what is after damage cannot be counted.
type Range struct {
	// The part begins at the first neutral place at or after Begin, and ends at the first neutral place at
	// or after End. Both are offsets in the stored file. 0 is a neutral place; an End of 0, or after the end of
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
	Messages int   // messages of a mailbox, or records
	Text     int64 // bytes, decompressed; Range.InFront needs it only for a compressed file
}

// A Part is a stretch of a file between neutral places.
type Part struct {
	// Begin and End describe the part as a Range does. They are those of the Range if the file is compressed, and
	// otherwise the neutral places. If Text is 0, the part is empty.
	Begin, End int64
	Numbers
	Compressed bool // the file is compressed

	// Err is an [*Error] if a compressed file is damaged in the part. What is behind the damage is not in Numbers.
	Err error
}

// whole reports whether r is all of a file with that size.
func (r *Range) whole(size int64) bool { return r.Begin == 0 && (r.End == 0 || r.End >= size) }

// A partPlace is a neutral place: an offset in the stored file, and how much text is between it and the place. In a
// file that is not compressed there is none.
type partPlace struct{ stored, text int64 }

// A partReading is the state of a worker that reads a part of a file.
type partReading struct {
	*core
	renumbering
	file       files.Seekable
	size       int64 // of the file
	begin, end partPlace
	stored     int64 // how many stored bytes count as those of the part
	endText    int64 // offset in the text at which a mailbox ends; MaxInt64 until it is known
	nextAt     int64 // where the first message after the part was found; 0 if there is none

	recognising bool // nothing is read for results: see recognise
	recognised  bool // the fields below are set
	kind        document.Division
	bom         int64 // length of the byte order mark
	compressed  bool
	members     compress.Kind // of a compressed file
	refused     string        // why the file cannot be divided; "" if it can
}

const (
	notRegular  = "only a regular file can be read in parts"
	notStopped  = "a file that is resumed, or that is not read to its end, cannot be read in parts"
	notCompress = "a compressed file can be read in parts only if it consists of gzip members, or of zstd frames without a dictionary, of which the first has at most 64 MiB"
	notRatio    = "with so small a limit of the ratio, a compressed file cannot be read in parts"
	notText     = "this is not text, and cannot be read in parts"
	notDivided  = "only running text in UTF-8, mailboxes and web archives (WARC) can be read in parts; this file is of another format"
	notMember   = "what looks like the beginning of a compressed member is within another one"
	isWithin    = "the part ends within a message or record, of which the next part reads the rest"
	isChanged   = "the file has changed while it was read"
)

// gzipRatio is more than the ratio to which gzip can compress. In parts, Limits.Ratio is compared with the text of the part.
const gzipRatio = 1100

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
	w.doc.Describe(src.Name, document.Format(src.Format), p.file)
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
	p.recognised, p.kind, p.bom, p.refused = true, l, bom, ""
	if p.compressed = p.pool.Compressions() > 0; p.compressed {
		var err error
		if p.members, err = p.pool.Members(p.file, p.size); err != nil {
			p.refused = err.Error()
			return func(int64, int) bool { return false }
		}
	}
	switch {
	case l == document.Whole, l == document.Records && !p.doc.Outermost().BeginsWith(mail.WARCMark): // it may be ARC
		p.refused = notDivided
	case p.compressed && p.members == compress.None:
		p.refused = notCompress
	case p.compressed && p.x.opts.Limits.Ratio < gzipRatio:
		p.refused = notRatio
	case l == document.Lines && p.doc.Outermost().IsBinary() && p.x.opts.Format != Plain:
		p.refused = notText
	}
	return func(int64, int) bool { return false }
}

// place sets where the part of r begins and ends. If no place in front of r.End is neutral, the part is empty, and
// nothing is searched after that.
func (p *partReading) place(r *Range) (err error) {
	end, found := p.size, true
	if r.End > 0 {
		end = min(end, r.End)
	}
	p.end = partPlace{end, 0}
	if p.compressed {
		err = p.placeInMembers(r.Begin, end)
		p.stored = end - min(r.Begin, end) // to a place in the text belong several stored offsets
		return err
	}
	if r.Begin > 0 {
		if p.begin, found, err = p.neutral(r.Begin, end); !found {
			p.begin = p.end
		}
	}
	if err == nil && found && end < p.size {
		if p.end, found, err = p.neutral(end, p.size); !found {
			p.end = partPlace{p.size, 0}
		}
	}
	p.stored = p.end.stored - p.begin.stored
	return err
}

// neutral returns the first neutral place of a file that is not compressed at or after from and in front of until.
func (p *partReading) neutral(from, until int64) (at partPlace, found bool, err error) {
	at.stored, err = p.firstNeutral(io.NewSectionReader(p.file, 0, p.size), p.bom, max(from, p.bom+1), until)
	return at, at.stored >= 0, err
}

// placeInMembers is place for a compressed file.
func (p *partReading) placeInMembers(begin, end int64) error {
	if begin > 0 {
		if at, err := p.pool.FindMember(p.file, p.members, begin, end, p.size, nil); err != nil || at == end {
			p.begin = p.end
			return err
		}
	}
	if end < p.size {
		at, found, err := p.neutralInMembers(end, p.size, p.size)
		if err != nil {
			return err
		}
		if p.end = at; !found {
			p.end = partPlace{p.size, 0}
		}
	}
	if begin > 0 {
		at, found, err := p.neutralInMembers(begin, end, p.end.stored)
		if err != nil {
			return err
		}
		if p.begin = at; !found {
			p.begin = p.end
		}
	}
	return nil
}

// neutralInMembers returns the neutral place that belongs to the stored offset from of a compressed file, greater than 0. If no member
// begins in front of until, or if the place is the one that belongs to the member at next, found is false. What is damaged in front of
// the place is no member, or one that cannot be read up to there: the place is then searched from the next member on.
func (p *partReading) neutralInMembers(from, until, next int64) (at partPlace, found bool, err error) {
	before := int64(p.x.opts.Delimit.NeutralBefore()) + 1
	if p.kind.OfMessages() {
		before = p.x.neutralBefore
	}
	_, err = p.pool.FindMember(p.file, p.members, from, until, p.size, func(member int64) (ok bool, read int64, err error) {
		in := p.membersText(partPlace{member, 0}, partPlace{next, 0})
		if next < p.size {
			in.left = before + neutralAfter
		}
		text := &window{in: in}
		at.stored = member
		if at.text, err = p.firstNeutral(text, 0, before, math.MaxInt64); err != nil {
			return false, 0, err
		}
		if at.text < 0 && text.damaged != nil {
			read = in.storedRead()
			if in.nextAt < 0 && read == next-member && next < p.size && errors.Is(text.damaged, io.ErrUnexpectedEOF) {
				// One of the two is no member. This one is, if it can be read past the other.
				more := p.pool.OpenMembers(io.NewSectionReader(p.file, member, p.size-member), p.members)
				if _, err = io.CopyN(io.Discard, more, in.read+neutralAfter); err == nil || err == io.EOF {
					return false, read, plainError(notMember)
				}
				err = nil
			}
			return false, read, err
		}
		found = at.text >= 0 && (in.nextAt < 0 || next == p.size || at.text < in.nextAt+before)
		return true, 0, nil
	})
	return at, found, err
}

// neutralAfter is at least how many bytes after a place decide whether it is neutral.
const neutralAfter = 128 << 10

// firstNeutral returns the first neutral place in r at or after from and in front of until; -1 if there is none.
// Running text begins at the offset bom.
func (p *partReading) firstNeutral(r io.ReaderAt, bom, from, until int64) (int64, error) {
	if p.kind.OfMessages() {
		return mail.FirstNeutral(r, p.kind.Framing(), from, until, p.x.neutralBefore)
	}
	var text []byte
	return neutralLine(r, &p.x.opts.Delimit, bom, from, until, &text)
}

// neutralLine is firstNeutral for running text, which begins at the offset bom. Each iteration searches a step, and the
// offsets that are read only grow. It uses the memory at memory, or sets it.
func neutralLine(r io.ReaderAt, opts *delimit.Options, bom, from, until int64, memory *[]byte) (int64, error) {
	const step = 8 << 10
	before := int64(opts.NeutralBefore()) + 1
	buf := *memory
	if int64(len(buf)) < before+step+delimit.NeutralAfter {
		buf = make([]byte, before+step+delimit.NeutralAfter)
		*memory = buf
	}
	for from < until {
		begin := max(bom, from-before)
		n, err := r.ReadAt(buf[:from+step+delimit.NeutralAfter-begin], begin)
		if err != nil && err != io.EOF {
			return 0, err
		}
		b, next := buf[:n], from+step // lines after that are not followed by enough bytes
		if err == io.EOF {
			next = begin + int64(n)
		}
		if at := neutralIn(opts, b, int(from-begin), int(min(next, until)-begin), err == io.EOF); at >= 0 {
			return begin + int64(at), nil
		}
		if from = next; err == io.EOF {
			break
		}
	}
	return -1, nil
}

// neutralIn returns the index of the first neutral place in b at or after from and in front of until; -1 if there is
// none. atEOF says that nothing follows b.
func neutralIn(opts *delimit.Options, b []byte, from, until int, atEOF bool) int {
	for at := from; at < until; at++ {
		if at > 0 {
			k := bytes.IndexByte(b[at-1:min(until, len(b))], '\n')
			if k < 0 {
				break
			}
			if at += k; at >= until {
				break
			}
		}
		if opts.Neutral(b, at, atEOF) {
			return at
		}
	}
	return -1
}

// A window lets a stream be read at offsets that only grow. It keeps the bytes from the last offset on. Damage is the
// end of the stream.
type window struct {
	in      io.Reader
	buf     []byte
	at      int64 // offset of buf[0]
	damaged error
}

// ReadAt implements [io.ReaderAt] for an offset that is in the window.
func (w *window) ReadAt(b []byte, at int64) (int, error) {
	for w.at < at && len(w.buf) > 0 || len(w.buf) < len(b) {
		drop := min(at-w.at, int64(len(w.buf)))
		w.buf = w.buf[:copy(w.buf, w.buf[drop:])]
		w.at += drop
		if cap(w.buf) < len(b) {
			w.buf = append(make([]byte, 0, len(b)), w.buf...)
		}
		n, err := w.in.Read(w.buf[len(w.buf):max(len(b), len(w.buf))])
		w.buf = w.buf[:len(w.buf)+n]
		if _, is := err.(*damage.Damage); is {
			w.damaged, err = err, io.EOF
		}
		if err != nil {
			return copy(b, w.buf), err
		}
	}
	return copy(b, w.buf), nil
}

// A membersText reads the text of gzip members or zstd frames, up to a place.
type membersText struct {
	p      *partReading
	in     io.Reader
	file   *io.SectionReader // that in decompresses
	stored int64             // bytes in front of it
	next   int64             // stored offset of the member in or after which the place is
	left   int64             // how much text from there on is read
	read   int64
	nextAt int64 // what read was where the text of that member begins; -1 before
	whole  bool  // it reads the text of the part: its end is found here
	from   int64 // if whole is set: offset in the text of its first byte
}

// membersText returns a reader of the text from the beginning of the member at from up to the place to.
func (p *partReading) membersText(from, to partPlace) *membersText {
	m := &membersText{p: p, next: to.stored, left: to.text, nextAt: -1, in: new(io.LimitedReader)}
	if m.file = io.NewSectionReader(p.file, from.stored, to.stored-from.stored); m.file.Size() > 0 {
		m.in = p.pool.OpenMembers(m.file, p.members)
	}
	return m
}

// storedRead returns how many stored bytes were read.
func (m *membersText) storedRead() int64 {
	at, _ := m.file.Seek(0, io.SeekCurrent)
	return m.stored + at
}

// Read reads once.
func (m *membersText) Read(b []byte) (n int, err error) {
	if m.p.stopped() {
		return 0, damage.ErrStopped
	}
	n, err = m.in.Read(b)
	m.read += int64(n)
	if err == nil {
		err = m.p.pool.OverRatio(m.read, m.storedRead())
	}
	if err != io.EOF || m.nextAt >= 0 {
		return n, err
	}
	m.nextAt = m.read
	if m.whole {
		m.p.endText = m.from + m.nextAt + m.p.end.text
	}
	m.stored = m.file.Size()
	m.file = io.NewSectionReader(m.p.file, m.next, m.p.size-m.next)
	m.in = &io.LimitedReader{R: m.p.pool.OpenMembers(m.file, m.p.members), N: m.left}
	if n > 0 {
		return n, nil
	}
	return m.Read(b)
}

// text returns a reader of the text between two places.
func (p *partReading) text(from, to partPlace) (io.Reader, error) {
	if !p.compressed {
		return io.NewSectionReader(p.file, from.stored, to.stored-from.stored), nil
	}
	in := p.membersText(from, to)
	_, err := io.CopyN(io.Discard, in, from.text)
	return in, err
}

// count returns the numbers of the text between two places.
func (p *partReading) count(from, to partPlace) (n Numbers, err error) {
	if from == to {
		return n, nil
	}
	text, err := p.text(from, to)
	if err != nil {
		return n, err
	}
	in := &counter{in: text, stopped: p.stopped}
	if p.kind.OfMessages() {
		if from == (partPlace{}) {
			_, err = io.CopyN(io.Discard, in, p.bom)
		}
		if err == nil {
			n.Messages, err = messagesIn(in, p.kind.Framing(), p.x.opts.Limits.Nesting)
		}
	} else {
		_, err = io.Copy(io.Discard, in)
	}
	n.Lines, n.Text = in.lines, in.bytes
	return n, err
}

// messagesIn returns how many messages are in a mailbox, or records in a web archive.
func messagesIn(in io.Reader, f mail.Framing, nesting int) (int, error) {
	var r mail.Reader
	r.Reset(in, 0, f, nesting, "")
	r.SkipEmpty()
	for {
		_, err := r.Next()
		if m, ok := err.(*damage.Damage); err == nil || ok && m.Mild {
			continue
		}
		if err == io.EOF {
			err = nil
		}
		return r.Messages(), err
	}
}

// A counter counts the line feeds and bytes that are read.
type counter struct {
	in           io.Reader
	lines, bytes int64
	stopped      func() bool
}

// Read reads once.
func (c *counter) Read(p []byte) (int, error) {
	if c.stopped() {
		return 0, damage.ErrStopped
	}
	n, err := c.in.Read(p)
	c.lines += int64(bytes.Count(p[:n], []byte{'\n'}))
	c.bytes += int64(n)
	return n, err
}

// inFront returns the numbers of what is in front of the part of src.
func (p *partReading) inFront(r *Range) (Numbers, error) {
	switch {
	case r.InFront != nil && (!p.compressed || r.InFront.Text > 0 || r.Begin == 0):
		return *r.InFront, nil
	case p.x.opts.Delimit.NoLines && p.kind == document.Lines && !p.compressed:
		return Numbers{}, nil // they do not matter
	}
	return p.count(partPlace{}, p.begin)
}

// readPart reads the part of src, which is open as r.
func (w *worker) readPart(src *Source, p *partReading) {
	if p.begin == p.end {
		w.ledger.Add(ledger.StoredRead, p.stored)
		return
	}
	n, err := p.inFront(src.Range)
	at := document.Start{Offset: p.begin.stored, BOM: p.bom, Kind: p.kind}
	if p.compressed {
		at.Offset = n.Text
	}
	if limit := w.x.opts.Limits.Size; err != nil || limit > 0 && at.Offset >= limit {
		w.ledger.Add(ledger.StoredNotRead, p.stored)
		if err != nil && !w.stopped() {
			w.fail(readError(src, err), ledger.ErrorsRead)
		}
		return
	}
	p.numbersAtStart = delta{lines: n.Lines, messages: n.Messages, mail: at.Kind.OfMessages()}
	w.part = p
	defer func() { w.part = nil }()
	opened, err := p.open(at)
	if err == nil && !opened {
		err = plainError(isChanged)
	}
	if err == nil {
		w.find.texts()
	}
	read := w.pool.Source.Stored() - (at.Offset - at.Before())
	if p.compressed { // text was counted
		w.ledger.Add(ledger.StoredRead, p.stored-read)
	} else {
		read -= at.Before()
		w.ledger.Add(ledger.StoredRead, min(0, p.stored-read)-at.Before())
		w.ledger.Add(ledger.StoredNotRead, max(0, p.stored-read))
		if err == nil && p.stored > read && w.x.opts.Limits.Size == 0 {
			err = plainError(isChanged)
		}
	}
	if err == nil && p.kind.OfMessages() && p.endsWithin() {
		err = plainError(isWithin)
	}
	if err != nil && !w.stopped() {
		w.fail(readError(src, err), ledger.ErrorsRead)
	}
}

// endsWithin reports whether the part, which was read, ends within a message or record: the next one that was found does not
// begin at the end of the part. It says nothing if reading has ended in front of that, at Limits.Size or at damage.
func (p *partReading) endsWithin() bool {
	if p.nextAt > 0 {
		return p.nextAt > p.endText
	}
	limit := p.x.opts.Limits.Size
	return p.end.stored < p.size && p.doc.Outermost().Read() > p.endText && (limit == 0 || limit-neutralAfter > p.endText)
}

// open opens the document at the beginning of the part. It returns false if nothing begins there.
func (p *partReading) open(at document.Start) (bool, error) {
	from := at.Offset - at.Before()
	var in io.Reader = io.NewSectionReader(p.file, from, p.size-from)
	if p.endText = p.end.stored; p.compressed {
		to := p.end
		if at.Kind.OfMessages() && to.stored < p.size { // the reader of a mailbox needs what follows
			to.text = math.MaxInt64
		}
		p.endText = math.MaxInt64
		m := p.membersText(p.begin, to)
		m.whole, m.from = true, at.Offset-p.begin.text
		if _, err := io.CopyN(io.Discard, m, p.begin.text-at.Before()); err != nil {
			return false, err
		}
		in = m
	}
	p.reader.Reset(in)
	out := p.doc.Outermost()
	if p.begin == (partPlace{}) {
		p.doc.Open(&p.reader, nil)
	} else if !out.OpenFrom(&p.reader, at, false, p.atMessage) {
		return false, nil
	}
	if at.Kind == document.Lines && !p.compressed {
		out.StopAt(p.end.stored)
	}
	return true, nil
}

// atMessage is called when the reader of a mailbox has found a message at the offset at. It reports whether
// the message is in the part.
func (p *partReading) atMessage(at int64, _ int) bool {
	if at >= p.endText {
		p.doc.Outermost().Lost.Forget(at)
		p.nextAt = at
	}
	return at < p.endText
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
	n, err := p.count(p.begin, p.end)
	m := Part{Begin: p.begin.stored, End: p.end.stored, Numbers: n, Compressed: p.compressed}
	if d := (*damage.Damage)(nil); errors.As(err, &d) && d.Class == damage.Pack {
		m.Err = errorOf(Origin{Source: src.Name}, d)
	} else if err != nil {
		return Part{}, readError(&src, err)
	}
	if p.compressed {
		m.Begin = min(l.Begin, p.size)
		m.End = m.Begin + p.stored
	}
	return m, nil
}
