package document

import (
	"io"
	"strconv"

	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/charset"
	"github.com/urlsift/urlsift/extract/internal/decode/transfer"
	"github.com/urlsift/urlsift/extract/internal/ledger"
	"github.com/urlsift/urlsift/extract/internal/mail"
)

// A mailbox is the container for the messages of one stream, or of one part that was
// encoded as a whole. It has one decoder for each encoding, since mailboxes may be nested.
type mailbox struct {
	mail.Reader
	s          *stream
	linksBelow int // number of links of the chain below its reader
	outside    outside
	quoted     decode.Decoder
	base64     *transfer.Base64
	chunked    decode.Decoder
	signed     transfer.Signed
	peeker     decode.Peeker
}

// leave returns to the part in which the messages were encoded, if they were.
func (box *mailbox) leave(d *Reader) {
	box.countPart(d)
	s := box.s
	d.path.restore(&box.outside)
	if s.used--; s.used > 0 {
		d.pool.Depth.Shallower()
		s.warned(d)
		err := s.fault
		s.fault = nil
		s.failPart(d, err)
	}
}

// setPartClasses sets the classes in which the bytes of the current part of box are counted:
// read for the bytes that are read, and rest for the others. Only parts of the outermost mailbox
// of a stream are counted.
func (box *mailbox) setPartClasses(read, rest ledger.Count) {
	if box.linksBelow == 0 {
		a := &box.s.account
		a.read, a.rest, a.hasClasses = read, rest, true
	}
}

// countPart counts the bytes that box has finished since the last call: those of the previous part.
func (box *mailbox) countPart(d *Reader) {
	if box.linksBelow > 0 {
		return
	}
	s, t := box.s, box.Counts()
	if a := &s.account; a.hasClasses {
		s.countAs(d.ledger, a.read, t.Read-a.seenRead)
		s.countAs(d.ledger, a.rest, t.Passed-a.seenPassed)
	}
	s.countAs(d.ledger, ledger.RawData, t.Data-s.seenData)
	s.seenRead, s.seenPassed, s.seenData = t.Read, t.Passed, t.Data
	s.done = t.All
}

// failAtPart queues m, which concerns the part as a whole, at the position of its first
// byte. So the position does not depend on how far the source was read.
func (box *mailbox) failAtPart(d *Reader, m *damage.Damage) {
	m.Offset, m.Known = box.s.partAt, true
	box.s.fail(d, m)
}

// Some parts of messages are recognised by their first bytes. Their content is encoded
// messages, which belong to the raw stream, and files and archives, which are streams of
// their own.

// recogniseType decides by the first bytes of a part, and by its name, how it is read. The chain has the links up
// to its transfer encoding; recogniseType adds a link that returns the examined bytes again. The
// treatment is asRecognised if the part holds other files. For text, about one line is enough.
// The result does not depend on the size of reads. Each iteration asks for at least one more byte.
func (box *mailbox) recogniseType(of *mail.Part) (treatment, error) {
	p := &box.peeker
	box.s.chain.PushPeeker(p)
	for n := 1; ; {
		head, err := p.Peek(n)
		if len(head) == 0 {
			return unread, err
		}
		head, _ = p.Peek(p.Buffered())
		whole := err != nil || len(head) == compress.MaxHead
		is, wait := compress.Match(head, whole)
		if wait && !whole {
			n = len(head) + 1
			continue
		}
		if is != compress.None {
			return asRecognised, nil
		}
		break
	}
	switch c := recogniseStart(p, memberName(of), true); {
	case c.data != nil:
		return asRecognised, nil
	case c.mail == mail.Single && !c.cr:
		return asMessage, nil
	case c.mail != mail.None:
		return asRecognised, nil
	case c.treatment != asText:
		return c.treatment, nil
	}
	if head, _ := p.Peek(textHead); !isText(head) {
		if transfer.IsSigned(head) {
			return asSigned, nil
		}
		return unread, nil
	}
	return asText, nil
}

// textHead is how many bytes distinguish a text from data.
const textHead = 256

