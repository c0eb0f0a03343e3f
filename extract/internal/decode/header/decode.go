package header

import (
	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

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
