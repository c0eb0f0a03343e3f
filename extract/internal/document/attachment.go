package document

import (
	"io"
	"mime"
	"strconv"
	"strings"

	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/charset"
	"github.com/urlsift/urlsift/extract/internal/ledger"
	"github.com/urlsift/urlsift/extract/internal/mail"
)

// This file has the parts of messages that are recognised by their first bytes, and their
// content: encoded messages, which belong to the raw stream, and files and archives,
// which are streams of their own.

// look decides by the first bytes of a part how it is read. The chain has the stages up
// to its transfer encoding; look adds a stage that returns these bytes again. The
// treatment is asLooks if the part holds other files. For text it needs about a line,
// however much was read at once. Each iteration examines one more byte.
func (box *mailbox) look() (treatment, error) {
	p := &box.peeker
	box.s.chain.PushPeeker(p)
	for n := 1; ; {
		head, err := p.Peek(n)
		if len(head) == 0 {
			return unread, err
		}
		head, _ = p.Peek(p.Buffered())
		whole := err != nil || len(head) == compress.MaxLook
		is, wait := compress.Match(head, whole)
		if wait && !whole {
			n = len(head) + 1
			continue
		}
		if is != compress.None {
			return asLooks, nil
		}
		break
	}
	switch l := lookAt(p, true); {
	case l.archive != noArchive, l.closed != nil:
		return asLooks, nil
	case l.mail == mail.Single:
		return asMessage, nil
	case l.mail != mail.None:
		return asLooks, nil
	case l.do != asText:
		return l.do, nil
	}
	if head, _ := p.Peek(textLook); !isText(head) {
		return unread, nil
	}
	return asText, nil
}

// textLook is how many bytes distinguish a text from data.
const textLook = 256

// inside pushes what p contains: files, a mailbox, or a message in a transfer encoding
// (which RFC 2046, section 5.2.1, forbids). It reports whether there is any.
func (box *mailbox) inside(d *Reader, p *mail.Part, do treatment) bool {
	s, before := box.s, d.pool.Mark()
	if over := d.pool.Depth.Deeper(damage.StageMIME); over != nil {
		box.failAtPart(d, over)
		box.partIs(ledger.RawNested, ledger.RawOverLimit)
		return false
	}
	for i := range d.path.entities {
		d.path.entities[i].Outer = true
	}
	if do == asMessage {
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
	around := d.path.outside()
	around.rest = func(d *Reader, left leftover) { box.partIs(left.before(), left.class) }
	d.path.attach(memberName(p))
	s := d.enter(&box.s.chain)
	s.around = around
	return s
}

// memberName returns the name of p as a member: its file name, otherwise its number.
func memberName(p *mail.Part) string {
	if name := words(p.Name); name != "" {
		return name
	}
	return p.Section
}

// words returns a file name with its encoded words decoded. Many programs write them
// there, although RFC 2047 does not allow it.
func words(name string) string {
	if !strings.Contains(name, "=?") {
		return name
	}
	dec := mime.WordDecoder{CharsetReader: func(label string, in io.Reader) (io.Reader, error) {
		d, _ := new(charset.Decoders).Decoder([]byte(label))
		return decode.NewStage(in, d), nil
	}}
	if plain, err := dec.DecodeHeader(name); err == nil {
		return plain
	}
	return name
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
