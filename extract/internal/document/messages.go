package document

import (
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/charset"
	"github.com/urlsift/urlsift/extract/internal/decode/header"
	"github.com/urlsift/urlsift/extract/internal/decode/transfer"
	"github.com/urlsift/urlsift/extract/internal/ledger"
	"github.com/urlsift/urlsift/extract/internal/mail"
)

// A [mail.Reader] returns the parts of one message after another from the raw stream. For each
// part the chain is built anew:
//
//	Lines → Part.Body → transfer encoding → charset → HTML, header, flowed → text

// A mailbox is the container for the messages of one stream, or of one part that was
// encoded as a whole. It has one decoder for each encoding, since mailboxes may be nested.
type mailbox struct {
	mail.Reader
	s      *stream
	bottom int // number of stages of the chain below its reader
	around outside
	quoted decode.Decoder
	base64 *transfer.Base64
	peeker decode.Peeker
}

// mailbox pushes the messages in s, which has begun.
func (s *stream) mailbox(d *Reader, f mail.Framing) {
	d.bound(s)
	var begins func(at int64, before int) bool
	if f == mail.Mbox {
		begins = d.layout(s, Messages)
	} else {
		d.layout(s, Whole)
	}
	if d.inMail() {
		d.where.enclose(d.step)
	}
	s.staged, s.mail = true, true
	s.chain.Reset(&s.lines, 0)
	d.messages(s, &s.lines, s.mark, f, "")
	if begins != nil {
		s.boxes[0].OnMessage(begins)
	}
}

// messages pushes the messages in src, the current output of the chain of s, which begins
// at the raw offset at. prefix is put in front of the numbers of their parts.
func (d *Reader) messages(s *stream, src io.Reader, at int64, f mail.Framing, prefix string) {
	if s.used == len(s.boxes) {
		s.boxes = append(s.boxes, &mailbox{s: s, quoted: transfer.NewQuotedPrintable(), base64: transfer.NewBase64()})
	}
	box := s.boxes[s.used]
	s.used++
	box.bottom = s.chain.Len()
	box.around = outside{where: d.where, step: d.step, entities: len(d.entities)}
	box.KeepSubjects(d.opts.Subjects)
	box.Reset(src, at, f, d.opts.Nesting, prefix)
	box.SkipEmpty()
	d.push(box)
}

// leave returns to the part in which the messages were encoded, if they were.
func (box *mailbox) leave(d *Reader) {
	box.countPart(d)
	s := box.s
	d.where, d.step, d.entities = box.around.where, box.around.step, d.entities[:box.around.entities]
	box.around = outside{}
	if s.used--; s.used > 0 {
		d.pool.Shallower()
		d.warned(s)
		err := s.fault
		s.fault = nil
		d.failPart(s, err)
	}
}

// next yields the text of the next part that has one. It returns nil if something else
// comes first. Each iteration handles a part or damage.
func (box *mailbox) next(d *Reader) (*Text, error) {
	s := box.s
	d.warned(s)
	for len(d.queue) == 0 {
		if s.fault != nil { // the error that ended the part ended the stream too
			return nil, io.EOF
		}
		if d.hooks.Stopped() {
			return nil, damage.ErrStopped
		}
		p, err := box.Next()
		box.countPart(d)
		if n := box.Skipped(); d.wants(asText) {
			d.ledger.Add(ledger.Parts, int64(n))
		}
		switch {
		case err == nil:
			if box.bottom == 0 {
				d.enterMessage(p)
			}
			d.where.Part = p.Section
			t, entered := box.part(d, p)
			if t != nil || entered {
				return t, nil
			}
			d.warned(s)
		case err == io.EOF:
			return nil, io.EOF
		default:
			e := damageOf(err)
			if e == nil || !e.Mild {
				s.fault = err
				return nil, io.EOF
			}
			box.warn(d, e)
		}
	}
	return nil, nil
}

// damageOf returns err as damage, or nil. It is a function of its own because it allocates,
// and most parts have no damage.
func damageOf(err error) *decode.Error {
	var e *decode.Error
	errors.As(err, &e)
	return e
}

// warn queues damage that box has found between parts.
func (box *mailbox) warn(d *Reader, e *decode.Error) {
	s := box.s
	m, w := fromDecode(e, s), d.where
	message, section := box.Where()
	w.Part = section
	if box.bottom > 0 { // the position in the encoded part is not known any more
		m.Offset = s.partAt
	} else {
		if message != w.Message { // no part of this message was read yet
			w.MessageID, w.Date, w.Newsgroups, w.Subject, w.From = "", "", "", "", ""
		}
		w.Message = message
	}
	d.queue = append(d.queue, placed{m, d.place(s, w, m)})
}

// enterMessage enters the message of p.
func (d *Reader) enterMessage(p *mail.Part) {
	w := &d.where
	if p.Message != w.Message {
		d.ledger.Add(ledger.Messages, 1)
	}
	w.Message = p.Message
	w.MessageID, w.Date, w.Newsgroups = p.MessageID, p.Date, p.Newsgroups
	if d.opts.Subjects {
		w.Subject, w.From = d.subject.of(p.Subject), d.from.of(p.From)
	}
}

