package mail

import (
	"bytes"
	"fmt"
	"io"

	"github.com/urlsift/urlsift/extract/internal/damage"
)

// A Reader returns the parts of a stream of mail or news, in order. It holds a buffer of
// 68 KiB, the boundaries and fields of the open entities, and a map that is cleared as
// the part is read. Nothing in it grows with the stream. Call Reset before the first use.
type Reader struct {
	w    traversal
	warc warc // if the stream is a web archive
	id   identity
}

// KeepSubjects says whether Part has Subject, From, FromAddress and To. It holds until it is called again.
func (r *Reader) KeepSubjects(keep bool) { r.w.fields.subjects = keep }

// Reset starts r at src, with framing f ([None] is treated as [Single]). at is the raw offset of
// the first byte of src. depth is the maximum nesting of multiparts and messages; what is deeper is
// text. prefix is put in front of every Section ("2." for a message that was itself encoded).
//
// If src has a method Forget(off int64), r calls it while parts are skipped, with the raw offset
// from which bytes are still needed. While a part is read, the caller must call Forget.
func (r *Reader) Reset(src io.Reader, at int64, f Framing, depth int, prefix string) {
	if f == None {
		f = Single
	}
	r.w.reset(src, at, f, depth, prefix)
	r.warc = warc{in: &r.w.in, part: &r.w.part, values: &r.w.values}
}

// OnMessage makes r call begins at the beginning of each message of an [Mbox], or record of a [WARC], until the next
// Reset. at is the raw offset of the first line of the message after blank lines; before is the
// number of messages in front of it. If begins returns false, the stream ends for r.
func (r *Reader) OnMessage(begins func(at int64, before int) bool) {
	r.w.frames.onMessage, r.warc.onRecord = begins, begins
}

// Identify makes r compute the identity of each message of an [Mbox], until the next Reset: a hash that is the same for a
// message that a program has marked in place. It is called
// before anything is read.
func (r *Reader) Identify() {
	r.w.in.id, r.w.in.idAt = &r.id, r.w.in.raw(0)
	r.id.reset()
}

// Identity returns the identity of the last message that has ended. When the function of OnMessage is called, that is the
// message in front.
func (r *Reader) Identity() uint64 { return r.w.frames.identity }

// Unread returns what r has read of the stream from the beginning of the message on, for which it calls begins.
// ended says that nothing follows it. The slice is valid until the next call of a method of r.
func (r *Reader) Unread() (rest []byte, ended bool) {
	in := &r.w.in
	return in.buf[in.lo:in.hi], in.err != nil
}

// SkipEmpty makes r skip empty parts until the next Reset. An empty part is a part of a multipart,
// and has neither fields nor a body. Of consecutive empty parts, r skips those that are in the
// buffer together with the boundary line after them. It does not skip the last one, so that
// [Reader.Where] stays correct. Reading an empty part takes many times longer than skipping its
// bytes.
func (r *Reader) SkipEmpty() { r.w.empty.on = true }

// Skipped returns how many parts [Reader.SkipEmpty] has skipped since the last call.
func (r *Reader) Skipped() (parts int) {
	parts, r.w.empty.count = r.w.empty.count, 0
	return parts
}

// Next returns the next part and skips the rest of the one before. The part is valid until
// Next is called again.
//
// Damage is returned as a *damage.Damage that is Mild, in place of a part. Its offset is a raw
// offset; if a multipart has no end, it is the offset of the line that ends the multipart
// instead. The next call continues after the damage; [Reader.Where] says in which entity it is.
// At the end the error is io.EOF. Any other error is of src. It is final, and Body.Read returns
// it too.
func (r *Reader) Next() (*Part, error) {
	r.w.in.mayForget = true
	defer func() { r.w.in.mayForget = false }()
	if r.w.frames.framing == WARC {
		return r.warc.next()
	}
	return r.w.next()
}

// Where returns the ordinal of the message and the section of the entity of the damage that
// Next returned last. The section is "" for a message as a whole.
func (r *Reader) Where() (message int, section string) {
	d := &r.w.in.damages.last
	return d.message, d.section
}

// Empty reports whether the part ends undamaged with nothing left of it. It reads as much
// as the first Read of the part would.
func (r *Reader) Empty() bool { return r.w.frames.framing != WARC && r.w.finder.empty() }

// Messages returns how many messages have begun since the last Reset.
func (r *Reader) Messages() int { return r.w.in.message }

// Counts returns the counts since the last Reset.
func (r *Reader) Counts() Counts {
	in := &r.w.in
	in.counts.All = in.raw(in.lo)
	return in.counts
}

