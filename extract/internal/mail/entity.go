package mail

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/urlsift/urlsift/extract/internal/decode"
)

// An entity is read in three steps. lookAhead examines its header, which is then returned.
// enter makes a part of its body or opens a level. leave closes levels and begins what comes
// next.

// An entity is a message or a part of a multipart.
type entity struct {
	raw     int64 // offset of its header
	message bool  // or a part of a multipart
	digest  bool  // a part of a digest
	path    int   // length of Reader.path that is its number; for a message, that precedes the numbers of its children
}

// beginEntity makes the message that begins at ok the current entity.
func (r *Reader) beginEntity() {
	r.message++
	r.path = append(r.path[:0], r.prefix...)
	r.ent = entity{raw: r.raw(r.ok), message: true, path: len(r.path)}
	r.levels = r.levels[:0]
	r.part = Part{Message: r.message}
	r.reportedDeep, r.promised, r.kept = false, 0, 0
	r.state = atHeader
}

// lookAhead examines up to headerMax bytes of the entity's header, and makes the header the
// part, unless it has no field.
func (r *Reader) lookAhead() bool {
	r.fields.reset()
	r.done, r.header, r.hold, r.data, r.overlong, r.strayed = false, true, false, ordinary, false, false
	raw := r.raw(r.ok)
	r.body.reset(raw)
	// Each iteration passes lines, or reads; both are bounded by limit.
	for limit := raw + headerMax; !r.done && !r.overlong; {
		r.stepHeader(limit)
	}
	if r.overlong {
		r.report(r.headerSection(), mild("header", raw, "header of more than 65536 bytes"))
	}
	r.levels = append(r.levels, Level{})
	r.describe()
	r.state = inHeader
	if r.fields.n == 0 {
		return false
	}
	// The charset is kept, because bytes of the header that are not ASCII are often in
	// it.
	p := &r.part
	r.mediaType(r.fields.get(contentType))
	p.Type, p.Encoding, p.Name, p.Flowed, p.DelSp = "", "", "", false, false
	p.Article = len(r.fields.get(newsgroups)) > 0
	p.Section = r.headerSection()
	r.deliver(true)
	return true
}

// headerSection returns the section of the entity's header.
func (r *Reader) headerSection() string {
	if r.ent.message {
		return r.section("HEADER")
	}
	return r.section("MIME")
}

// describe sets the fields of the part that its header gives. It is called when the
// header was examined and again when it was read, since fields may follow after headerMax
// bytes. It does not change fields that are set.
func (r *Reader) describe() {
	p, h := &r.part, &r.fields
	if h.n == 0 {
		return
	}
	if r.ent.message && len(r.stack) == 0 {
		if p.MessageID == "" {
			p.MessageID = angle(h.get(messageID))
		}
		if p.Date == "" {
			p.Date = readable(h.get(dateField))
		}
		if p.Newsgroups == "" {
			p.Newsgroups = readable(h.get(newsgroups))
		}
		if p.Subject == "" {
			p.Subject = string(h.get(subject))
		}
		if p.From == "" {
			p.From = string(h.get(from))
		}
	}
	l := &r.levels[len(r.levels)-1]
	if l.ContentBase == "" {
		l.ContentBase = cleanURL(h.get(contentBase))
	}
	if l.ContentLocation == "" {
		l.ContentLocation = cleanURL(h.get(contentLocation))
	}
}

// beginBody makes the text at ok the part. data says whether it may contain uuencoded and
// yEnc data.
func (r *Reader) beginBody(data bool) {
	r.done, r.header, r.data = false, false, ordinary
	r.body.reset(r.raw(r.ok))
	r.care = 0
	switch r.framing { // Single has no separators
	case Rnews:
		r.care = rnewsClass
	case Mbox:
		r.care = fromClass
	case Babyl:
		r.care = babylClass
	case MMDF:
		r.care = mmdfClass
	}
	if r.open > 0 {
		r.care |= dashClass
	}
	if data {
		r.care |= dataClass
	}
	r.state = inBody
	r.deliver(false)
}

// deliver makes r.body the body of the part.
func (r *Reader) deliver(header bool) {
	p := &r.part
	p.Header, p.Levels, p.Body = header, r.levels, &r.body
}

// around makes the text outside of the parts of the innermost level a part, unless it is
// blank.
func (r *Reader) around() {
	p := &r.part
	p.Type, p.Charset, p.Encoding, p.Name = "text/plain", "", "", ""
	p.Flowed, p.DelSp, r.hold = false, false, false
	l := &r.stack[len(r.stack)-1]
	r.levels = r.levels[:l.levels]
	r.path = r.path[:l.path]
	r.scratch = append(append(r.scratch[:0], r.path...), "TEXT"...)
	p.Section = r.intern(r.scratch)
	r.beginBody(true)
	r.state = atText
}

