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
	bottom int // stages of the chain that it reads from
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

// mailbox reads the current stream as messages, and returns what ended it.
func (w *worker) mailbox(f mail.Framing) error {
	if w.origin.Message != 0 {
		w.origin.enclose(w.around)
	}
	cs, err := w.begin()
	if err != nil || cs != decode.UTF8 {
		return err
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
	box.bottom = w.chain.Len()
	box.Reset(src, at, f, w.x.opts.Limits.Nesting, prefix)
	for { // each turn takes a part, or tells damage
		p, err := box.Next()
		var damage *decode.Error
		switch {
		case err == nil:
			if box.bottom == 0 {
				w.enterMessage(p)
			}
			w.origin.Part = p.Section
			err = w.part(box, p)
		case errors.As(err, &damage) && damage.Mild:
			e := damaged(damage)
			if inner, ok := src.(decode.Stage); ok {
				e.Origin.Offset, _ = inner.Origin(damage.Offset)
			}
			w.fail(w.place(e))
			err = nil
		}
		if err == nil && w.stopped() {
			err = errStopped
		}
		if err != nil {
			return err
		}
	}
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
	if want := w.x.opts.Parts; do == unread || want != 0 && want&do.class() == 0 {
		return nil
	}
	w.n.Parts++
	w.chain.Cut(box.bottom)
	w.chain.Push(p.Body)
	switch p.Encoding {
	case "":
	case "quoted-printable":
		w.chain.PushDecoder(box.quoted)
	case "base64":
		box.base64.Text = do != asLooks
		w.chain.PushDecoder(box.base64)
	default:
		w.fail(w.place(&Error{Stage: "mime", Err: plainError("no transfer encoding is called " + quote([]byte(p.Encoding)) + ", read as it stands")}))
	}
	if p.Header {
		w.base = w.headerBase(p.Levels)
	} else {
		w.base = w.baseOf(p.Levels)
	}
	w.leaf = leaf{news: p.Newsgroups != ""}
	if do == asLooks {
		var err error
		if do, err = w.lookPart(box); err != nil {
			return w.ended(err)
		}
	}
	switch do {
	case unread:
		return nil
	case asLooks:
		w.attachment(p)
		return nil
	case asMessage:
		return w.encoded(p)
	}
	w.pushCharset(p, do)
	return w.ended(w.text())
}

// ended returns err, if that is more than the end of a part.
func (w *worker) ended(err error) error {
	var damage *decode.Error
	switch {
	case err == io.EOF:
		return nil
	case errors.As(err, &damage):
		w.fail(w.place(damaged(damage)))
		return nil
	}
	return err
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
		w.fail(w.place(&Error{Stage: "mime", Err: plainError("no charset is called " + quote([]byte(p.Charset)) + ", read as utf-8 or windows-1252")}))
	}
	w.chain.PushDecoder(d)
	switch {
	case do == asHTML:
		w.leaf.html, w.leaf.form = true, delimit.Attribute
		w.pushHTML()
	case do == asFolded:
		w.chain.PushDecoder(w.unfold)
	case p.Flowed && p.DelSp:
		w.chain.PushDecoder(w.flowed)
	}
}

// pushHeader puts the stage on the chain that makes text of a header block.
func (w *worker) pushHeader() {
	if w.header == nil {
		w.header = &decode.Header{Sink: w.attribute, MaxValue: w.x.opts.Delimit.MaxLen, IDs: w.x.opts.MessageIDs}
	}
	w.leaf.header, w.leaf.form = true, delimit.Header
	w.chain.PushDecoder(w.header)
}

// lookPart tells by the first bytes of a part, of which the chain up to its
// transfer encoding stands, what is to be done with it; asLooks for what holds
// other files. The chain gets a stage that has read them.
func (w *worker) lookPart(box *mailbox) (treatment, error) {
	w.chain.PushPeeker(&box.peeker)
	head, err := box.peeker.Peek(maxLook)
	if len(head) == 0 {
		if err == nil || err == io.EOF {
			return unread, nil
		}
		return unread, err
	}
	if is, _ := match(head, true); is != noCodec {
		return asLooks, nil
	}
	l, _ := lookHead(head, true, true)
	switch {
	case l.archive != noArchive:
		return asLooks, nil
	case l.mail == mail.Single:
		return asMessage, nil
	case l.mail != mail.None:
		return asLooks, nil
	case !isText(head):
		return unread, nil
	case l.html:
		return asHTML, nil
	}
	return asText, nil
}

// attachment reads p, which holds files or a mailbox, as a member of its own.
func (w *worker) attachment(p *mail.Part) {
	if err := w.layers.deeper("mime"); err != nil {
		w.fail(w.place(err))
		return
	}
	name := p.Name
	if name == "" {
		name = p.Section
	}
	around := w.around
	if w.around = len(w.origin.Member); w.around > 0 {
		w.around++ // behind the '!'
	}
	w.stream.origin = w.origin
	w.member(name, &w.stream.chain)
	w.around = around
	w.layers.depth--
}

// encoded reads p, a message in a transfer encoding (which RFC 2046, section 5.2.1,
// forbids), as the reader of messages reads others.
func (w *worker) encoded(p *mail.Part) error {
	if err := w.layers.deeper("mime"); err != nil {
		w.fail(w.place(err))
		return nil
	}
	err := w.messages(w.chain.Top(), 0, mail.Single, p.Section+".")
	w.layers.depth--
	return w.ended(err)
}
