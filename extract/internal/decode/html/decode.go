package html

import "github.com/urlsift/urlsift/extract/internal/decode"

// Reset returns h to its initial state. It keeps Sink, XML, Identifiers, MaxValue and memory.
func (h *Decoder) Reset() {
	h.state, h.pos = inText, 0
	h.clear = true
	h.value.reset(0)
	h.skipped = [2]int64{}
}

// Decode implements [decode.Decoder]. Each iteration of its loop removes input in front of the
// next text, returns, or changes the state without consuming a byte. There are never three such
// changes in a row.
func (h *Decoder) Decode(dst, src []byte, atEOF bool) (decode.Conversion, error) {
	for lead := 0; ; { // lead bytes were removed
		var conv decode.Conversion
		var more bool // more source is needed
		switch {
		case h.state < textStates:
			conv, more = h.stretch(dst, src, atEOF)
		case h.state == inHanded:
			if !h.clear {
				h.clear = true // Decode is called again when a Read has returned the text
				return decode.Conversion{In: lead}, decode.ErrPause
			}
			err := h.handOver()
			if h.value.done {
				h.state = inBetween
			}
			if err != nil {
				return decode.Conversion{In: lead}, err
			}
			continue
		default:
			conv, more = h.markup(dst, src, atEOF)
		}
		if more && atEOF && h.state == inKept {
			h.value.cutOff()
			h.state = inHanded
			continue
		}
		h.pos += int64(conv.In)
		if more || conv.Out > 0 {
			h.clear = h.clear && conv.Out == 0
			conv.In += lead
			return conv, nil
		}
		lead += conv.In
		src = src[conv.In:]
	}
}
