package document

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/ledger"
)

// A Where says in what a text or damage is, from the outermost inwards. Its fields are
// those of extract.Origin with the same names.
type Where struct {
	Member                      string
	Message                     int
	Part                        string
	MessageID, Date, Newsgroups string
	Subject, From               string // decoded; empty unless Options.Subjects is set

	// Enclosed means that Member begins with a message of the source, and that Message
	// counts the messages in Member.
	Enclosed bool
}

// A Span is a stretch of a raw stream. Exact means that it begins with the first byte of
// the text, and not with an encoded unit around it.
type Span struct {
	Offset, Length int64 // in bytes, from 0
	Line, Column   int64 // of the first byte, from 1; 0 if they are not known here
	Exact          bool
}

// A Place is where damage is. Reached means that Line and Column are the present position
// of the reader of the text, which counts them.
type Place struct {
	Where
	Span
	Reached bool
}

// A Kind says what a text was made of. Kinds is a set of them: 1<<Plain, ...
type (
	Kind  uint8
	Kinds uint8
)

const (
	Plain  Kind = iota // running text
	HTML               // a page, or other markup
	Header             // header fields
)

// An Entity is what a message or a part around a text says about its base, as written,
// without white space and without what wraps a URL.
type Entity struct {
	ContentBase, ContentLocation string

	Outer bool // the text is in an attachment that is in this entity
}

// A Value is a reference by itself, from the value of an attribute or of a header field.
type Value struct {
	Bytes []byte // good until the next Read of the Text
	At    int64  // offset in the text: it stands in front of the byte there
	Span         // in the raw stream
	Field string // name of the header field, in lower case; "" for an attribute
	Base  bool   // it is the href of a base element
}

// A Text is decoded text, in UTF-8, that is read once. It is valid until the next call of
// [Reader.Next].
type Text struct {
	Where
	Kind     Kind
	Beside   bool     // there may be Values
	Article  bool     // the message is an article of news
	Entities []Entity // around it, from the outermost; nil if none says anything of a base

	// Direct means that the text is the raw stream itself from the offset Mark on,
	// unchanged. Mark is the length of the byte order mark. Then the reader of the text
	// counts lines, and does not call Locate. Start is the offset of the first byte in the
	// text of the whole stream; it is not 0 if reading began in the middle.
	Direct      bool
	Mark, Start int64

	// Values are the values that the last Read met, in order. They come before the text
	// that it returned.
	Values []Value

	d     *Reader
	s     *stream
	given int64 // bytes returned by Read
	arena []byte
}

// Bounds of the Values of one Read: after that many, or that many bytes, it returns.
const (
	maxValues     = 64
	maxValueBytes = 16 << 10
)

// piece is how much decoded text is read at once, in bytes; of a header no more than
// holds the fields whose names its decoder remembers, each of two bytes at least.
const (
	piece       = 8 << 10
	headerPiece = 2 << 10
)

// Read reads once. It may return 0, nil if it met Values. The error is io.EOF at the end of
// the text. [Reader.Next] returns any other error again, as damage; so the caller need not
// examine it.
func (t *Text) Read(p []byte) (n int, err error) {
	switch s := t.s; {
	case t.Direct:
		n, err = s.raw.Read(p)
	default:
		most := piece
		if t.Kind == Header {
			most = headerPiece
		}
		t.Values, t.arena = t.Values[:0], t.arena[:0]
		n, err = s.chain.Read(p[:min(len(p), most)])
	}
	t.d.ledger.Add(ledger.TextBytes, int64(n))
	t.given += int64(n)
	if err != nil {
		t.d.ended = err
	}
	return n, err
}

// Locate returns the span in the raw stream that became the text [start, end), with its
// line and column. After that, text before start can no longer be located.
func (t *Text) Locate(start, end int64) (at Span) {
	lo, hi, exact := t.s.chain.Span(start, end)
	at.Offset, at.Length, at.Exact = lo, hi-lo, exact
	at.Line, at.Column, _ = t.s.lines.Position(lo)
	t.s.chain.Forget(start)
	return at
}

// Field returns the name of the header field of the text byte at off.
func (t *Text) Field(off int64) string { return t.d.header.Field(off) }

// RawRead returns how many bytes of the raw stream of a Direct text have been read.
func (t *Text) RawRead() int64 { return t.s.raw.read }

// value is the sink of the decoders of HTML and of headers. It copies the value.
func (t *Text) value(v decode.Attr) error {
	if t.Kind == HTML {
		undoQuoted(&v)
	}
	s := t.s
	n := len(t.arena)
	t.arena = append(t.arena, v.Value...) // if it grows, what was there before stays good
	nv := Value{Bytes: t.arena[n:len(t.arena):len(t.arena)], At: t.given}
	lo, hi, exact := s.chain.SpanBelow(v.Start, v.End)
	nv.Offset, nv.Length, nv.Exact = lo, hi-lo, exact
	nv.Line, nv.Column, _ = s.lines.Position(lo)
	if t.Kind == Header {
		nv.Field = v.Name
	} else {
		nv.Base = v.Name == "href" && v.Tag == "base"
	}
	t.Values = append(t.Values, nv)
	if len(t.Values) >= maxValues || len(t.arena) >= maxValueBytes {
		return decode.ErrYield
	}
	return nil
}

// undoQuoted takes off v what is left of href=3D"http://a/" where nobody undid the
// quoted-printable that the text is in: the value begins after '=' then.
func undoQuoted(v *decode.Attr) {
	rest, ok := bytes.CutPrefix(v.Value, []byte("3D"))
	if !ok || len(rest) == 0 {
		return
	}
	skip, end := 2, 0
	if q := rest[0]; q == '"' || q == '\'' {
		rest = rest[1:]
		skip = 3
		if n := len(rest) - 1; n >= 0 && rest[n] == q {
			rest = rest[:n]
			end = 1
		}
	} else if !bytes.Contains(rest, []byte("//")) {
		return
	}
	if len(rest) > 0 {
		v.Value, v.Start, v.End = rest, v.Start+int64(skip), v.End-int64(end)
	}
}

// A step of Member has at most maxStep bytes, as paths have elsewhere, and all together
// have maxMember; what is cut off is "…" then. So an archive that is little but names
// takes no more time for being in others.
const (
	maxStep   = 4 << 10
	maxMember = 16 << 10
)

// enter enters the member of that name.
func (w *Where) enter(name string) {
	if room := max(0, min(maxStep, maxMember-len(w.Member))); len(name) > room {
		for room > 0 && !utf8.RuneStart(name[room]) { // a byte each, of one rune
			room--
		}
		name = name[:room] + "…"
	}
	if w.Member != "" {
		name = w.Member + "!" + name
	}
	w.Member = name
}

// enclose makes the part of a message that w is in a step of Member, in front of the
// last one, which begins at step: the messages in it have numbers of their own.
func (w *Where) enclose(step int) {
	part := "#" + strconv.Itoa(w.Message)
	if w.Part != "" {
		part += "[" + w.Part + "]"
	}
	w.Member = w.Member[:step] + part + w.Member[step:]
	w.Message, w.Part, w.Enclosed = 0, "", true
}
