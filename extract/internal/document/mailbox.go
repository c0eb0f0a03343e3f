package document

import (
	"io"

	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/decode/transfer"
	"github.com/urlsift/urlsift/extract/internal/ledger"
	"github.com/urlsift/urlsift/extract/internal/mail"
)

// messages pushes the container for the messages in src. src is the current output of the chain of
// s; at is the raw offset of its first byte. prefix is put in front of the numbers of the parts of
// the messages.
func (s *stream) messages(d *Reader, src io.Reader, at int64, f mail.Framing, prefix string) {
	if s.used == len(s.mailboxes) {
		s.mailboxes = append(s.mailboxes, &mailbox{s: s, quoted: transfer.NewQuotedPrintable(), base64: transfer.NewBase64()})
	}
	box := s.mailboxes[s.used]
	s.used++
	box.linksBelow = s.chain.Len()
	box.outside = d.path.outside()
	box.KeepSubjects(d.opts.Subjects)
	box.Reset(src, at, f, d.opts.Nesting, prefix)
	box.SkipEmpty()
	d.push(box)
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

// This file has the parts of messages that are recognised by their first bytes, and their
// content: encoded messages, which belong to the raw stream, and files and archives,
// which are streams of their own.

// recogniseType decides by the first bytes of a part how it is read. The chain has the links up
// to its transfer encoding; recogniseType adds a link that returns the examined bytes again. The
// treatment is asRecognised if the part holds other files. For text, about one line is enough.
// The result does not depend on the size of reads. Each iteration asks for at least one more byte.
func (box *mailbox) recogniseType() (treatment, error) {
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
	switch c := recogniseStart(p, true); {
	case c.archive != noArchive, c.closed != nil:
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

// inside pushes the container for the content of p: files, a mailbox, or a message in a transfer
// encoding (which RFC 2046, section 5.2.1, forbids). It reports whether p contains one of these.
func (box *mailbox) inside(d *Reader, p *mail.Part, as treatment) bool {
	s, before := box.s, d.pool.State()
	if exceeded := d.pool.Depth.Deeper(damage.StageMIME); exceeded != nil {
		box.failAtPart(d, exceeded)
		box.setPartClasses(ledger.RawNested, ledger.RawOverLimit)
		return false
	}
	for i := range d.path.entities {
		d.path.entities[i].Outer = true
	}
	if as == asMessage {
		s.messages(d, s.chain.Top(), 0, mail.Single, p.Section+".")
		return true
	}
	box.attachment(d, p).opened = before
	return true
}

// attachment enters p as a member, named after its file. Messages in it are counted
// separately, and the path to p becomes a step of Member.
func (box *mailbox) attachment(d *Reader, p *mail.Part) *stream {
	d.ledger.Add(ledger.Members, 1)
	outside := d.path.outside()
	outside.rest = func(left leftover) { box.setPartClasses(left.before(), left.class) }
	d.path.attach(memberName(p))
	s := d.enter(&box.s.chain)
	s.outside = outside
	return s
}

// passOver reports that p, whose type is the format c, is skipped. The report names p as a
// member, as if the format had been recognised by the first bytes of p.
func (box *mailbox) passOver(d *Reader, p *mail.Part, c *closed) {
	box.setPartClasses(ledger.RawData, ledger.RawData)
	if !d.opts.wants(asText) {
		return
	}
	w := d.path.where
	w.enter(memberName(p))
	d.reports.add(c.damage(box.s.level), DamagePosition{Where: w, Position: Position{Exact: true}})
}
