package html

import (
	"bytes"

	"github.com/urlsift/urlsift/extract/internal/decode"
)

// How HTML is read. The lexer is a state machine over bytes that never holds a
// token: text, comments, tags and values go through it in pieces, whatever
// their length. Each state has one function, which returns a Run for a stretch
// at the beginning of src; the states in which bytes become text share one
// (text.go), those inside a tag another (tag.go). What must be looked
// at as a whole is bounded: 34 bytes of a tag's name, 34 of a character
// reference, 64 of a value that may be a refresh, and MaxValue bytes of a value
// that holds references, which alone are kept.
//
// The cost of a byte is constant: no state looks ahead further than those
// bounds, and none looks ahead again without having taken a byte.

// A Decoder is a [decode.Decoder] from HTML to plain text; doc.go tells what becomes of
// what. The zero Decoder drops the references in attributes.
type Decoder struct {
	// Sink is called with each reference in an attribute, in order, by the
	// Read of the stage. All text before the attribute was returned by earlier
	// Reads. If Sink is nil, the values are dropped. [decode.ErrYield] has Read
	// return; any other error ends the reading, and Read returns it.
	Sink func(decode.Attr) error

	// XML says that the document is XML of any kind: an attribute whose name HTML
	// has for something else than references may hold some all the same.
	XML bool

	// MaxValue bounds a value that holds references, in bytes of source.
	// If 0, it is 8192. A longer one is dropped whole, and counted. Change it
	// before the first Decode only.
	MaxValue int

	state state
	pos   int64 // offset of src[0] in the input

	tag    *tagInfo // of the tag that is open, or of the raw text element
	endTag bool
	slash  bool // the last thing in the tag was '/'
	name   [nameCap]byte
	named  int // bytes of name in use; more than nameCap if it was too long

	attr     *attrInfo
	quote    byte       // around the value; 0 for none
	names    htmlTables // of all that use it
	raw      []byte
	rawStart int64
	over     bool   // the value is longer than MaxValue
	clear    bool   // all text was returned by earlier Reads
	plain    []byte // raw with its character references undone
	pieces   value  // of raw, while they are handed over
	refs     refCache
	skipped  [2]int64 // values that were too long or cut off, and their bytes
}

// A state is what the next byte belongs to.
type state uint8

const (
	inText    state = iota // running text
	inRCData               // text of an element that holds no other: title, textarea
	inRaw                  // likewise, without character references: script, style
	inRest                 // likewise, to the end of the document: plaintext
	inComment              // after "<!--"
	inDecl                 // after "<!" or "<?"
	inWords                // a value that is text
	textStates

	inTag     = iota - 1 // the name of a tag
	inBetween            // between attributes
	inName               // the name of an attribute
	inAfter              // after it
	inEquals             // after its '='
	inValue              // at the first byte of its value
	inDropped            // a value of no interest
	inKept               // a value that holds references
	inHanded             // after such a value: the sink comes next
)

// New returns a Decoder with that sink.
func New(sink func(decode.Attr) error) *Decoder { return &Decoder{Sink: sink, names: htmlNames()} }

// Reset makes h new again, with its Sink, its MaxValue and its memory.
func (h *Decoder) Reset() {
	h.state, h.pos = inText, 0
	h.clear, h.over = true, false
	h.raw, h.pieces = h.raw[:0], value{}
	h.skipped = [2]int64{}
}

// Skipped returns how many values with references were longer than MaxValue
// since the Reset, and of how many bytes, the quote after
// them included.
func (h *Decoder) Skipped() (values, bytes int64) { return h.skipped[0], h.skipped[1] }

// skip counts the value that ends here as one that is skipped.
func (h *Decoder) skip() {
	h.skipped[0]++
	h.skipped[1] += h.pos - h.rawStart
}

// Decode implements [decode.Decoder]. Its loop continues over what is removed, up to the
// next that is text, and over changes of state that take no byte, of which there
// are never three in a row.
func (h *Decoder) Decode(dst, src []byte, atEOF bool) (decode.Run, error) {
	for lead := 0; ; { // lead bytes were removed
		var run decode.Run
		var more bool // more source is needed
		switch {
		case h.state < textStates:
			run, more = h.stretch(dst, src, atEOF)
		case h.state == inHanded:
			if !h.clear {
				h.clear = true // with the next call
				return decode.Run{In: lead}, decode.ErrPause
			}
			err := h.handOver()
			if h.pieces.done {
				h.pieces, h.state = value{}, inBetween
			}
			if err != nil {
				return decode.Run{In: lead}, err
			}
			continue
		default:
			run, more = h.markup(dst, src, atEOF)
		}
		if more && atEOF && h.state == inKept {
			h.cutOff()
			continue
		}
		h.pos += int64(run.In)
		if more || run.Out > 0 {
			h.clear = h.clear && run.Out == 0
			run.In += lead
			return run, nil
		}
		lead += run.In
		src = src[run.In:]
	}
}

// cutOff ends a value that the end of the document cuts off where a reference in
// it ends for sure: what stands there is not to be lost, and the tag after a
// quote that was never closed is not one of it.
func (h *Decoder) cutOff() {
	if i := bytes.IndexAny(h.raw, " \t\r\n\f<>\"'"); i >= 0 {
		h.raw = h.raw[:i]
	}
	h.state = inHanded
}
