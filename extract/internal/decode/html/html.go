package html

import (
	"github.com/urlsift/urlsift/extract/internal/decode"
)

// The lexer is a state machine over bytes that never holds a token. Text, comments, tags and
// values of any length go through it in pieces. The states in which bytes become text share
// one function (text.go), and the states inside a tag share another (tag.go); both return a
// Conversion for a stretch at the beginning of src. Lookahead is bounded: 34 bytes of the name of a
// tag, 34 of a character reference, 64 of a value that may be a refresh, and MaxValue bytes of
// a value that holds references. Only such values are kept.
//
// The cost of a byte is constant: no state looks ahead further than these bounds, and none
// looks ahead again before it has consumed a byte.

// A Decoder is a [decode.Decoder] from HTML to plain text; the package comment says what
// becomes of each construct. The zero Decoder drops the references in attributes.
type Decoder struct {
	// Sink is called with each reference in an attribute, in order, by the Read of the
	// stage. All text in front of the attribute was returned by earlier Reads. If Sink is
	// nil, the values are dropped. If it returns [decode.ErrYield], Read returns and
	// continues with the next call. Any other error ends the reading, and Read returns it.
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
