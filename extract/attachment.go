package extract

import (
	"io"
	"mime"
	"strings"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/mail"
)

// Parts of messages that are known by their look alone, and what lies in them:
// messages in an encoding, which stay in the raw stream, and files and archives,
// which are streams of their own.

// lookPart tells by the first bytes of a part, of which the chain up to its
// transfer encoding stands, what is to be done with it; asLooks for what holds
// other files. The chain gets a stage that has read them. Of a text it wants to
// see a line or so, which no more depends on how much was read at once than what
// else it sees.
func (w *worker) lookPart(box *mailbox) (treatment, error) {
	p := &box.peeker
	w.chain.PushPeeker(p)
	for n := 1; ; { // a byte more in each turn
		head, err := p.Peek(n)
		if len(head) == 0 {
			if err == io.EOF {
				err = nil
			}
			return unread, err
		}
		head, _ = p.Peek(p.Buffered())
		whole := err != nil || len(head) == maxLook
		is, wait := match(head, whole)
		if wait && !whole {
			n = len(head) + 1
			continue
		}
		if is != noCodec {
			return asLooks, nil
		}
		break
	}
	switch l := lookAt(p, true); {
	case l.archive != noArchive:
		return asLooks, nil
	case l.mail == mail.Single:
		return asMessage, nil
	case l.mail != mail.None:
		return asLooks, nil
	case l.xml:
		return asXML, nil
	case l.html:
		return asHTML, nil
	}
	if head, _ := p.Peek(textLook); !isText(head) {
		return unread, nil
	}
	return asText, nil
}

// textLook is how many bytes tell a text from data.
const textLook = 256

// inside reads p, that holds files, or a mailbox, or a message in a transfer
// encoding (which RFC 2046, section 5.2.1, forbids). The base of p is that of what
// is around them. Of what holds files, rest is what is to be counted of it that is
// left; else it is nil.
func (w *worker) inside(p *mail.Part, do treatment) (rest *int64, err error) {
	if e := w.layers.deeper("mime"); e != nil {
		w.failPart(e)
		return &w.n.RawBeyond, nil
	}
	outer := w.outer
	w.outer = w.base.outer()
	if do == asMessage {
		err = w.messages(w.chain.Top(), 0, mail.Single, p.Section+".")
	} else {
		rest = w.attachment(p)
	}
	w.outer = outer
	w.layers.depth--
	return rest, err
}

// attachment reads p as a member of its own, whose name is that of the file. Where
// messages are in it, they have numbers of their own, and the way to p becomes a
// step of Member. It returns what is to be counted of p that is left.
func (w *worker) attachment(p *mail.Part) *int64 {
	name := w.words(p.Name)
	if name == "" {
		name = p.Section
	}
	around := w.around
	if w.around = len(w.origin.Member); w.around > 0 {
		w.around++ // behind the '!'
	}
	w.stream.origin = w.origin
	rest := w.member(name, &w.stream.chain)
	w.around = around
	return rest.class
}

// words returns a file name in which encoded words are undone, as many programs
// write it (RFC 2047 has none there).
func (w *worker) words(name string) string {
	if !strings.Contains(name, "=?") {
		return name
	}
	dec := mime.WordDecoder{CharsetReader: func(label string, in io.Reader) (io.Reader, error) {
		d, _ := new(decode.Charsets).Decoder([]byte(label))
		return decode.NewStage(in, d), nil
	}}
	if plain, err := dec.DecodeHeader(name); err == nil {
		return plain
	}
	return name
}
