package mail

import (
	"github.com/urlsift/urlsift/extract/internal/damage"
)

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
	p.Name = w.values.fileName(w.fields.get(contentDisposition), value)
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

// A skipping says whether empty parts are skipped, and counts them.
type skipping struct {
	on    bool
	count int
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

const (
	atMessage  phase = iota // a message, or the end of the stream
	inFromLine              // its From_ line was returned as a part, since it may hold a reference
	atHeader                // the header of an entity
	inHeader                // the header was returned as a part, if it has a field
	atText                  // the text in front of or after the parts of a multipart
	inBody                  // a body was returned
	atPart                  // a part is returned next, then comes traversal.then
)