// skipBlank skips white space, and reports whether anything else is left of the part. Each
// iteration skips some, or finds more.
func (r *Reader) skipBlank() bool {
	for {
		rest := bytes.TrimLeft(r.buf[r.lo:r.ok], " \t\r\n")
		r.lo = r.ok - len(rest)
		if len(rest) > 0 {
			r.state = inBody
			return true
		}
		if r.done {
			return false
		}
		r.step()
	}
}

// leave continues after a body that has ended. If levels that end here lack their end, it
// returns the damage of the outermost one.
func (r *Reader) leave() *decode.Error {
	keep := 0 // levels that continue
	if r.why == endPart {
		keep = r.hit + 1
	}
	var damage *decode.Error
	for len(r.stack) > keep { // bounded by depth
		if e := r.pop(); e != nil {
			damage = e
		}
	}
	if damage != nil && r.failed(nil) == nil {
		return damage
	}
	switch {
	case r.why != endPart:
		r.state = atMessage
	case r.closing: // text follows, up to a boundary of an outer level
		l := &r.stack[r.hit]
		l.seen = true
		r.close(r.hit)
		r.around()
	default:
		r.beginPart()
	}
	return nil
}

// section returns the path of the entity followed by name.
func (r *Reader) section(name string) string {
	e := &r.ent
	r.scratch = append(r.scratch[:0], r.path[:e.path]...)
	if !e.message {
		r.scratch = append(r.scratch, '.')
	}
	r.scratch = append(r.scratch, name...)
	return r.intern(r.scratch)
}

// leafSection returns the number of the entity if it is a leaf.
func (r *Reader) leafSection() string {
	if r.ent.message {
		return r.section("1")
	}
	number := r.path[:r.ent.path]
	if len(number) > usualNumber { // long numbers are rarely repeated, except for the header's
		if s, ok := strings.CutSuffix(r.part.Section, ".MIME"); ok && s == string(number) {
			return s
		}
		return string(number)
	}
	return r.intern(number)
}

// usualNumber is the length up to which section numbers are repeated in other messages.
const usualNumber = 5

// descend sets path for the children of the entity, which is a multipart or a message in a
// part.
func (r *Reader) descend(multipart bool) {
	r.path = r.path[:r.ent.path]
	switch {
	case !r.ent.message:
		r.path = append(r.path, '.')
	case !multipart:
		r.path = append(r.path, "1."...)
	}
}

// beginPart makes the next child of the innermost level the current entity.
func (r *Reader) beginPart() {
	l := &r.stack[len(r.stack)-1]
	l.seen = true
	if r.skipEmpty {
		r.passEmpty(l, r.hitLen)
	}
	l.children++
	r.path = strconv.AppendInt(r.path[:l.path], int64(l.children), 10)
	r.ent = entity{raw: r.raw(r.frame.ok), digest: l.digest, path: len(r.path)}
	r.levels = r.levels[:l.levels]
	r.state = atHeader
}

// enter decides how the body of the entity is read, whose header was read. The body of a
// leaf becomes the part; otherwise a level is opened.
func (r *Reader) enter() (leaf bool) {
	p := &r.part
	value := r.fields.get(contentType)
	r.mediaType(value)
	enc := r.fields.get(contentEncoding)
	p.Encoding = r.encoding(token(enc))
	f := &r.frame
	// The length in Content-Length counts from here; fromSeparates uses it.
	if r.ent.message && len(r.stack) == 0 && r.framing == Mbox {
		r.promised, r.kept = 0, 0
		if n, ok := number(r.fields.get(contentLength)); ok && n > 0 {
			r.promised = f.raw(f.ok) + n
		}
	}
	multi := len(p.Type) > 10 && p.Type[:10] == "multipart/"
	switch {
	case multi: // a transfer encoding is not allowed here (RFC 2045, section 6.4), and ignored
		var ok bool
		r.scratch, ok = appendParam(r.scratch[:0], params(value), "boundary")
		b := bytes.TrimRight(r.scratch, " \t")
		if !ok || len(b) == 0 || len(b) > boundaryMax {
			r.report(r.leafSection(), mild("mime", r.ent.raw, "multipart without a boundary"))
			p.Type = "text/plain"
			break
		}
		if r.deep() {
			break
		}
		r.descend(true)
		r.push(level{digest: p.Type == "multipart/digest"}, b)
		r.around()
		return false
	case p.Encoding == "" && (p.Type == "message/rfc822" || p.Type == "message/global" || p.Type == "message/news"):
		if r.deep() {
			break
		}
		r.descend(false)
		r.push(level{}, nil)
		r.dropFrom(r.framing != Mbox) // in a mailbox it would be a separator
		r.ent = entity{raw: f.raw(f.ok), message: true, path: len(r.path)}
		r.state = atHeader
		return false
	}
	p.Section = r.leafSection()
	p.Name = r.fileName(value)
	text := len(p.Type) > 5 && p.Type[:5] == "text/"
	r.hold = p.Encoding == "" && !text && !(len(p.Type) > 8 && p.Type[:8] == "message/")
	r.beginBody(text && p.Encoding == "")
	return true
}