// A traversal goes through the entities of a stream. The fields up to body keep their memory
// for the next stream.
type traversal struct {
	in      input         // the raw stream
	frames  framer        // finds messages in it
	mbox    mbox          // knows From_ lines
	fields  fields        // of the header of the entity
	nest    nesting       // the entities around the entity
	current currentEntity // the entity, and its number
	values  valueParser   // of fields
	partial partial       // the message in parts
	finder  endFinder     // finds how far the part reaches
	body    body          // reads it

	phase        phase
	then         phase
	part         Part
	empty        skipping
	reportedDeep bool // of the message
}

// A phase says where in a message a traversal is, and so what comes next.
type phase uint8

const (
	atMessage  phase = iota // a message, or the end of the stream
	inFromLine              // its From_ line was returned as a part, since it may hold a reference
	atHeader                // the header of an entity
	inHeader                // the header was returned as a part, if it has a field
	atText                  // the text in front of or after the parts of a multipart
	inBody                  // a body was returned
	atPart                  // a part is returned next, then comes traversal.then
)

// A skipping says whether empty parts are skipped, and counts them.
type skipping struct {
	on    bool
	count int
}

// reset starts w at src: see [Reader.Reset].
func (w *traversal) reset(src io.Reader, at int64, f Framing, depth int, prefix string) {
	if w.current.strings == nil {
		m := make(interned)
		w.current.strings, w.values.strings = m, m
	}
	w.in.reset(src, at)
	w.mbox = mbox{in: &w.in}
	w.frames = framer{framing: f, in: &w.in, mbox: &w.mbox}
	w.fields.reset()
	w.nest.reset(depth)
	w.current.reset(prefix)
	w.finder = endFinder{in: &w.in, nest: &w.nest, fields: &w.fields, mbox: &w.mbox, current: &w.current, values: &w.values, partial: &w.partial}
	w.body.in, w.body.finder = &w.in, &w.finder
	w.body.reset(at)

	w.phase, w.then, w.empty, w.reportedDeep = atMessage, atMessage, skipping{}, false
	w.part = Part{Bases: w.part.Bases[:0]}
}

// next returns the next part, or damage, or the error at the end.
func (w *traversal) next() (*Part, error) {
	in := &w.in
	for { // each iteration consumes bytes, opens or closes an entity, or ends
		if e := in.damages.next(in.raw(in.lo), w.skip(), w.finder.end.why == endMessage); e != nil {
			return nil, e
		}
		switch w.phase {
		case atPart:
			w.phase = w.then
			return &w.part, nil
		case atMessage:
			if !w.frames.next() {
				if e := in.damages.next(endless, true, w.finder.end.why == endMessage); e != nil {
					return nil, e
				}
				return nil, in.failed(io.EOF)
			}
			if w.beginFromLine(true) {
				return &w.part, nil
			}
			w.beginMessage()
		case inFromLine:
			if w.beginFromLine(false) {
				return &w.part, nil
			}
			w.beginMessage()
		case atHeader:
			if w.lookAhead() {
				w.phase, w.then = atPart, inHeader // after the damage that was found
			}
		case inHeader:
			w.describe()
			in.take(in.ok+w.finder.end.gap, true)
			w.frames.dropVisible()
			if w.enter() {
				w.phase, w.then = atPart, inBody
			}
		case atText:
			if w.skipBlank() {
				return &w.part, nil
			}
			w.phase = inBody
		case inBody:
			if e := w.leave(); e != nil {
				return nil, e
			}
		}
	}
}

// skip skips the rest of the part, and reports whether there was any. Skipped bytes get no
// mappings in the Map of the body.
func (w *traversal) skip() bool {
	if w.phase != inHeader && w.phase != inBody && w.phase != inFromLine {
		return false
	}
	w.finder.skip()
	return true
}

// beginFromLine skips the From_ line in front of the message, if separator is true, and the ">From "
// lines of gateways after it. The first of them that may hold a reference it makes a part, and
// returns true. Each iteration skips a line.
func (w *traversal) beginFromLine(separator bool) bool {
	in := &w.in
	for {
		quoted, yes, line := w.mbox.fromAhead()
		if !yes || !quoted && !separator {
			return false
		}
		if w.mbox.last.g.hasReference(line) {
			w.current.beginMessage(in.raw(in.ok))
			w.part = Part{Message: in.message, Section: w.current.named("FROM"), Bases: w.part.Bases[:0]}
			w.part.plain()
			w.beginBody(false)
			in.ok += len(line)
			w.finder.finish(endHeader)
			w.phase = inFromLine
			return true
		}
		if separator {
			in.dropFrom()
		} else {
			in.dropLine()
		}
		separator = false
	}
}

