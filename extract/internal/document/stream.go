package document

import (
	"io"
	"strings"

	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/charset"
	"github.com/urlsift/urlsift/extract/internal/decode/transfer"
	"github.com/urlsift/urlsift/extract/internal/ledger"
	"github.com/urlsift/urlsift/extract/internal/mail"
)

// A stream is one raw stream with the chain that decodes it. It is the container of one text, of
// messages, or of the members of an archive. There is one stream for the source, and one for each
// depth of members and attachments. A stream is made when its depth is first reached, and then
// reused.
type stream struct {
	decoding
	account

	level    int                // its depth: 0 for the source
	name     string             // of the source, member or attachment
	mail     bool               // the stream contains messages
	begun    bool               // its format is known
	ended    bool               // it was left, or is about to be
	notRead  bool               // it is in a format that is not read
	division Division           // how it can be divided, if it has messages
	named    bool               // its format was reported, and it is searched as text
	opened   compress.PoolState // of the pool, before the stream was opened
	outside  outside

	declared treatment // of its text; asRecognised if its first bytes decide
	charset  string    // of a declared text

	mailboxes []*mailbox // readers of its messages: one, and one for each nested encoding
	used      int        // number of mailboxes in use
	partAt    int64      // raw offset of the part, or of the part that encodes its message

	archive  container // of its members, an *archive; nil before the first
	warnings warnings  // about the current part
	fault    error     // the damage that ended it
}

// A decoding is a raw stream and the chain that decodes it.
type decoding struct {
	raw     raw
	lines   decode.Lines // if raw offsets differ from those of the text
	chain   decode.Chain // raw stream → text
	decodes bool         // the chain has links: the text is not the raw stream itself
	direct  bool         // its text was yielded unchanged

	isArchive bool  // it is an archive
	bom       int64 // length of the byte order mark
	first     int64 // raw offset of the first byte of a direct text
}

