package document

import (
	"bytes"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/ledger"
)

// A Text is decoded text, in UTF-8, that can be read once. It is valid until the next
// call of [Reader.Next].
type Text struct {
	Where
	Kind      Kind
	HasValues bool     // there may be Values
	Article   bool     // the innermost message is an article of news
	ArticleID string   // its Message-ID
	Entities  []Entity // entities around the text, from the outermost inwards; nil if none declares a base

	// Direct means that the text is the raw stream itself, unchanged, from the offset
	// BOM on. BOM is the length of the byte order mark. In this case the caller counts
	// lines, and does not call Locate. Start is the offset of the first byte in the text
	// of the whole stream; it is not 0 if reading started in the middle.
	Direct     bool
	BOM, Start int64

	// Values are the values that the last Read has found, in order. They precede the text that this
	// Read returned.
	Values []Value

	// Found is set by the caller if it has found something in the text. Data that is not text, and in
	// which nothing was found, is reported.
	Found bool

	d        *Reader
	s        *stream
	returned int64 // number of bytes that Read has returned
	arena    []byte
	ended    error // the error that ended the text; nil before its end
}

// A Value is a complete reference, from an attribute or a header field.
type Value struct {
	Bytes    []byte // valid until the next Read of the Text
	At       int64  // offset in the text of the first byte after the value
	Position        // in the raw stream
	Field    string // name of the header field, in lower case; "" for an attribute
	Base     bool   // it is the href of a base element
	Element  bool   // it is the base of its element: xml:base
	Ends     bool   // it is no reference: the element of the last such base has ended

	// Request says that the reference is the value of an attribute such as FORM action, which is
	// always requested.
	Request bool

	Bracketed bool // the value was in angle brackets, in a header field that may contain others
}

// Bounds for the number of Values that one Read returns, and for their size in bytes. Read
// returns when it reaches one of them.
const (
	maxValues     = 64
	maxValueBytes = 16 << 10
)

// piece is how many bytes of decoded text are read at once. headerPiece is the same for a header.
// It is smaller, because the decoder remembers the names of the last 1024 fields: they must
// include all fields in the piece, and a field may have only two bytes.
const (
	piece       = 8 << 10
	headerPiece = 2 << 10
)

// Read reads once. It may return 0, nil if it has found Values. The error is io.EOF at
// the end of the text. [Reader.Next] returns any other error again, as damage, so the
// caller need not examine it.
func (t *Text) Read(p []byte) (n int, err error) {
	switch s := t.s; {
	case t.Direct: // nothing is decoded
		n, err = s.raw.Read(p)
	default:
		most := piece
		if t.Kind == Header {
			most = headerPiece
		}
		t.Values, t.arena = t.Values[:0], t.arena[:0]
		n, err = s.chain.Read(p[:min(len(p), most)])
	}
	t.d.ledger.Add(ledger.Text, int64(n))
	t.returned += int64(n)
	if err != nil {
		t.ended = err
	}
	return n, err
}

// Locate returns the span in the raw stream of the text [start, end), with its line and column.
// After that, text in front of start can no longer be located.
func (t *Text) Locate(start, end int64) (at Position) {
	lo, hi, exact := t.s.chain.Span(start, end)
	at.Offset, at.Length, at.Exact = lo, hi-lo, exact
	at.Line, at.Column, _ = t.s.lines.Position(lo)
	t.s.chain.Forget(start)
	return at
}

// Field returns the name of the header field that contains the text byte at off.
func (t *Text) Field(off int64) string { return t.d.decoders.header.Field(off) }

// RawRead returns how many bytes of the raw stream of a Direct text have been read.
func (t *Text) RawRead() int64 { return t.s.raw.read }

// value is the function that decoders call with each value. It copies the value.
func (t *Text) value(v decode.Attr) error {
	if t.Kind == HTML {
		undoQuoted(&v)
	}
	s := t.s
	n := len(t.arena)
	t.arena = append(t.arena, v.Value...) // if it grows, earlier slices of it stay valid
	nv := Value{Bytes: t.arena[n:len(t.arena):len(t.arena)], At: t.returned}
	lo, hi, exact := s.chain.SpanBelow(v.Start, v.End)
	nv.Offset, nv.Length, nv.Exact = lo, hi-lo, exact
	nv.Line, nv.Column, _ = s.lines.Position(lo)
	if t.Kind == Header {
		nv.Field, nv.Bracketed = v.Name, v.Bracketed
	} else {
		nv.Base, nv.Request = v.Name == "href" && v.Tag == "base", v.Request
		nv.Element, nv.Ends = v.Element, v.Ends
	}
	t.Values = append(t.Values, nv)
	if len(t.Values) >= maxValues || len(t.arena) >= maxValueBytes {
		return decode.ErrYield
	}
	return nil
}

// undoQuoted removes the rest of an escape of quoted-printable from v. If the text was not
// decoded, as in href=3D"http://a/", the value begins after the '='.
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