// beginMessage makes the message that begins at ok the current entity.
func (w *traversal) beginMessage() {
	w.current.beginMessage(w.in.raw(w.in.ok))
	w.part = Part{Message: w.in.message, Bases: w.part.Bases[:0]}
	w.mbox.promised, w.mbox.kept = 0, 0
	w.partial.end()
	w.reportedDeep = false
	w.phase = atHeader
}

// skipBlank skips white space, and reports whether anything else is left of the part. Each
// iteration skips some, or finds more.
func (w *traversal) skipBlank() bool {
	in := &w.in
	for {
		rest := bytes.TrimLeft(in.buf[in.lo:in.ok], " \t\r\n")
		in.lo = in.ok - len(rest)
		if len(rest) > 0 {
			w.phase = inBody
			return true
		}
		if w.finder.done {
			return false
		}
		w.finder.step()
	}
}

// leave continues after a body that has ended. If open entities that end here lack their end, it
// returns the damage of the outermost one, at the offset where its end should be.
func (w *traversal) leave() *damage.Damage {
	end := &w.finder.end
	keep := 0 // entities that stay open
	if end.why == endPart {
		keep = end.hit + 1
	}
	var missed *damage.Damage
	for len(w.nest.stack) > keep { // bounded by depth
		if o, missing := w.nest.pop(); missing != "" {
			missed = damage.Skipped(damage.StageMIME, w.in.raw(w.in.lo), missing)
			w.in.damages.last = pendingDamage{missed, w.in.message, w.current.sectionOf(o), false}
		}
	}
	if missed != nil && (w.in.failed(nil) == nil || w.in.lo < w.in.hi) { // otherwise the error of the stream is in front of their end
		return missed
	}
	switch {
	case end.why != endPart:
		w.phase = atMessage
	case end.closing: // text follows, up to a boundary of an outer entity
		w.nest.stack[end.hit].seen = true
		w.nest.close(end.hit)
		w.beginSurrounding()
	default:
		w.beginPart()
	}
	return nil
}

// beginPart makes the next child of the innermost open entity the current entity.
func (w *traversal) beginPart() {
	o := w.nest.inner()
	o.seen = true
	if w.empty.on && !o.digest && !w.frames.babyl { // parts of a digest are messages
		n := w.in.passEmpty(w.finder.end.hitLen)
		o.children += n
		w.empty.count += n
	}
	w.current.beginChild(o, w.in.raw(w.in.ok))
	w.part.Bases = w.part.Bases[:o.bases]
	w.phase = atHeader
}

// An entity is read in three steps. lookAhead examines its header, which is then returned as a
// part. enter makes the entity's body the next part, or opens the entity. traversal.leave closes
// open entities and begins what comes next.

// lookAhead examines up to headerMax bytes of the entity's header, and makes the header the
// part, unless it has no field.
func (w *traversal) lookAhead() bool {
	x := &w.finder
	w.fields.reset()
	x.beginHeader()
	raw := w.in.raw(w.in.ok)
	w.body.reset(raw)
	// Each iteration passes lines, or reads; both are bounded by limit.
	for limit := raw + headerMax; !x.done && !x.overlong; {
		x.stepHeader(limit)
	}
	if x.overlong {
		w.in.report(w.current.header(), damage.Skipped(damage.StageHeader, raw, "header of more than 65536 bytes"))
	}
	w.part.Bases = append(w.part.Bases, BaseFields{})
	if w.current.isMessage {
		w.part.inArticle(nil)
	} else {
		w.part.inArticle(w.nest.inner())
	}
	w.describe()
	w.phase = inHeader
	if w.fields.n == 0 {
		return false
	}
	// The charset is kept, because bytes of the header that are not ASCII are often in that
	// charset.
	p := &w.part
	w.values.mediaType(p, w.fields.get(contentType), w.current.digest)
	p.Type, p.Encoding, p.Name, p.Flowed, p.DelSp = "", "", "", false, false
	p.Section = w.current.header()
	w.deliver(true)
	return true
}

// describe sets the fields of the part from the header of the entity. It is called twice: when
// the first headerMax bytes of the header were examined, and when all of it was read, since
// more fields may follow.
func (w *traversal) describe() {
	p, h := &w.part, &w.fields
	if h.n == 0 {
		return
	}
	if w.current.isMessage {
		p.describeMessage(h, len(w.nest.stack) > 0)
	}
	p.Bases[len(p.Bases)-1].describe(h)
}

