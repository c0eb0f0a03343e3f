package document

import (
	"io"
	"strconv"

	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/decode/charset"
	"github.com/urlsift/urlsift/extract/internal/ledger"
	"github.com/urlsift/urlsift/extract/internal/mail"
)

// A [mail.Reader] returns the parts of one message after another from the raw stream. For each
// part a new chain is built:
//
//	Lines → Part.Body → transfer encoding → charset → HTML, header, flowed → text

// next yields the text of the next part that has one. It returns nil if something else
// comes first. Each iteration handles a part or damage.
func (box *mailbox) next(d *Reader) (*Text, error) {
	s := box.s
	s.warned(d)
	for len(d.reports.queue) == 0 {
		if s.fault != nil { // the error that ended the part ended the stream too
			return nil, io.EOF
		}
		if d.hooks.Stopped() {
			return nil, damage.ErrStopped
		}
		p, err := box.Next()
		if box.countPart(d); d.outermost.Lost.Any() && box.linksBelow == 0 && s.level == 0 {
			d.outermost.Lost.report(s.done)
		}
		if n := box.Skipped(); d.opts.wants(asText) {
			d.ledger.Add(ledger.Parts, int64(n))
		}
		switch {
		case err == nil:
			if box.linksBelow == 0 {
				d.path.enterMessage(p, d.opts.Subjects, d.ledger)
			}
			d.path.where.Part = p.Section
			t, entered := box.part(d, p)
			if t != nil || entered {
				return t, nil
			}
			s.warned(d)
		case err == io.EOF:
			return nil, io.EOF
		default:
			m, ok := err.(*damage.Damage)
			if !ok || !m.Mild {
				s.fault = err
				return nil, io.EOF
			}
			box.warn(d, m)
		}
	}
	return nil, nil
}

// warn queues damage that box has found between parts.
func (box *mailbox) warn(d *Reader, m *damage.Damage) {
	s, w := box.s, d.path.where
	m.Level = s.level
	message, section := box.Where()
	w.Part = section
	if box.linksBelow > 0 { // the position in the encoded part is not known any more
		m.Offset = s.partAt
	} else {
		if message != w.Message { // no part of this message was read yet
			w.MessageID, w.Date, w.Newsgroups, w.Subject, w.From = "", "", "", "", ""
		}
		w.Message = message
	}
	d.reports.add(m, s.positionOf(w, m))
}

// part returns the text of p, or nil if it has none or is not read. entered reports that
// the content of p was pushed instead.
func (box *mailbox) part(d *Reader, p *mail.Part) (t *Text, entered bool) {
	s, as := box.s, treat(p)
	box.setPartClasses(ledger.RawData, ledger.RawData)
	if c := as.closed(); c != nil {
		box.passOver(d, p, c)
		return nil, false
	}
	if as == unread || !d.opts.wants(as) {
		return nil, false
	}
	d.ledger.Add(ledger.Parts, 1)
	box.setPartClasses(ledger.RawText, ledger.RawDamaged)
	s.chain.Cut(box.linksBelow)
	s.chain.Push(p.Body)
	if box.linksBelow == 0 {
		s.partAt, _ = p.Body.Origin(0)
	}
	if as == asText && p.Encoding == "" && p.Charset == "" && box.Empty() {
		return nil, false // a boundary follows at once: nothing to decode or scan
	}
	switch p.Encoding {
	case "":
	case "quoted-printable":
		s.chain.PushDecoder(box.quoted)
	case "base64":
		box.base64.Text = as != asRecognised && as != asSigned
		s.chain.PushDecoder(box.base64)
	default:
		box.misnamed(d, "transfer encoding", p.Encoding, "read unchanged")
	}
	d.path.enterEntities(box.outside.entities, p.Bases)
	if as == asRecognised {
		var err error
		if as, err = box.recogniseType(); err != nil && err != io.EOF {
			s.warned(d)
			s.failPart(d, err)
			return nil, false
		}
	}
	if as == asSigned {
		s.chain.PushDecoder(&box.signed)
		as = asMessage
	}
	switch {
	case as == unread || !d.opts.wants(as):
		s.warnings.forget(p.Section)
		box.setPartClasses(ledger.RawData, ledger.RawData)
		return nil, false
	case as == asRecognised, as == asMessage:
		return nil, box.inside(d, p, as)
	}
	t = d.newText(s)
	t.Article, t.ArticleID = p.Article, p.ArticleID
	t.Entities = declaring(d.path.entities)
	box.decode(d, t, p, as)
	return t, false
}

// decode pushes the links that decode p with the treatment as.
func (box *mailbox) decode(d *Reader, t *Text, p *mail.Part, as treatment) {
	if as != asHeader {
		c, known := d.decoders.charsets.Decoder([]byte(p.Charset))
		switch {
		case !known:
			box.misnamed(d, "charset", p.Charset, "read as utf-8 or windows-1252")
		case p.Encoding != "base64" && charset.IsEBCDIC(c): // a gateway has translated the text and kept the name
			c, _ = d.decoders.charsets.Decoder(nil)
			box.misnamed(d, "charset of text that is not encoded", p.Charset, "read as utf-8 or windows-1252")
		}
		box.s.chain.PushDecoder(c)
	}
	if as == asText && p.Flowed && p.DelSp {
		as = asFlowed
	}
	t.Kind, t.HasValues = d.decoders.push(&box.s.chain, as, 0)
}

// misnamed queues a warning that a part names something unknown.
func (box *mailbox) misnamed(d *Reader, what, name, instead string) {
	box.failAtPart(d, &damage.Damage{Class: damage.Text, Severity: damage.Warning, Stage: damage.StageMIME, Level: box.s.level, Mild: true,
		Err: damage.Fact("no " + what + " is called " + quote(name) + ", " + instead)})
}

// maxQuoted is how many bytes of a name are in a message.
const maxQuoted = 100

// quote returns at most maxQuoted bytes of name in quotes.
func quote(name string) string {
	if len(name) > maxQuoted {
		return strconv.Quote(name[:maxQuoted]) + "…"
	}
	return strconv.Quote(name)
}
