package header

import (
	"bytes"

	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/charset"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

// Fields of any length go through a state machine in pieces. Only the name of a field, up to
// the colon, must be seen as a whole. A value is text; it is decoded in stretches that end at
// an encoded word, an 8-bit byte or a line end. Kept values are decoded in the same way, but
// are collected for the sink instead of returned (kept.go).
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
//   - Content-Location, Content-Base, WARC-Target-URI and, with HTTP, Location are one reference each. They are passed to Sink and are
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

	// HTTP says that the fields are those of an HTTP message: Location is one reference.
	HTTP bool

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

// Decode implements [decode.Decoder]. Each iteration of its loop consumes a piece of a kept
// value, returns, or changes the state without consuming a byte. There are never three such
// changes in a row.
func (h *Decoder) Decode(dst, src []byte, atEOF bool) (decode.Conversion, error) {
	for {
		var conv decode.Conversion
		var more bool // more source is needed
		var err error
		switch h.state {
		case atField:
			conv, more = h.begin(dst, src, atEOF)
		case inLeftOut:
			conv, more = h.leaveOut(src, atEOF)
		case inFromLine:
			conv, more = h.leaveLine(src)
		case afterKept:
			if !h.paused {
				h.paused = true
				return decode.Conversion{}, decode.ErrPause
			}
			h.paused, h.state = false, atField
			if h.brackets != noBrackets { // the value continues
				h.state = inFieldValue
			}
			err := h.handOver()
			h.kept.kind = fieldText
			if err != nil {
				return decode.Conversion{}, err
			}
			continue
		default:
			if h.kept.kind == fieldText {
				conv, more, err = h.value(dst, src, atEOF)
				break
			}
			conv, more, err = h.value(h.kept.room[:], src, atEOF)
			h.kept.add(conv, h.maxValue())
			conv = decode.Conversion{In: conv.In, InUnit: 1}
		}
		if more || err != nil || conv.In > 0 || conv.Out > 0 {
			h.pos += int64(conv.In)
			h.out += int64(conv.Out)
			return conv, err
		}
	}
}

// begin reads the beginning of a line: usually the name of a field.
func (h *Decoder) begin(dst, src []byte, atEOF bool) (conv decode.Conversion, more bool) {
	n, name, more := fieldName(src, atEOF)
	if more || len(src) == 0 {
		return decode.Conversion{}, true
	}
	if name == 0 {
		if k := octet.LineEnd(src); k > 0 { // an empty line
			return decode.Conversion{In: k, InUnit: 1}, false
		}
		if !h.begun {
			is, more := isFromLine(src, atEOF)
			if is {
				h.state = inFromLine
			}
			if is || more {
				return decode.Conversion{}, more
			}
		}
	}
	h.begun, h.inGap = true, false
	f := h.fields.name(src[:name])
	rule := f.rule
	if h.HTTP && f.lower == "location" {
		rule = fieldWhole // RFC 9110, section 10.2.2
	}
	h.brackets = noBrackets
	switch {
	case rule == fieldBrackets:
		if rule = fieldText; h.Sink != nil {
			h.brackets, h.kept.name = atItem, f.lower
		}
	case rule == fieldID && !h.IDs, rule != fieldText && h.Sink == nil:
		rule = fieldLeftOut
	}
	h.state = inFieldValue
	switch rule {
	case fieldLeftOut:
		h.state = inLeftOut
	case fieldText:
		h.kept.kind = fieldText
		h.fields.add(h.out, f.written)
		if h.out > 0 { // separates the fields
			return decode.Replace(dst, '\n', n), false
		}
	default:
		h.kept.reset(h.pos+int64(n), rule, f.lower)
	}
	return decode.Conversion{In: n, InUnit: 1}, false
}

// handOver calls the sink with the kept value.
func (h *Decoder) handOver() error {
	k := &h.kept
	if k.tooLong {
		k.skipped[0]++
		k.skipped[1] += h.pos - k.start
		return nil
	}
	var lo, hi int
	switch k.kind {
	case fieldID:
		lo, hi = bracketed(k.text)
	case fieldBrackets:
		hi = len(k.text)
	default:
		lo, hi = unwrapped(k.text)
	}
	if lo == hi {
		return nil
	}
	a := decode.Attr{Name: k.name, Value: k.text[lo:hi:hi], Bracketed: k.kind == fieldBrackets}
	// The span consists of whole units. A unit of base64 may hold more than the value.
	a.Start, a.End, _ = k.from.Span(int64(lo), int64(hi))
	a.Start += k.start
	a.End += k.start
	return h.Sink(a)
}

// leaveOut removes the rest of a field with its folds. It examines each byte once.
func (h *Decoder) leaveOut(src []byte, atEOF bool) (conv decode.Conversion, more bool) {
	n := 0
	for {
		i := bytes.IndexByte(src[n:], '\n')
		if i < 0 {
			return decode.Conversion{In: len(src), InUnit: 1}, len(src) == 0
		}
		n += i
		switch {
		case n+1 == len(src) && !atEOF: // it may be a fold
			return decode.Conversion{In: n, InUnit: 1}, n == 0
		case n+1 == len(src) || !octet.IsBlank(src[n+1]):
			h.state = atField
			return decode.Conversion{In: n + 1, InUnit: 1}, false
		}
		n++
	}
}

// leaveLine removes the rest of a line that has no folds. It examines each byte once.
func (h *Decoder) leaveLine(src []byte) (conv decode.Conversion, more bool) {
	if i := bytes.IndexByte(src, '\n'); i >= 0 {
		h.state = atField
		return decode.Conversion{In: i + 1, InUnit: 1}, false
	}
	return decode.Conversion{In: len(src), InUnit: 1}, len(src) == 0
}

// value decodes a piece of a value.
func (h *Decoder) value(dst, src []byte, atEOF bool) (conv decode.Conversion, more bool, err error) {
	if h.state == inWord {
		conv, more = h.wordText(dst, src, atEOF)
		return conv, more, nil
	}
	if h.inGap { // white space between two words is not text (RFC 2047, 6.2)
		n, more := wordGap(src, atEOF)
		if more {
			return decode.Conversion{}, true, nil
		}
		h.inGap = false
		if n > 0 {
			return decode.Conversion{In: n, InUnit: 1}, false, nil
		}
	}
	if h.brackets == afterBracket {
		n, more := relative(src, atEOF)
		if more {
			return decode.Conversion{}, true, nil
		}
		h.brackets = inItem
		if n > 0 {
			h.keep(src[:n])
			return decode.Conversion{In: n, InUnit: 1}, false, nil
		}
	}
	var n int
	var ends bool
	if room := min(len(dst), len(src)); h.brackets == noBrackets {
		n, ends = plainValue(src, room)
	} else {
		n, ends = h.plainItems(src, room, atEOF)
	}
	if n > 0 {
		if ends {
			h.endValue()
		}
		copy(dst, src[:n])
		return decode.Conversion{In: n, Out: n, InUnit: 1, OutUnit: 1}, false, nil
	}
	if h.brackets == atItem && len(src) > 0 && octet.LineEnd(src) == 0 {
		h.brackets = inItem // the item begins with something other than a bracket
	}
	return h.special(dst, src, atEOF)
}

// special decodes at a byte that is not plain: an encoded word, 8-bit bytes or a line end. At
// the end of the header it ends the value.
func (h *Decoder) special(dst, src []byte, atEOF bool) (conv decode.Conversion, more bool, err error) {
	switch {
	case len(src) == 0: // a header may end without a line end
		if atEOF {
			h.endValue()
		}
		return decode.Conversion{}, !atEOF || h.state == atField, nil
	case src[0] >= 0x80:
		return h.eightBit.decode(dst, src, atEOF)
	case src[0] == '=': // "=?" follows, or is not there yet
		n, more := h.word.open(src, h.pos, atEOF)
		if n > 0 {
			h.state = inWord
		}
		if n > 0 || more {
			return decode.Conversion{In: n, InUnit: 1}, more, nil
		}
	default:
		if n := octet.LineEnd(src); n > 0 {
			switch { // is it a fold? (RFC 5322, 2.2.3)
			case n == len(src) && !atEOF:
				return decode.Conversion{}, true, nil
			case n == len(src) || !octet.IsBlank(src[n]):
				h.endValue()
			}
			return decode.Replace(dst, '\n', n), false, nil
		}
		if len(src) == 1 && !atEOF { // a CR
			return decode.Conversion{}, true, nil
		}
	}
	return decode.Replace(dst, src[0], 1), false, nil // a '=' or CR without meaning here
}

// endValue ends a field.
func (h *Decoder) endValue() {
	h.state = atField
	if h.kept.kind != fieldText {
		h.state = afterKept
	}
}

// plainValue returns how many bytes at the beginning of src[:most] are text that needs no
// decoding, including folds. ends reports that the last of them is an LF that ends the value.
func plainValue(src []byte, most int) (n int, ends bool) {
	for {
		n += octet.Plain(src[n:most], [3]byte{'=', '\n', '\r'})
		if n >= most {
			return n, false
		}
		switch c := src[n]; {
		case c >= 0x80:
			return n, false
		case n+1 == len(src):
			return n, false
		case c == '\n' && !octet.IsBlank(src[n+1]):
			return n + 1, true
		case c == '=' && src[n+1] == '?', c == '\r' && src[n+1] == '\n':
			return n, false
		}
		n++
	}
}

// itemsStretch is how many bytes plainItems examines at once. It stops at a relative reference, and
// the bytes after it are examined again.
const itemsStretch = 256

// plainItems is plainValue for a field with brackets. It stops after a '<' that may begin a
// relative reference.
func (h *Decoder) plainItems(src []byte, most int, atEOF bool) (n int, ends bool) {
	for n < most {
		stretch := min(most-n, itemsStretch)
		plain, ends := plainValue(src[n:], stretch)
		read, after := h.brackets.follow(src[n : n+plain])
		n, h.brackets = n+read, after
		if after == afterBracket {
			if k, more := relative(src[n:], atEOF); k > 0 || more {
				return n, false
			}
			h.brackets = inItem
			continue
		}
		if ends || plain < stretch {
			return n, ends
		}
	}
	return n, false
}

// keep collects the relative reference src for the sink.
func (h *Decoder) keep(src []byte) {
	k := &h.kept
	k.reset(h.pos, fieldBrackets, k.name)
	for len(src) > 0 { // at most maxRelative bytes
		n := copy(k.room[:], src)
		k.add(decode.Conversion{In: n, Out: n, InUnit: 1, OutUnit: 1}, h.maxValue())
		src = src[n:]
	}
	h.state = afterKept
}

// An eightBit decodes bytes of a value that are not ASCII. RFC 6532 allows UTF-8; no document
// allows windows-1252, but many mailers write it.
type eightBit struct {
	lenient decode.Decoder
	warned  bool // bytes that are not UTF-8 were reported
}

// eightBitLook bounds how many bytes one call examines. A call may convert only one broken
// byte, so the bytes after it are examined again.
const eightBitLook = 64

// decode converts a stretch of 8-bit bytes.
func (e *eightBit) decode(dst, src []byte, atEOF bool) (conv decode.Conversion, more bool, err error) {
	n, most := 1, min(len(src), eightBitLook)
	for n < most && src[n] >= 0x80 {
		n++
	}
	if e.lenient == nil {
		e.lenient = charset.NewLenient()
	}
	e.lenient.Reset()
	// A character that is cut by an ASCII byte or by the end is broken. One that is cut by
	// eightBitLook continues.
	ends := n < len(src) && src[n] < 0x80 || n == len(src) && atEOF
	conv, _ = e.lenient.Decode(dst, src[:n], ends)
	if conv.OutUnit > 1 && conv.InUnit == 1 && !e.warned {
		e.warned = true
		err = damage.Skipped(damage.StageHeader, 0, "8-bit bytes that are no UTF-8")
	}
	return conv, conv.In == 0, err
}

// wordText decodes the text of an encoded word. It converts a stretch of equal units, or
// removes a stretch. Each iteration of its loop emits a unit, gives the charset's decoder a
// byte, or consumes a byte of input.
func (h *Decoder) wordText(dst, src []byte, atEOF bool) (conv decode.Conversion, more bool) {
	w := &h.word
	if w.ascii && w.seen == w.unit.base && w.pending.n == 0 {
		if conv := w.plain(dst, src); conv.In > 0 {
			return conv, false
		}
	}
	for {
		switch {
		case w.unit.ready: // a unit: after others like it, or the first
			in := int(w.unit.whole - w.unit.base)
			alike := conv.Out > 0 && in == int(conv.InUnit) && w.unit.size == int(conv.OutUnit)
			if conv.Out > 0 && !alike || conv.Out+w.unit.size > len(dst) {
				return conv, false
			}
			copy(dst[conv.Out:], w.unit.text[:w.unit.size])
			conv = decode.Conversion{In: conv.In + in, Out: conv.Out + w.unit.size, InUnit: uint8(in), OutUnit: uint8(w.unit.size)}
			w.handed()
			if conv.Out == 0 {
				return conv, false
			}
		case w.pending.fed < w.pending.n || (w.closed || w.broken) && w.pending.n > 0: // bytes of the charset
			w.decode()
		case !w.closed: // bytes of the source
			if w.pull(src[w.seen-h.pos:], atEOF) {
				return conv, conv.In == 0 && conv.Out == 0
			}
		case w.unit.size > 0 || w.seen > w.unit.base: // the rest is the last unit, whole or not
			w.unit.end, w.unit.whole, w.unit.ready = w.seen, w.seen, true
		case conv.Out > 0:
			return conv, false
		default: // all text was returned; src begins with the end of the word
			h.state, h.inGap = inFieldValue, true
			if len(src) > 0 && src[0] == '?' {
				return decode.Conversion{In: len("?="), InUnit: 1}, false
			}
			return decode.Conversion{}, false
		}
	}
}