// enter is called after the header of an entity was read, and decides how its body is read.
// The body of a leaf becomes the part; otherwise the entity is opened.
func (w *traversal) enter() (leaf bool) {
	p, in := &w.part, &w.in
	value := w.fields.get(contentType)
	w.values.mediaType(p, value, w.current.digest)
	p.Encoding = w.values.encoding(w.fields.get(contentEncoding))
	if w.current.isMessage && len(w.nest.stack) == 0 && w.frames.framing == Mbox {
		w.mbox.expect(in.raw(in.ok), w.fields.get(contentLength))
	}
	multi := len(p.Type) > 10 && p.Type[:10] == "multipart/"
	switch {
	case multi: // a transfer encoding is not allowed here (RFC 2045, section 6.4), and ignored
		boundary := w.values.boundary(value)
		if boundary == nil {
			in.report(w.current.section(p.Section), damage.Skipped(damage.StageMIME, w.current.raw, "multipart without a boundary"))
			p.Type = "text/plain"
			break
		}
		if w.deep() {
			break
		}
		w.open(openEntity{digest: p.Type == "multipart/digest"}, boundary)
		w.beginSurrounding()
		return false
	case p.Encoding == "" && (p.Type == "message/rfc822" || p.Type == "message/global" || p.Type == "message/news" || p.Type == "message/partial"):
		if p.Type == "message/partial" {
			if n := w.values.partNumber(value); n != 1 {
				w.misplaced(n)
				break
			}
			if w.frames.framing == Mbox && w.current.isMessage && len(w.nest.stack) == 0 {
				w.partial.begin(value)
			}
		}
		if w.deep() {
			p.inArticle(nil) // its text is another message
			break
		}
		w.open(openEntity{}, nil)
		w.mbox.dropFrom(w.frames.framing != Mbox) // in a mailbox it would be a separator
		w.current.beginAttached(in.raw(in.ok))
		w.phase = atHeader
		return false
	}
	p.Section = w.current.section(p.Section)
	p.Name = words(w.values.fileName(w.fields.get(contentDisposition), value))
	text := len(p.Type) > 5 && p.Type[:5] == "text/"
	// The blank line in front of the From_ line of the next part of a message is not text.
	w.finder.hold = w.partial.active() || p.Encoding == "" && !text && !(len(p.Type) > 8 && p.Type[:8] == "message/")
	w.beginBody(text && p.Encoding == "")
	return true
}

// open opens o, which is a message if boundary is nil.
func (w *traversal) open(o openEntity, boundary []byte) {
	w.current.descend(boundary != nil)
	o.path, o.bases = len(w.current.path), len(w.part.Bases)
	o.article, o.articleID = w.part.Article, w.part.ArticleID
	w.nest.push(o, boundary)
}

// deep reports whether no further entity may be opened. If so, the part is read as text.
func (w *traversal) deep() bool {
	if len(w.nest.stack) < w.nest.limit {
		return false
	}
	if !w.reportedDeep {
		w.reportedDeep = true
		e := damage.Limited(damage.StageMIME, "Nesting", int64(w.nest.limit), "parts nested more than %d deep")
		e.Offset, e.Known, e.Mild = w.current.raw, true, true
		w.in.report(w.current.section(w.part.Section), e)
	}
	w.part.plain()
	return true
}

// beginSurrounding begins a part with the text outside of the parts of the innermost multipart. If this
// text is blank, there is no part: see skipBlank.
func (w *traversal) beginSurrounding() {
	p, l := &w.part, w.nest.inner()
	p.plain()
	p.Name, w.finder.hold = "", w.partial.active()
	p.inArticle(l)
	p.Bases = p.Bases[:l.bases]
	p.Section = w.current.sectionAround(l)
	w.beginBody(true)
	w.phase = atText
}

// beginBody begins a part whose text starts at buf[ok]. data says whether it may contain uuencoded and
// yEnc data.
func (w *traversal) beginBody(data bool) {
	w.finder.beginBody(w.frames.framing, data)
	w.body.reset(w.in.raw(w.in.ok))
	w.phase = inBody
	w.deliver(false)
}

// deliver makes w.body the body of the part.
func (w *traversal) deliver(header bool) {
	w.part.Header, w.part.Body = header, &w.body
}

// misplaced reports that the part with that number does not follow the part in front of it.
func (w *traversal) misplaced(n int64) {
	what := "a part of a message, without a number, is read as plain text"
	if n > 0 {
		what = fmt.Sprintf("part %d of a message is read as plain text: it is only joined with part %d directly in front of it in an mbox", n, n-1)
	}
	w.in.report(w.current.section(w.part.Section), damage.Skipped(damage.StageMIME, w.current.raw, what))
}
