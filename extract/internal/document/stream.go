package document

import (
	"io"
	"strings"

	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/decode/charset"
	"github.com/urlsift/urlsift/extract/internal/ledger"
	"github.com/urlsift/urlsift/extract/internal/mail"
)

// next decompresses s, and yields its text, or pushes the container of its messages or members. After
// that it returns the error that ended s.
func (s *stream) next(d *Reader) (*Text, error) {
	if s.begun {
		return nil, s.end(d)
	}
	s.begun = true
	in, exceeded := d.pool.Open(s.raw.from)
	if s.raw.in = in; exceeded != nil {
		s.fault = exceeded
		return nil, nil
	}
	content := d.opts.recognise(s.raw.in, d.path.inMail())
	if c := content.closed; c != nil && c.searched {
		s.fail(d, c.damage(s.level))
		s.named = true
	} else if c != nil {
		c.end(d, s)
		return nil, nil
	}
	if content.archive != noArchive {
		s.reportDivision(d, Whole)
		if exceeded := d.pool.Depth.Deeper(content.archive.stage()); exceeded != nil {
			s.fault = exceeded
		} else {
			s.members(d, content.archive)
		}
		return nil, nil
	}
	cs, err := s.begin()
	s.from = s.bom
	switch {
	case err != nil:
		s.done = s.raw.read
		s.fault = err
	case content.mail != mail.None && cs == charset.UTF8: // mail is never UTF-16
		s.raw.cr = content.cr
		s.mailbox(d, content.mail)
		return nil, nil
	case d.path.inMail() && !d.opts.wants(content.treatment):
	default:
		return s.text(d, cs, content), nil
	}
	s.reportDivision(d, Whole)
	return nil, nil
}

// reportDivision says how the source can be divided, once, for the outermost stream.
func (s *stream) reportDivision(d *Reader, l Division) (begins func(at int64, before int) bool) {
	if s.level > 0 {
		return nil
	}
	return d.hooks.OnDivision(l, s.bom)
}

// begin reads the byte order mark and returns the charset. It waits only for as many
// bytes as may be part of a mark: for one byte if that begins no mark.
func (s *decoding) begin() (charset.Unicode, error) {
	var head []byte
	for n := 1; ; n = len(head) + 1 { // at most 4 iterations
		var err error
		if head, err = s.raw.in.Peek(n); err != nil || !charset.MaybeBOM(head) {
			break
		}
	}
	cs, n := charset.SniffBOM(head)
	s.bom, s.first = int64(n), int64(n)
	s.lines.Reset(&s.raw, cs.Newline())
	if n > 0 {
		var bom [4]byte
		if _, err := io.ReadFull(&s.lines, bom[:n]); err != nil {
			return cs, err
		}
	}
	return cs, nil
}

// mailbox pushes the messages in s, which has begun.
func (s *stream) mailbox(d *Reader, f mail.Framing) {
	s.decideRatioCheck(d)
	var begins func(at int64, before int) bool
	if f == mail.Mbox && !s.raw.cr {
		begins = s.reportDivision(d, Messages)
	} else {
		s.reportDivision(d, Whole)
	}
	if d.path.inMail() {
		d.path.where.enclose(d.path.step)
	}
	s.decodes, s.mail = true, true
	s.chain.Reset(&s.lines, 0)
	s.messages(d, &s.lines, s.bom, f, "")
	if begins != nil {
		s.mailboxes[0].OnMessage(begins)
	}
}

// text returns the text of s, which has no messages. Running text in UTF-8 needs no
// decoding.
func (s *stream) text(d *Reader, cs charset.Unicode, content content) *Text {
	t := d.newText(s)
	t.Entities = declaring(d.path.entities)
	s.decideRatioCheck(d)
	u := charset.NewUnicode(cs)
	if label := d.opts.Charset; u == nil && s.bom == 0 && label != "" && !strings.EqualFold(label, "utf-8") {
		u, _ = d.decoders.charsets.Decoder([]byte(label))
	}
	s.decodes = u != nil || content.treatment != asText
	if !s.decodes {
		t.Direct, t.BOM = true, s.bom
		s.direct = true
		s.reportDivision(d, Lines)
		return t
	}
	s.chain.Reset(&s.lines, s.bom)
	if u != nil {
		s.chain.PushDecoder(u)
	}
	t.Kind, t.HasValues = d.decoders.push(&s.chain, content.treatment, content.cell)
	s.reportDivision(d, Whole)
	return t
}

