package header

import (
	"github.com/urlsift/urlsift/extract/internal/decode"
)

// Fields of any length go through a state machine in pieces. Only the name of a field, up to
// the colon, must be seen as a whole. A value is text; it is decoded in stretches that end at
// an encoded word, an 8-bit byte or a line end. Kept values are decoded in the same way, but
// are collected for the sink instead of returned. decode.go has the loop, names.go the names of
// fields, value.go decodes values, words.go decodes encoded words, kept.go collects for the sink.
//
// Lookahead is bounded by maxName bytes and some blanks for a name, and by wordBlanks and
// wordReach for an encoded word. Within these bounds a byte may be examined again, so the cost
// of a byte is constant.

// A Decoder is a [decode.Decoder] from a header block (RFC 5322, 2.2) to text. Lines end
// in LF or CRLF. The zero Decoder drops the fields whose value is a reference.
//
//   - The value of a field is text. The line break of a fold is kept, as one '\n', with the
//     white space after it: the scanner knows what a break in a wrapper means. Two fields
//     are separated by a blank line, made of the line end of one and the name of the other.
//   - Encoded words (RFC 2047) are decoded anywhere in a value, with a language or without.
//     White space between two of them is removed. A word that is not well-formed is text,
//     verbatim.
//   - 8-bit bytes that are not well-formed UTF-8 are read as windows-1252. This is mild
//     damage, reported once.
//   - Fields that hold identifiers and signatures are left out, and so is a mailbox line
//     ("From ") in front of the header.
//   - A line that is not a field is read as a field with an empty name.
//   - Content-Location and Content-Base are one reference each. They are passed to Sink and are
//     not text.
//   - Link, Archived-At and the fields of mailing lists (List-Archive ...) hold references in
//     angle brackets. Relative ones are passed to Sink; of these only the brackets are text.
type Decoder struct {
	// Sink is called in order, by the Read of the link, with the value of each field that
	// is one reference, and with each relative reference in the brackets of a field. Tag is
	// empty, Name is the name of the field in lower case, and Value is without white space
	// (RFC 2557, 4.4.1), quotes, angle brackets and "URL:". All text in front of the field
	// was returned by earlier Reads. If Sink is nil, fields that are one reference are
	// dropped. If Sink returns [decode.ErrYield], Read returns and continues with the next
	// call. Any other error ends the reading, and Read returns it.
	Sink func(decode.Attr) error

	// IDs says that Message-ID and Content-ID are passed to Sink too, without angle brackets.
	IDs bool

	// MaxValue is the limit of a value for the sink, in bytes; 0 means 8192. A longer
	// value is dropped whole and counted. Change it only before the first Decode.
	MaxValue int

	state  headerState
	pos    int64 // offset of src[0] in the input
	out    int64 // offset of dst[0] in the text
	begun  bool  // a field was read: mailbox lines are no longer left out
	inGap  bool  // an encoded word has just ended
	paused bool

	brackets bracketState // of the current field

	word     word
	eightBit eightBit
	fields   fieldRing
	kept     keptValue
}

// A headerState is what the next byte belongs to.
type headerState uint8

const (
	atField      headerState = iota // the beginning of a line that is not a fold
	inFieldValue                    // text
	inWord                          // the text of an encoded word
	inLeftOut                       // a value that is left out
	inFromLine                      // a mailbox line
	afterKept                       // the end of a kept value: Sink is called next
)

// Reset returns h to its initial state. It keeps Sink, options and memory.
func (h *Decoder) Reset() {
	h.state, h.pos, h.out = atField, 0, 0
	h.begun, h.inGap, h.paused, h.eightBit.warned = false, false, false, false
	h.brackets = noBrackets
	h.kept.reset(0, fieldText, "")
	h.kept.skipped = [2]int64{}
	h.fields.reset()
}

// Skipped returns how many values were longer than MaxValue since the last Reset, and how
// many bytes they had.
func (h *Decoder) Skipped() (values, bytes int64) { return h.kept.skipped[0], h.kept.skipped[1] }

// Field returns the name of the field that the text byte at off belongs to, as it was
// written. It returns "" for a line that is not a field, for a name of more than 76 bytes,
// and for all but the last 1024 fields.
func (h *Decoder) Field(off int64) string { return h.fields.at(off) }

func (h *Decoder) maxValue() int {
	if h.MaxValue > 0 {
		return h.MaxValue
	}
	return defaultMaxKept
}
