package document

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/ledger"
)

// A Where is the path to a text or to damage, from the outermost part inwards. Its fields
// are those of extract.Origin with the same names.
type Where struct {
	Member                      string
	Message                     int
	Part                        string
	MessageID, Date, Newsgroups string
	Subject, From               string // decoded; empty unless Options.Subjects is set

	// Enclosed means that Member begins with a message of the source, and that Message
	// counts messages inside Member.
	Enclosed bool
}

// A Position is where a stretch of a raw stream stands. Exact means that it begins with the first byte of
// the text, and not with an encoded unit around that byte.
type Position struct {
	Offset, Length int64 // in bytes, from 0
	Line, Column   int64 // of the first byte, from 1; 0 if they are not known here
	Exact          bool
}

// A DamagePosition is where damage is. Reached means that Line and Column are the current
// position of the reader of the text, which counts them.
type DamagePosition struct {
	Where
	Position
	Reached bool
}

// A Kind says what a text was decoded from. Kinds is a set of them: 1<<Plain, ...
type (
	Kind  uint8
	Kinds uint8
)

const (
	Plain  Kind = iota // running text
	HTML               // a page, or other markup
	Header             // header fields
)

// An Entity is what a message or part around a text says about its base, as written,
// without white space and without delimiters of the URL.
type Entity struct {
	ContentBase, ContentLocation string

	Outer bool // the text is in an attachment of this entity
}

// A Value is a complete reference, from an attribute or a header field.
type Value struct {
	Bytes    []byte // valid until the next Read of the Text
	At       int64  // offset in the text of the byte that follows it
	Position        // in the raw stream
	Field    string // name of the header field, in lower case; "" for an attribute
	Base     bool   // it is the href of a base element

	// Request says that it is the value of an attribute such as FORM action, which is always
	// requested.
	Request bool

	Bracketed bool // it was in angle brackets, in a header field that may hold more
}

// A Text is decoded text, in UTF-8, that can be read once. It is valid until the next
// call of [Reader.Next].
type Text struct {
	Where
	Kind      Kind
	HasValues bool     // there may be Values
	Article   bool     // the innermost message is an article of news
	ArticleID string   // its Message-ID
	Entities  []Entity // around it, from the outermost inwards; nil if none has a base

	// Direct means that the text is the raw stream itself, unchanged, from the offset
	// Mark on. Mark is the length of the byte order mark. In this case the caller counts
	// lines, and does not call Locate. Start is the offset of the first byte in the text
	// of the whole stream; it is not 0 if reading started in the middle.
	Direct      bool
	Mark, Start int64

	// Values are the values that the last Read has found, in order. They precede the text
	// that it returned.
	Values []Value

	d     *Reader
	s     *stream
	given int64 // number of bytes that Read has returned
	arena []byte
	ended error // the error that ended it; nil before
}

// Bounds for the Values of one Read, which returns when it reaches one: their number and
// their size.
const (
	maxValues     = 64
	maxValueBytes = 16 << 10
)

// piece is how much decoded text is read at once, in bytes. In a header it is limited, so
// that the decoder still knows the names of all fields in it, of at least two bytes each.
const (
	piece       = 8 << 10
	headerPiece = 2 << 10
)

// Read reads once. It may return 0, nil if it has found Values. The error is io.EOF at
// the end of the text. [Reader.Next] returns any other error again, as damage, so the
// caller need not examine it.
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
		t.ended = err
	}
	return n, err
}

// Locate returns the span in the raw stream that became the text [start, end), with its
// line and column. After that, text in front of start can no longer be located.
func (t *Text) Locate(start, end int64) (at Position) {
	lo, hi, exact := t.s.chain.Span(start, end)
	at.Offset, at.Length, at.Exact = lo, hi-lo, exact
	at.Line, at.Column, _ = t.s.lines.Position(lo)
	t.s.chain.Forget(start)
	return at
}

// Field returns the name of the header field that contains the text byte at off.
func (t *Text) Field(off int64) string { return t.d.codecs.header.Field(off) }

// RawRead returns how many bytes of the raw stream of a Direct text have been read.
func (t *Text) RawRead() int64 { return t.s.raw.read }

// value is the sink of the decoders. It copies the value.
func (t *Text) value(v decode.Attr) error {
	if t.Kind == HTML {
		undoQuoted(&v)
	}
	s := t.s
	n := len(t.arena)
	t.arena = append(t.arena, v.Value...) // if it grows, earlier slices of it stay valid
	nv := Value{Bytes: t.arena[n:len(t.arena):len(t.arena)], At: t.given}
	lo, hi, exact := s.chain.SpanBelow(v.Start, v.End)
	nv.Offset, nv.Length, nv.Exact = lo, hi-lo, exact
	nv.Line, nv.Column, _ = s.lines.Position(lo)
	if t.Kind == Header {
		nv.Field, nv.Bracketed = v.Name, v.Bracketed
	} else {
		nv.Base, nv.Request = v.Name == "href" && v.Tag == "base", v.Request
	}
	t.Values = append(t.Values, nv)
	if len(t.Values) >= maxValues || len(t.arena) >= maxValueBytes {
		return decode.ErrYield
	}
	return nil
}

// undoQuoted removes the rest of quoted-printable from v. If the text was not decoded, as
// in href=3D"http://a/", the value begins after '='.
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

// A step of Member has at most maxStep bytes, as many as a path in other systems, and all
// together have maxMember. What is cut off becomes "…". So an archive of many long names
// takes no more time inside other archives.
const (
	maxStep   = 4 << 10
	maxMember = 16 << 10
)

// enter appends a step to Member.
func (w *Where) enter(name string) {
	if room := max(0, min(maxStep, maxMember-len(w.Member))); len(name) > room {
		for room > 0 && !utf8.RuneStart(name[room]) { // one byte of a rune in each iteration
			room--
		}
		name = name[:room] + "…"
	}
	if w.Member != "" {
		name = w.Member + "!" + name
	}
	w.Member = name
}

// enclose makes the current part of a message a step of Member, in front of the last
// step, which begins at step. Messages in it are then counted separately.
func (w *Where) enclose(step int) {
	part := "#" + strconv.Itoa(w.Message)
	if w.Part != "" {
		part += "[" + w.Part + "]"
	}
	w.Member = w.Member[:step] + part + w.Member[step:]
	w.Message, w.Part, w.Enclosed = 0, "", true
}