// inside pushes the container for the content of p: files, a mailbox, a coded body, or a message in a transfer
// encoding (which RFC 2046, section 5.2.1, forbids). It reports whether p contains one of these.
func (box *mailbox) inside(d *Reader, p *mail.Part, as treatment) bool {
	s, before := box.s, d.pool.State()
	if exceeded := d.pool.Depth.Deeper(damage.StageMIME); exceeded != nil {
		box.failAtPart(d, exceeded)
		box.setPartClasses(ledger.RawPacked, ledger.RawOverLimit)
		return false
	}
	for i := range d.path.entities {
		d.path.entities[i].Outer = true
	}
	if as == asMessage {
		s.messages(d, s.chain.Top(), 0, mail.Single, p.Section+".")
		return true
	}
	inner := box.attachment(d, p)
	if inner.opened = before; p.Coding != "" { // if it is not coded after all, as archives often have it, it is read as it is
		inner.declared, inner.charset = as, p.Charset
	}
	return true
}

// attachment enters p as a member, named after its file. Messages in it are counted
// separately, and the path to p becomes a step of Member.
func (box *mailbox) attachment(d *Reader, p *mail.Part) *stream {
	d.ledger.Add(ledger.Members, 1)
	outside := d.path.outside()
	outside.rest = func(left leftover) { box.setPartClasses(left.before(), left.class) }
	name := memberName(p)
	d.path.attach(name)
	s := d.enter(&box.s.chain, name)
	s.outside = outside
	return s
}

// aside are the types of records of web archives that say something about other records. They are
// read with the headers.
var aside = map[string]bool{"warcinfo": true, "request": true, "metadata": true}

// passOver reports that p, whose type is the format f, is skipped. The report names p as a
// member, as if the format had been recognised by the first bytes of p.
func (box *mailbox) passOver(d *Reader, p *mail.Part, f *dataFormat) {
	box.setPartClasses(ledger.RawData, ledger.RawData)
	if !d.opts.wants(asText) {
		return
	}
	w := d.path.where
	w.enter(memberName(p))
	d.reports = append(d.reports, &Damage{Where: w, Position: Position{Exact: true}, Cause: f.damage(box.s.level)})
}

// A [mail.Reader] returns the parts of one message after another from the raw stream. For each
// part a new chain is built:
//
//	Lines → Part.Body → transfer encoding → charset → HTML, header, flowed → text

// next yields the text of the next part that has one. It returns nil if something else
// comes first. Each iteration handles a part or damage.
func (box *mailbox) next(d *Reader) (*Text, error) {
	s := box.s
	s.warned(d)
	for len(d.reports) == 0 {
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
				d.path.enterMessage(p, d.ledger)
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
			w = Where{Member: w.Member, Part: w.Part, MessageInMember: w.MessageInMember}
		}
		w.Message = message
	}
	d.reports = append(d.reports, s.locate(w, m))
}

// part returns the text of p, or nil if it has none or is not read. entered reports that
// the content of p was pushed instead.
func (box *mailbox) part(d *Reader, p *mail.Part) (t *Text, entered bool) {
	s, as := box.s, treat(p)
	box.setPartClasses(ledger.RawData, ledger.RawData)
	if f := as.skipped(); f != nil {
		box.passOver(d, p, f)
		return nil, false
	}
	switch {
	case as == unread, !d.opts.wants(as), !d.opts.wants(asHeader) && aside[p.WARCType]:
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
	case "chunked":
		s.chain.PushDecoder(box.chunked)
	case "base64":
		box.base64.Text = as != asRecognised && as != asSigned
		s.chain.PushDecoder(box.base64)
	default:
		box.misnamed(d, "transfer encoding", p.Encoding, "read unchanged")
	}
	d.path.enterEntities(box.outside.entities, p.Bases)
	if p.Coding != "" && p.Coding != "identity" && !p.Header {
		return nil, box.inside(d, p, as)
	}
	if as == asRecognised {
		var err error
		if as, err = box.recogniseType(p); err != nil && err != io.EOF {
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
	if !p.Header {
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
