package document

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/charset"
	"github.com/urlsift/urlsift/extract/internal/ledger"
	"github.com/urlsift/urlsift/extract/internal/mail"
)

// A path is where a Reader is: the member, the message and the part, and the entities around
// it.
type path struct {
	where    Where
	step     int      // where the step of the innermost attachment begins in where.Member
	entities []Entity // around the current part, from the outermost inwards

	subject, from decodedField // of the message
}

// An outside is a path as it was when a container was entered. It is restored when the
// container is left.
type outside struct {
	where    Where
	step     int
	entities int
	rest     func(d *Reader, left leftover) // receives the rest of the stream; may be nil
}

func (p *path) reset() { p.where, p.step, p.entities = Where{}, 0, p.entities[:0] }

// outside returns what restore needs to return here.
func (p *path) outside() outside {
	return outside{where: p.where, step: p.step, entities: len(p.entities)}
}

func (p *path) restore(o *outside) {
	p.where, p.step, p.entities = o.where, o.step, p.entities[:o.entities]
	*o = outside{}
}

// inMail reports whether an attachment, or something in one, is being read.
func (p *path) inMail() bool { return p.where.Message != 0 }

// attach makes an attachment with that name a step of Member. Messages in it are counted
// separately.
func (p *path) attach(name string) {
	if p.step = len(p.where.Member); p.step > 0 {
		p.step++ // after the '!'
	}
	p.where.enter(name)
}

// enterMessage enters the message of part.
func (p *path) enterMessage(part *mail.Part, o *Options, l *ledger.Ledger) {
	w := &p.where
	if part.Message != w.Message {
		l.Add(ledger.Messages, 1)
	}
	w.Message = part.Message
	w.MessageID, w.Date, w.Newsgroups = part.MessageID, part.Date, part.Newsgroups
	if o.Subjects {
		w.Subject, w.From = p.subject.of(part.Subject), p.from.of(part.From)
	}
}

// enterEntities stores the bases of the entities around a part, after the
// first n. Most mail has none, and they are not listed.
func (p *path) enterEntities(n int, levels []mail.Level) {
	p.entities = p.entities[:n]
	for i := range levels {
		l := &levels[i]
		p.entities = append(p.entities, Entity{ContentBase: l.ContentBase, ContentLocation: l.ContentLocation})
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
