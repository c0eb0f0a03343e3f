package html

import (
	"bytes"

	"github.com/urlsift/urlsift/extract/internal/decode"
)

// The lexer is a state machine over bytes that never holds a token. Text, comments, tags and
// values of any length go through it in pieces. The states in which bytes become text share
// one function (text.go), and the states inside a tag share another (tag.go); both return a
// Conversion for a stretch at the beginning of src. Lookahead is bounded: 34 bytes of the name of a
// tag, 34 of a character reference, 64 of a value that may be a refresh, and MaxValue bytes of
// a value that holds references. Only such values are kept.
//
// The cost of a byte is constant: each state looks ahead within these bounds, and then consumes a
// byte before it looks ahead again.

// A Decoder is a [decode.Decoder] from HTML to plain text; the package comment says what
// becomes of each construct. [New] makes one; the zero Decoder cannot be used.
type Decoder struct {
	// Sink is called with each reference in an attribute, in order, by the Read of the link. All
	// text in front of the attribute was returned by earlier Reads. If Sink is nil, the values are
	// dropped. If Sink returns [decode.ErrYield], Read returns and continues with the next call.
	// Any other error ends the reading, and Read returns it.
	Sink func(decode.Attr) error

	// XML means that the document is XML of any kind. Then an attribute that holds no
	// reference in HTML may hold one.
	XML bool

	// Identifiers means that the names of namespaces (xmlns) and the identifiers of a
	// document type are text. Otherwise they are dropped: they name a language, and the
	// document does not refer to them.
	Identifiers bool

	// MaxValue is the limit of a value that holds references, in bytes of source; 0 means
	// 8192. A longer value is dropped whole and counted. Change it only before the first
	// Decode.
	MaxValue int

	state state
	pos   int64 // offset of src[0] in the input

	tag   tag
	attr  attribute
	quote byte  // around the value, or in a document type; 0 for none
	value value // of the attribute, if it holds references

	clear   bool       // all text was returned by earlier Reads
	names   htmlTables // shared by all Decoders
	refs    refCache
	skipped [2]int64 // values that were too long or cut off, and their bytes
}

// A tag is the tag that is being read, or the last one.
type tag struct {
	info  *tagInfo // of its name; in raw text, of the element around it
	end   bool     // it is an end tag
	slash bool     // its last byte was '/'
}

// An attribute is the attribute that is being read.
type attribute struct {
	bytes [nameCap]byte // its name
	named int           // length of the name, at most nameCap+1, which means that it was too long
	info  *attrInfo     // of its name
}

// name returns the name, or its beginning if it was too long.
func (a *attribute) name() []byte { return a.bytes[:min(a.named, nameCap)] }

// New returns a Decoder with the given sink.
func New(sink func(decode.Attr) error) *Decoder { return &Decoder{Sink: sink, names: htmlNames()} }

// Skipped returns how many values were longer than MaxValue since the last Reset, and how
// many bytes they had, with the closing quote.
func (h *Decoder) Skipped() (values, bytes int64) { return h.skipped[0], h.skipped[1] }

// A value is the value of an attribute that holds references. First all of it is stored, and then
// its pieces are emitted in order. So positions in it only grow.
type value struct {
	start   int64  // offset in the input
	raw     []byte // what is kept of it
	plain   []byte // raw with its character references decoded
	tooLong bool   // it is longer than MaxValue

	h      *Decoder // nil until the first piece is emitted
	text   []byte   // raw or plain
	mapped bool     // text is plain
	at     int      // in text: a position whose offset in raw is known
	rawAt  int      // the offset of that position in raw
	next   int      // in text: where the next piece is looked for
	done   bool     // no reference is left
}

// reset begins a value at that offset in the input.
func (v *value) reset(start int64) {
	*v = value{start: start, raw: v.raw[:0], plain: v.plain[:0]}
}

// defaultMaxValue is used for [Decoder.MaxValue] if that is 0.
const defaultMaxValue = 8 << 10

// keep adds a stretch to the value, which may have at most limit bytes; 0 means the default.
// Nothing of a longer value is passed to the sink, because a part of a reference is a different
// reference.
func (v *value) keep(stretch []byte, limit int) {
	if limit <= 0 {
		limit = defaultMaxValue
	}
	if v.tooLong || len(v.raw)+len(stretch) > limit {
		v.tooLong = true
		return
	}
	v.raw = append(v.raw, stretch...)
}

// cutOff ends a value that is cut by the end of the document. It keeps what is in front of the
// first byte that cannot be part of a reference. So the reference is not lost. And if the quote of
// the value was never closed, the tags after the reference do not become part of it.
func (v *value) cutOff() {
	if i := bytes.IndexAny(v.raw, " \t\r\n\f<>\"'"); i >= 0 {
		v.raw = v.raw[:i]
	}
}