// A decodedField is a header field as written, and its decoded text. All parts of a
// message share it.
type decodedField struct{ written, text string }

// of returns the text of a field, with encoded words decoded. Bytes of an unknown charset
// are read as UTF-8 if they are valid, otherwise as windows-1252.
func (f *decodedField) of(written string) string {
	if written != f.written {
		f.written = written
		f.text = toUTF8(words(written))
	}
	return f.text
}

// toUTF8 returns text if it is UTF-8, otherwise text decoded as windows-1252.
func toUTF8(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	made, err := io.ReadAll(decode.NewStage(strings.NewReader(text), charset.NewLenient()))
	if err != nil {
		return strings.ToValidUTF8(text, "\uFFFD")
	}
	return string(made)
}

// part returns the text of p, or nil if it has none or is not read. entered reports that
// the content of p was pushed instead.
func (box *mailbox) part(d *Reader, p *mail.Part) (t *Text, entered bool) {
	s, do := box.s, treat(p)
	box.partIs(ledger.RawData, ledger.RawData)
	if c := do.closed(); c != nil {
		d.passOver(box, p, c)
		return nil, false
	}
	if do == unread || !d.wants(do) {
		return nil, false
	}
	d.ledger.Add(ledger.Parts, 1)
	box.partIs(ledger.RawText, ledger.RawDamaged)
	s.chain.Cut(box.bottom)
	s.chain.Push(p.Body)
	if box.bottom == 0 {
		s.partAt, _ = p.Body.Origin(0)
	}
	if do == asText && p.Encoding == "" && p.Charset == "" && box.Empty() {
		return nil, false // a boundary follows at once: nothing to decode or scan
	}
	switch p.Encoding {
	case "":
	case "quoted-printable":
		s.chain.PushDecoder(box.quoted)
	case "base64":
		box.base64.Text = do != asLooks
		s.chain.PushDecoder(box.base64)
	default:
		d.misnamed(s, "transfer encoding", p.Encoding, "read unchanged")
	}
	d.enterEntities(box, p)
	if do == asLooks {
		var err error
		if do, err = box.look(); err != nil && err != io.EOF {
			d.warned(s)
			d.failPart(s, err)
			return nil, false
		}
	}
	switch {
	case do == unread || !d.wants(do):
		s.forgetWarnings(p.Section)
		box.partIs(ledger.RawData, ledger.RawData)
		return nil, false
	case do == asLooks, do == asMessage:
		return nil, d.inside(box, p, do)
	}
	t = d.newText(s)
	t.Article = p.Article
	t.Entities = speaking(d.entities)
	d.decode(t, p, do)
	return t, false
}

// enterEntities stores the bases of the entities around p. Most mail has none, and they
// are not listed.
func (d *Reader) enterEntities(box *mailbox, p *mail.Part) {
	d.entities = d.entities[:box.around.entities]
	for i := range p.Levels {
		l := &p.Levels[i]
		d.entities = append(d.entities, Entity{ContentBase: l.ContentBase, ContentLocation: l.ContentLocation})
	}
}

// speaking returns e if one of its entities has a base, otherwise nil.
func speaking(e []Entity) []Entity {
	for i := range e {
		if e[i].ContentBase != "" || e[i].ContentLocation != "" {
			return e
		}
	}
	return nil
}

// decode pushes the stages that decode p with the treatment do.
func (d *Reader) decode(t *Text, p *mail.Part, do treatment) {
	chain := &t.s.chain
	if do == asHeader {
		t.Kind, t.HasValues = Header, true
		chain.PushDecoder(d.headerStage())
		return
	}
	c, known := d.charsets.Decoder([]byte(p.Charset))
	if !known {
		d.misnamed(t.s, "charset", p.Charset, "read as utf-8 or windows-1252")
	}
	chain.PushDecoder(c)
	switch {
	case do == asHTML, do == asXML:
		d.page(t, do == asXML)
	case do == asFolded:
		chain.PushDecoder(d.unfold)
	case do == asTable:
		d.table(t, 0)
	case do == asRoff:
		d.roffText(t)
	case do == asTeX:
		d.texText(t)
	case p.Flowed && p.DelSp:
		chain.PushDecoder(d.flowed)
	}
}

// headerStage returns the decoder for headers, which is made for the first header.
func (d *Reader) headerStage() *header.Decoder {
	if d.header == nil {
		d.header = &header.Decoder{Sink: func(a decode.Attr) error { return d.text.value(a) }, MaxValue: d.opts.MaxValue, IDs: d.opts.MessageIDs}
	}
	return d.header
}

// misnamed queues a warning that a part names something unknown.
func (d *Reader) misnamed(s *stream, what, name, instead string) {
	d.failAtPart(s, &damage.Damage{Class: damage.Text, Severity: damage.Warning, Stage: "mime", Level: s.level, Mild: true,
		Err: damage.Fact("no " + what + " is called " + quote(name) + ", " + instead)})
}

// failAtPart queues m, which concerns the part as a whole, at the position of its first
// byte. So the position does not depend on how far the source was read.
func (d *Reader) failAtPart(s *stream, m *damage.Damage) {
	m.Offset, m.Known = s.partAt, true
	d.fail(s, m)
}
