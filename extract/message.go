package extract

import (
	"errors"
	"io"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/mail"
)

// Messages: a [mail.Reader] hands out the leaf parts of one message after another
// from the lines of the raw stream. Over each the chain is put up anew:
//
//	Lines → Part.Body → transfer encoding → charset → HTML, header, flowed → text
//
// All parts share one Origin, in which the reader's numbers and names are set.

// A leaf says how the text that is scanned came about.
type leaf struct {
	html   bool         // attributes are handed over by the HTML stage
	header bool         // and whole values by the header stage
	form   delimit.Form // of those
	news   bool         // the message is an article
}

// formOf returns the form of what is handed over beside a text.
func formOf(html bool) delimit.Form {
	if html {
		return delimit.Attribute
	}
	return delimit.Header
}

// A mailbox reads the messages of one stream, or of one part that was encoded.
// Of what undoes that, there is one for each, as one may lie in another.
type mailbox struct {
	mail.Reader
	bottom int  // stages of the chain that it reads from
	outer  base // of what lies around its messages
	around Origin
	bases  []levelBase
	quoted decode.Decoder
	base64 *decode.Base64
	peeker decode.Peeker
}

// codecs are what makes text of parts. They are at the top of a chain, and so
// no two are in use at once.
type codecs struct {
	charsets decode.Charsets
	html     *decode.HTML
	header   *decode.Header
	flowed   decode.Decoder
	unfold   decode.Decoder
}

// mailbox reads the current stream, which has begun, as messages, and returns
// what ended it.
func (w *worker) mailbox(f mail.Framing) error {
	if w.inMail() {
		w.origin.enclose(w.around)
	}
	w.staged = true
	w.chain.Reset(&w.lines, 0)
	return w.messages(&w.lines, w.mark, f, "")
}

// box returns a mailbox that is not in use.
func (w *worker) box() *mailbox {
	if w.boxes == len(w.mail) {
		w.mail = append(w.mail, &mailbox{quoted: decode.NewQuotedPrintable(), base64: decode.NewBase64()})
	}
	w.boxes++
	return w.mail[w.boxes-1]
}

// messages reads messages from src, which is what the chain returns as it stands.
// prefix is put before the numbers of their parts.
func (w *worker) messages(src io.Reader, at int64, f mail.Framing, prefix string) error {
	box, outer := w.box(), w.origin
	defer func() { w.boxes--; w.origin = outer }()
	box.bottom, box.outer, box.around, box.bases = w.chain.Len(), w.outer, outer, box.bases[:0]
	box.Reset(src, at, f, w.x.opts.Limits.Nesting, prefix)
	box.SkipEmpty()
	if w.piece.file != nil && w.depth == 1 && box.bottom == 0 {
		box.OnMessage(w.between)
	}
	if box.bottom == 0 {
		defer w.bookPart(box)
	}
	for { // each turn takes a part, or tells damage
		p, err := box.Next()
		if box.bottom == 0 {
			w.bookPart(box)
		}
		if n := box.Skipped(); w.wants(PlainParts) {
			w.n.Parts += int64(n)
		}
		switch {
		case err == nil:
			if box.bottom == 0 {
				w.enterMessage(p)
			}
			w.origin.Part = p.Section
			err = w.part(box, p)
		case err != io.EOF:
			if damage := damageOf(err); damage != nil && damage.Mild {
				w.damagedMessage(box, damage)
				err = nil
			}
		}
		if err == nil && w.stopped() {
			err = errStopped
		}
		if err != nil {
			return err
		}
	}
}

// damagedMessage tells of damage that box met.
func (w *worker) damagedMessage(box *mailbox, damage *decode.Error) {
	e, part := damaged(damage), w.origin
	if box.bottom > 0 { // where that was in the encoded part is forgotten
		e.Origin.Offset = w.partAt
	}
	message, section := box.Where()
	if w.origin.Part = section; box.bottom == 0 {
		if message != w.origin.Message { // of which no part was read yet
			w.origin.MessageID, w.origin.Date, w.origin.Newsgroups = "", "", ""
		}
		w.origin.Message = message
	}
	w.fail(w.place(e))
	w.origin = part
}

// enterMessage sets the Origin to the message that p is of.
func (w *worker) enterMessage(p *mail.Part) {
	if p.Message != w.origin.Message {
		w.n.Messages++
	}
	w.origin.Message = p.Message
	w.origin.MessageID, w.origin.Date, w.origin.Newsgroups = p.MessageID, p.Date, p.Newsgroups
}

