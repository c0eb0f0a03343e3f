package document

import (
	"cmp"
	"strconv"
	"unicode/utf8"

	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/ledger"
	"github.com/urlsift/urlsift/extract/internal/mail"
)

// A Kind is the kind of source from which a text was decoded. Kinds is a set of them: 1<<Plain, ...
type (
	Kind  uint8
	Kinds uint8
)

// A Where is the path to a text or to damage, from the outermost part inwards. Its fields
// are those of extract.Origin with the same names.
type Where struct {
	Member  string
	Message int
	Part    string
	mail.Fields

	// MessageInMember means that Member begins with a message of the source, and that Message
	// counts messages inside Member.
	MessageInMember bool
}

// A Position is the position of a stretch of a raw stream. Exact means that the stretch begins with
// the first byte of the text, and not with an encoded unit around that byte.
type Position struct {
	Offset, Length int64 // in bytes, from 0
	Line, Column   int64 // of the first byte, from 1; 0 if they are not known here
	Exact          bool
}

const (
	Plain  Kind = iota // running text
	HTML               // a page, or other markup
	Header             // header fields
)

// An Entity has the base that a message or part around a text declares, as written, without white
// space and without delimiters of the URL.
type Entity struct {
	ContentBase, ContentLocation string

	Target string // the URL of the record of a web archive

	Outer bool // set if the text is in an attachment of this entity
}

// An element of Member has at most maxElement bytes, the longest path on Linux. All elements
// together have at most maxMember bytes. What is cut off becomes "…". So an archive of many long
// names takes no more time inside other archives.
const (
	maxElement = 4 << 10
	maxMember  = 16 << 10
)

// enter appends a step to Member.
func (w *Where) enter(name string) {
	if room := max(0, min(maxElement, maxMember-len(w.Member))); len(name) > room {
		for room > 0 && !utf8.RuneStart(name[room]) {
			room--
		}
		name = name[:room] + "…"
	}
	if w.Member != "" {
		name = w.Member + "!" + name
	}
	w.Member = name
}

// enclose inserts the current part of a message into Member as a step, in front of the last
// step, which begins at Member[step]. Messages within Member are then counted separately.
func (w *Where) enclose(step int) {
	part := "#" + strconv.Itoa(w.Message)
	if w.Part != "" {
		part += "[" + w.Part + "]"
	}
	w.Member = w.Member[:step] + part + w.Member[step:]
	w.Message, w.Part, w.MessageInMember = 0, "", true
}

// A path is where a Reader is: the member, the message and the part, and the entities around
// it.
type path struct {
	where    Where
	step     int      // where the step of the innermost attachment begins in where.Member
	entities []Entity // around the current part, from the outermost inwards
}

// An outside is a path as it was when a container was entered. It is restored when the
// container is left.
type outside struct {
	where    Where
	step     int
	entities int
	rest     func(left leftover) // receives the rest of the stream; may be nil
}

func (p *path) reset() { p.where, p.step, p.entities = Where{}, 0, p.entities[:0] }

// outside returns the state for a later restore.
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
func (p *path) enterMessage(part *mail.Part, l *ledger.Ledger) {
	if part.Message != p.where.Message {
		l.Add(ledger.Messages, 1)
	}
	p.where.Message, p.where.Fields = part.Message, part.Fields
}

// enterEntities keeps the first n entities and drops the others. It adds the entities around a
// part, whose base fields are levels.
func (p *path) enterEntities(n int, levels []mail.BaseFields) {
	p.entities = p.entities[:n]
	for i := range levels {
		l := &levels[i]
		p.entities = append(p.entities, Entity{ContentBase: l.ContentBase, ContentLocation: l.ContentLocation, Target: l.Target})
	}
}

// declaring returns e if one of its entities declares a base, otherwise nil.
func declaring(e []Entity) []Entity {
	for i := range e {
		if e[i].ContentBase != "" || e[i].ContentLocation != "" || e[i].Target != "" {
			return e
		}
	}
	return nil
}

// memberName returns the name of p as a member: its file name, otherwise its number. A body with a content
// coding has the suffix of that, too.
func memberName(p *mail.Part) string {
	if p.Coding != "" {
		return cmp.Or(p.Name, "body") + compress.Suffix(p.Coding)
	}
	return cmp.Or(p.Name, p.Section)
}
