package header

import (
	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/charset"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

// How a header is read. Fields go through a state machine in pieces, whatever
// their length. A line is looked at as a whole only up to the colon behind its
// name; a value is text, and goes on in stretches, up to the next encoded word,
// 8-bit byte or line end. Values that are kept for the sink go the same way, but
// what they become is collected instead of handed on. names.go says which
// fields those are, value.go how values are turned, words.go what becomes
// of encoded words, kept.go what goes to the sink.
//
// What must be looked at at once is bounded: maxName bytes and some blanks of
// a name, wordBlanks and wordLook of an encoded word. The cost of a byte is
// constant: within those bounds a byte may be looked at again.

// A Decoder is a [decode.Decoder] from a header block (RFC 5322, 2.2) to text. Lines end
// in LF or CRLF. The zero Decoder drops the fields whose value is a reference.
//
//   - Of a field the value is text. The line break of a fold stays, as one '\n',
//     with the white space behind it: who reads the text knows what a break in
//     a wrapper means. Between two fields stands a blank line, made of the line
//     end of the one and the name of the other.
//   - Encoded words (RFC 2047) are decoded, with a language or without, wherever
//     they stand; white space between two of them is taken out. What is no
//     well-formed word is text as it stands.
//   - 8-bit bytes are UTF-8 where they are valid, else windows-1252; this is told
//     once, as mild damage.
//   - Fields that hold identifiers and signatures are left out, and so is the
//     line of a mailbox ("From ") at the head.
//   - A line that is no field is one, with an empty name.
//   - Content-Location and Content-Base are references as a whole. They go to
//     the sink and are no text.
type Decoder struct {
	// Sink is called with the value of each field that is one reference, in
	// order, by the Read of the stage: Tag is empty, Name is the field's, in
	// lower case, and Value is without white space (RFC 2557, 4.4.1), quotes,
	// angle brackets and "URL:". All text before the field was returned by
	// earlier Reads. If Sink is nil, these fields are dropped. [decode.ErrYield] has
	// Read return; any other error ends the reading, and Read returns it.
	Sink func(decode.Attr) error

	// IDs says to hand over Message-ID and Content-ID too, each as what stands
	// in its angle brackets.
	IDs bool

	// MaxValue bounds a value for the sink, in bytes. If 0, it is 8192. A longer
	// one is dropped whole, and counted. Change it before the first Decode only.
	MaxValue int

	state  headerState
	pos    int64 // offset of src[0] in the input
	out    int64 // of dst[0] in the text
	begun  bool  // lines of a mailbox are no longer left out
	behind bool  // an encoded word has ended just before
	told   bool  // of 8-bit bytes
	paused bool

	word    word
	sets    charset.Decoders
	lenient decode.Decoder
	fields  fieldRing
	kept    keptValue
	skipped [2]int64 // values that were too long, and their bytes
}

// A headerState is what the next byte belongs to.
type headerState uint8

const (
	atField      headerState = iota // the beginning of a line that continues none
	inFieldValue                    // text
	inWord                          // the text of an encoded word
	inLeftOut                       // a value of no interest
	inFromLine                      // a line of a mailbox
	behindKept                      // behind a value for the sink, which comes next
)

// Reset makes h what it was when new, with its Sink, its options and its memory.
func (h *Decoder) Reset() {
	h.state, h.pos, h.out = atField, 0, 0
	h.begun, h.behind, h.told, h.paused = false, false, false, false
	h.kept.reset(0, fieldText, "")
	h.fields.reset()
	h.skipped = [2]int64{}
}

// Skipped returns how many values for the sink were longer than MaxValue since
// the Reset.
func (h *Decoder) Skipped() (values, bytes int64) { return h.skipped[0], h.skipped[1] }

// Field returns the name, as written, of the field that the text byte at off
// belongs to: of at most 76 bytes, and "" for a line that is no field or has a
// longer name. The last 1024 fields are known; of one further back it returns "".
func (h *Decoder) Field(off int64) string { return h.fields.at(off) }

// Decode implements [decode.Decoder]. Its loop goes on over changes of state that take
// no byte, of which there are never three in a row, and over pieces of a kept
// value, each of which takes one.
func (h *Decoder) Decode(dst, src []byte, atEOF bool) (decode.Run, error) {
	for {
		var run decode.Run
		var more bool // more source is needed
		var err error
		switch h.state {
		case atField:
			run, more = h.begin(dst, src, atEOF)
		case inLeftOut:
			run, more = h.leaveOut(src, atEOF)
		case inFromLine:
			run, more = h.leaveLine(src)
		case behindKept:
			if !h.paused {
				h.paused = true
				return decode.Run{}, decode.ErrPause
			}
			h.paused, h.state = false, atField
			if err := h.handOver(); err != nil {
				return decode.Run{}, err
			}
			continue
		default:
			if h.kept.kind == fieldText {
				run, more, err = h.value(dst, src, atEOF)
				break
			}
			run, more, err = h.value(h.kept.room[:], src, atEOF)
			h.kept.add(run, h.maxValue())
			run = decode.Run{In: run.In, InUnit: 1}
		}
		if more || err != nil || run.In > 0 || run.Out > 0 {
			h.pos += int64(run.In)
			h.out += int64(run.Out)
			return run, err
		}
	}
}

// begin looks at the beginning of a line: at the name of a field, most times.
func (h *Decoder) begin(dst, src []byte, atEOF bool) (run decode.Run, more bool) {
	n, name, more := fieldName(src, atEOF)
	if more || len(src) == 0 {
		return decode.Run{}, true
	}
	if name == 0 {
		if k := octet.LineEnd(src); k > 0 { // an empty line
			return decode.Run{In: k, InUnit: 1}, false
		}
		if !h.begun {
			is, more := isFromLine(src, atEOF)
			if is {
				h.state = inFromLine
			}
			if is || more {
				return decode.Run{}, more
			}
		}
	}
	h.begun, h.behind = true, false
	f := h.fields.name(src[:name])
	rule := f.rule
	if rule == fieldID && !h.IDs || rule != fieldText && h.Sink == nil {
		rule = fieldLeftOut
	}
	h.state = inFieldValue
	switch rule {
	case fieldLeftOut:
		h.state = inLeftOut
	case fieldText:
		h.kept.kind = fieldText
		h.fields.add(h.out, f.written)
		if h.out > 0 { // to be kept apart
			return decode.Replace(dst, '\n', n), false
		}
	default:
		h.kept.reset(h.pos+int64(n), rule, f.lower)
	}
	return decode.Run{In: n, InUnit: 1}, false
}