// next decompresses s, and yields its text, or pushes the container of its messages or members. After
// that it returns the error that ended s.
func (s *stream) next(d *Reader) (*Text, error) {
	if s.begun && s.level == 0 && d.outermost.paused {
		return s.goOn(d), nil
	}
	if s.begun {
		return nil, s.end(d)
	}
	s.begun = true
	in, exceeded := d.pool.Open(s.raw.from, s.name)
	if s.raw.in = in; exceeded != nil {
		s.fault = exceeded
		return nil, nil
	}
	content := recognise(d.format, s.raw.in, s.name, d.path.inMail())
	data, program := content.data, int64(0)
	if data == nil && s.level == 0 && d.file != nil && d.pool.Compressions() == 0 && d.format != PlainText {
		head, _ := s.raw.in.Peek(s.raw.in.Buffered()) // recognise has waited for what programs need
		if program = behindProgram(head, d.file); program > 0 {
			data = zipArchive
		}
	}
	if syntaxes[s.declared] != nil && data == nil {
		content.treatment, content.mail = s.declared, mail.None
	}
	switch {
	case data == nil:
	case data.searched:
		s.fail(d, data.damage(s.level))
		s.named = true
	case data.open == nil, data.needsFile && (s.level > 0 || d.file == nil || d.pool.Compressions() > 0):
		data.end(d, s)
		return nil, nil
	default:
		s.reportDivision(d, Whole)
		if exceeded := d.pool.Depth.Deeper(data.name); exceeded != nil {
			s.fault = exceeded
		} else {
			s.members(d, data, program)
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

// goOn continues s after a pause, in which the caller may have taken bytes: see [Outermost.Pause]. What
// follows is counted like a stream that begins there.
func (s *stream) goOn(d *Reader) *Text {
	if d.outermost.Lost.report(s.raw.read + 1); len(d.reports) > 0 {
		return nil
	}
	if s.done = s.raw.read; !s.mail {
		s.countAs(d.ledger, ledger.RawText, s.raw.read-s.from)
	}
	d.ledger.Add(ledger.RawFraming, s.done-s.classed)
	d.outermost.paused = false
	d.hooks.Paused()
	at := s.raw.read
	s.first, s.account = at, account{texts: s.texts, from: at, done: at, classed: at}
	if s.mail {
		s.messagesFrom(d, at, d.outermost.begins)
		return nil
	}
	t := d.newText(s)
	t.Direct, t.BOM, t.Start = true, s.bom, at-s.bom
	return t
}

// reportDivision says how the source can be divided, once, for the outermost stream.
func (s *stream) reportDivision(d *Reader, l Division) (begins func(at int64, before int) bool) {
	if s.level > 0 {
		return nil
	}
	return d.hooks.OnDivision(l, s.bom)
}

// begin reads the byte order mark and returns the charset. It waits only for as many bytes as may
// change it: for two if they are not those of UTF-16.
func (s *decoding) begin() (charset.Unicode, error) {
	cs, n := charset.UTF8, 0
	for want, wait := 1, true; wait; { // each iteration asks for at least one more byte
		_, err := s.raw.in.Peek(want)
		head, _ := s.raw.in.Peek(min(s.raw.in.Buffered(), compress.MaxHead))
		cs, n, wait = charset.Sniff(head, err != nil || len(head) == compress.MaxHead)
		want = len(head) + 1
	}
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
	s.division = Whole
	switch {
	case f == mail.Mbox && !s.raw.cr:
		s.division = Messages
	case f == mail.WARC:
		s.division = Records
	}
	begins = s.reportDivision(d, s.division)
	if d.path.inMail() {
		d.path.where.enclose(d.path.step)
	}
	s.decodes, s.mail = true, true
	s.chain.Reset(&s.lines, 0)
	s.messages(d, &s.lines, s.bom, f, "")
	if begins != nil {
		s.mailboxes[0].OnMessage(begins)
		d.outermost.begins = begins
	}
}

// messagesFrom pushes the messages of the mailbox s from the offset at on, where a message begins and raw is.
func (s *stream) messagesFrom(d *Reader, at int64, begins func(at int64, before int) bool) {
	s.decodes, s.mail = true, true // raw is at the offset at
	s.lines.ResetAt(&s.raw, at)
	s.chain.Reset(&s.lines, 0)
	s.classed, s.done = at, at
	s.messages(d, &s.lines, at, s.division.Framing(), "")
	s.mailboxes[0].OnMessage(begins)
}

// text returns the text of s, which has no messages. Running text in UTF-8 needs no
// decoding.
func (s *stream) text(d *Reader, cs charset.Unicode, content content) *Text {
	t := d.newText(s)
	t.Entities = declaring(d.path.entities)
	s.decideRatioCheck(d)
	u := charset.NewUnicode(cs)
	label := d.opts.Charset
	if s.declared != asRecognised {
		label = s.charset
	}
	if u == nil && s.bom == 0 && label != "" && !strings.EqualFold(label, "utf-8") {
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
		d.pool.CheckRatio(d.pool.Compressions() == 1)
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
	return s.direct && s.from == s.bom && !d.text.Found && !s.named && !d.path.inMail() && d.format != PlainText && isBinary(s.raw.head)
}

// leave makes the stream around s the current one again.
func (s *stream) leave(d *Reader) {
	if !s.ended { // the consumer has stopped
		_ = s.end(d)
	}
	d.path.restore(&s.outside)
	s.raw.in, s.raw.from = nil, nil
	if s.level == 0 {
		d.outermost.lineEnds = s.lines.Ends()
	}
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
	d.ledger.Add(ledger.RawAll, s.done-s.raw.read)
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
	d.ledger.Add(ledger.CutStreams, 1)
	return left
}

// messages pushes the container for the messages in src. src is the current output of the chain of
// s; at is the raw offset of its first byte. prefix is put in front of the numbers of the parts of
// the messages.
func (s *stream) messages(d *Reader, src io.Reader, at int64, f mail.Framing, prefix string) {
	if s.used == len(s.mailboxes) {
		s.mailboxes = append(s.mailboxes, &mailbox{s: s, quoted: transfer.NewQuotedPrintable(), base64: transfer.NewBase64(), chunked: transfer.NewChunked()})
	}
	box := s.mailboxes[s.used]
	s.used++
	box.linksBelow = s.chain.Len()
	box.outside = d.path.outside()
	box.KeepSubjects(d.opts.Subjects)
	box.Reset(src, at, f, d.opts.Nesting, prefix)
	box.SkipEmpty()
	if s.level == 0 && s.used == 1 && d.outermost.onRead != nil && f == mail.Mbox {
		box.Identify()
	}
	d.push(box)
}

// members pushes the container for the members of s, which is an archive in the format f.
func (s *stream) members(d *Reader, f *dataFormat, program int64) {
	a, made := s.archive.(*archive)
	if !made {
		a = &archive{readers: make(map[*dataFormat]unarchiver)}
		s.archive = a
	}
	a.s, a.format, a.entry, a.left = s, f, false, leftover{class: ledger.RawData}
	a.file, s.isArchive = memberReader{}, true
	if s.level == 0 {
		d.outermost.onRead = nil
	}
	if a.readers[f] == nil {
		a.readers[f] = f.open()
	}
	a.in = a.readers[f]
	a.in.Reset(s.raw.in, s.level)
	if program > 0 {
		a.in.(*unzip).SkipProgram(program)
	}
	if f.needsFile {
		a.in.(directoryReader).SetFile(d.file, d.pool.Window())
	}
	if s.level == 0 {
		d.outermost.tar, _ = a.in.(*untar)
	}
	d.push(a)
}

// locate returns cause, which was found in s at w, with its position.
func (s *stream) locate(w Where, cause *damage.Damage) *Damage {
	p := &Damage{Where: w, Position: Position{Offset: cause.Offset, Exact: true}, Cause: cause}
	switch {
	case cause.Known:
	case s.isArchive: // archives read without raw
		p.Offset = s.done
	default:
		p.Offset = s.raw.read
	}
	switch {
	case s.decodes:
		p.Line, p.Column, _ = s.lines.Position(p.Offset)
	case cause.Known, s.isArchive: // in an archive, which has no lines
	case s.direct && s.raw.read > s.first:
		p.Line, p.Column = s.raw.d.hooks.LineColumn()
	default: // at the first byte of the text, or at the next byte to read
		p.Line, p.Column = 1, 1
		if s.first == s.bom {
			p.Column += s.bom
		}
	}
	return p
}

// fail reports m, with its position.
func (s *stream) fail(d *Reader, m *damage.Damage) {
	d.reports = append(d.reports, s.locate(d.path.where, m))
}

// failPart handles err, which ended a text or a nested message of s. Damage of a part
// costs only that part; any other error ends s.
func (s *stream) failPart(d *Reader, err error) {
	if m, ok := err.(*damage.Damage); ok && s.mail && m.Class == damage.Text && m.Level == s.level {
		s.fail(d, m)
		return
	}
	s.fault = err
}

// steppedOver keeps a warning, with its position, until the part has been read. A link of the chain
// of s has skipped the damage, and n links are below it (decode.Chain.Mild).
// The warning is not reported at once, because its place among the results would depend on the
// size of reads.
func (s *stream) steppedOver(d *Reader, m *damage.Damage, n int) {
	if len(s.warnings) == maxWarnings {
		return
	}
	w := d.path.where
	if inner := d.depth - 1; s.level < inner {
		w = d.streams[s.level+1].outside.where
	}
	for i := s.used - 1; i > 0 && n < s.mailboxes[i].linksBelow; i-- {
		w = s.mailboxes[i].outside.where // links below its reader decode the whole message
	}
	s.warnings = append(s.warnings, s.locate(w, m))
}

// warned reports the warnings about the current part of s. It is called at the end of each part,
// before anything that follows the part is returned.
func (s *stream) warned(d *Reader) {
	if len(s.warnings) > 0 {
		d.reports = append(d.reports, s.warnings...)
		clear(s.warnings)
		s.warnings = s.warnings[:0]
	}
}