// part reads p, which comes from box, and returns an error if nothing can be read
// behind it.
func (w *worker) part(box *mailbox, p *mail.Part) error {
	do := treat(p)
	outer := box.bottom == 0 // else what holds the message is counted
	w.partIs(outer, &w.n.RawData, &w.n.RawData)
	if do == unread || !w.wants(do.class()) {
		return nil
	}
	w.n.Parts++
	w.partIs(outer, &w.n.RawText, &w.n.RawLost)
	if do == asHeader && w.dull(box) {
		return nil
	}
	w.chain.Cut(box.bottom)
	w.chain.Push(p.Body)
	if outer {
		w.partAt, _ = p.Body.Origin(0)
	}
	if do == asText && p.Encoding == "" && p.Charset == "" && box.Empty() {
		return nil // a boundary right behind another: no stage or scanner is needed
	}
	switch p.Encoding {
	case "":
	case "quoted-printable":
		w.chain.PushDecoder(box.quoted)
	case "base64":
		box.base64.Text = do != asLooks
		w.chain.PushDecoder(box.base64)
	default:
		w.misnamed("transfer encoding", p.Encoding, "read as it stands")
	}
	if p.Header {
		w.base = w.headerBase(box, p.Levels)
	} else {
		w.base = w.baseOf(box, p.Levels)
	}
	w.leaf = leaf{news: p.Article}
	if do == asLooks {
		var err error
		if do, err = w.lookPart(box); err != nil {
			return w.ended(err)
		}
	}
	switch {
	case do == unread || !w.wants(do.class()):
		w.stream.forgetMild(p.Section)
		w.partIs(outer, &w.n.RawData, &w.n.RawData)
		return nil
	case do == asLooks, do == asMessage:
		rest, err := w.inside(p, do)
		if rest != nil {
			w.partIs(outer, &w.n.RawPacked, rest)
		}
		return w.ended(err)
	}
	w.pushCharset(p, do)
	return w.ended(w.text())
}

// misnamed tells that a part names what there is not.
func (w *worker) misnamed(what, name, instead string) {
	w.failPart(&Error{Stage: "mime", Err: plainError("no " + what + " is called " + quote([]byte(name)) + ", " + instead)})
}

// failPart tells of e, which is wrong with the part, at its first byte: how far was
// read ahead has no say.
func (w *worker) failPart(e *Error) {
	e.Origin.Offset, e.Origin.Exact = w.partAt, true
	w.fail(w.place(e))
}

// ended tells of the damage that was met in a part, and returns err, if that is
// more than the end of it.
func (w *worker) ended(err error) error {
	w.stream.tellMild()
	if err == io.EOF {
		return nil
	}
	if damage := damageOf(err); damage != nil {
		w.fail(w.place(damaged(damage)))
		return nil
	}
	return err
}

// damageOf returns the damage that err is, or nil. It stands apart because it
// allocates, and most parts have none.
func damageOf(err error) *decode.Error {
	var damage *decode.Error
	errors.As(err, &damage)
	return damage
}

// pushCharset puts the stages on the chain that make text of a part that is read
// as do says.
func (w *worker) pushCharset(p *mail.Part, do treatment) {
	if do == asHeader {
		w.pushHeader()
		return
	}
	d, known := w.charsets.Decoder([]byte(p.Charset))
	if !known {
		w.misnamed("charset", p.Charset, "read as utf-8 or windows-1252")
	}
	w.chain.PushDecoder(d)
	switch {
	case do == asHTML, do == asXML:
		w.leaf.html, w.leaf.form = true, delimit.Attribute
		w.pushHTML(do == asXML)
	case do == asFolded:
		w.chain.PushDecoder(w.unfold)
	case p.Flowed && p.DelSp:
		w.chain.PushDecoder(w.flowed)
	}
}

// pushHeader puts the stage on the chain that makes text of a header block.
func (w *worker) pushHeader() {
	w.leaf.header, w.leaf.form = true, delimit.Header
	w.chain.PushDecoder(w.headerStage())
}

// headerStage returns the stage for headers, which is made when the first comes.
func (w *worker) headerStage() *decode.Header {
	if w.header == nil {
		w.header = &decode.Header{Sink: w.attribute, MaxValue: w.x.opts.Delimit.MaxLen, IDs: w.x.opts.MessageIDs}
	}
	return w.header
}
