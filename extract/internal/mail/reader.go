package mail

import (
	"bytes"
	"io"

	"github.com/urlsift/urlsift/extract/internal/damage"
)

// A Reader returns the parts of a stream of mail or news, in order. It holds a buffer of
// 68 KiB, the boundaries and fields of the open entities, and a map that is cleared as
// the part is read. Nothing in it grows with the stream. Call Reset before the first use.
type Reader struct{ w traversal }

// KeepSubjects says whether Part has Subject and From. It holds until it is called again.
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
}

// OnMessage makes r call begins at the beginning of each message of an [Mbox], until the next
// Reset. at is the raw offset of the first line of the message after blank lines; before is the
// number of messages in front of it. If begins returns false, the stream ends for r.
func (r *Reader) OnMessage(begins func(at int64, before int) bool) { r.w.frames.onMessage = begins }

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
func (r *Reader) Empty() bool { return r.w.finder.empty() }

// Counts returns the counts since the last Reset.
func (r *Reader) Counts() Counts {
	in := &r.w.in
	in.counts.All = in.raw(in.lo)
	return in.counts
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
		separator = false
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
		in.dropLine()
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
	if missed != nil && w.in.failed(nil) == nil {
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
