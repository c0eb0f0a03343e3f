package header

import (
	"bytes"
	"encoding/binary"
	"math/bits"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

// This file handles the values of fields: those that become text, and those that are left out.

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
// It examines eight bytes at a time.
func plainValue(src []byte, most int) (n int, ends bool) {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for {
		for n+8 <= most {
			w := binary.LittleEndian.Uint64(src[n:])
			eq, lf, cr := w^('='*ones), w^('\n'*ones), w^('\r'*ones)
			// The lowest bit that is set is right; those above it may be set by a borrow.
			hit := (w | (eq-ones)&^eq | (lf-ones)&^lf | (cr-ones)&^cr) & highs
			if hit != 0 {
				n += bits.TrailingZeros64(hit) / 8
				break
			}
			n += 8
		}
		if n >= most {
			return n, false
		}
		switch c := src[n]; {
		case c >= 0x80:
			return n, false
		case c != '=' && c != '\n' && c != '\r':
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
	for n < most { // at least one byte in each iteration
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