// decideRatioCheck says to the pool whether all output of the source's outermost compression
// belongs to s. If so, Limits.Ratio is checked while that output is decompressed.
func (s *stream) decideRatioCheck(d *Reader) {
	if s.level == 0 {
		d.pool.Frames.CheckRatio(d.pool.Compressions() == 1)
	}
}

// end handles the damage that ended s, if any, and returns io.EOF.
func (s *stream) end(d *Reader) error {
	s.ended = true
	if s.level == 0 {
		d.pool.EndAhead()
	}
	if s.texts > 0 && !s.mail { // a single text
		s.done = s.raw.read
		s.countAs(d.ledger, ledger.RawText, s.raw.read-s.from)
	}
	s.warned(d)
	if s.level == 0 && !d.hooks.Stopped() {
		d.outermost.Lost.report(s.raw.read + 1)
	}
	fault := damageOf(s.fault, s.level)
	if fault != nil && fault.Level == s.level && !d.hooks.Stopped() {
		s.fail(d, fault)
	}
	if fault == nil && s.isEmptyData(d) && !d.hooks.Stopped() {
		s.fail(d, &damage.Damage{Class: damage.Text, Severity: damage.Warning, Stage: damage.StageBinary, Err: emptyData, Level: s.level, Known: true})
	}
	left := s.balance(d, fault)
	if s.outside.rest != nil {
		s.outside.rest(left)
	}
	return io.EOF
}

const emptyData damage.Fact = "this is not text, and nothing was found in it"

// isEmptyData reports whether s, which was read from its first byte as running text, is not text, and
// nothing was found in it. The caller has found what it can in the text. Parts of messages that are
// data are passed over by design, so attachments are not reported either; and who asks for plain
// text says that it is text.
func (s *stream) isEmptyData(d *Reader) bool {
	return s.direct && s.from == s.bom && !d.text.Found && !s.named && !d.path.inMail() && d.opts.Format != PlainText && isBinary(s.raw.head)
}

// leave makes the stream around s the current one again.
func (s *stream) leave(d *Reader) {
	if !s.ended { // the consumer has stopped
		_ = s.end(d)
	}
	d.path.restore(&s.outside)
	s.raw.in, s.raw.from = nil, nil
	s.lines.Reset(nil, charset.UTF8.Newline())
	s.chain.Reset(nil, 0)
	d.depth--
	d.pool.Close(s.opened)
}

var newline = []byte{'\n'}

// balance completes the count of s. fault is the damage that ended it, or nil.
func (s *stream) balance(d *Reader, fault *damage.Damage) leftover {
	buffered := int64(d.pool.Buffered(s.opened)) // read in advance
	// Archives skip bytes without raw, and raw may have read in advance.
	d.ledger.Add(ledger.RawBytes, s.done-s.raw.read)
	d.ledger.Add(ledger.RawFraming, s.done-s.classed)
	left := leftover{ledger.RawData, buffered, s.notRead}
	switch {
	case fault == nil:
		left.buffered = 0
		return left
	case fault.Severity == damage.Warning: // skipped
		return left
	case fault.Class == damage.Limit:
		left.class = ledger.RawOverLimit
	default:
		left.class = ledger.RawDamaged
	}
	d.ledger.Add(ledger.Cut, 1)
	return left
}

// end ends s, which is in the format c. Documents in messages are not reported if no
// text parts are read.
func (c *closed) end(d *Reader, s *stream) {
	s.reportDivision(d, Whole)
	s.notRead = true
	if c.severity == damage.Error || !d.path.inMail() || d.opts.wants(asText) {
		s.fault = c.damage(s.level)
	}
}
