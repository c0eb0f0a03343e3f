package header

import (
	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

// This file converts the text of an encoded word to characters; words.go has the plan.

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

// plain decodes ASCII at the beginning of src, if nothing is pending: characters that stand
// for themselves, or groups of four letters of base64. Each iteration consumes a byte or a
// group.
func (w *word) plain(dst, src []byte) (conv decode.Conversion) {
	most, n := min(len(dst), len(src)), 0
	if !w.base64 {
		for n < most && !octet.IsSpace(src[n]) && src[n] != '=' && src[n] != '?' && src[n] != '_' && src[n] < 0x80 {
			n++
		}
		conv = decode.Conversion{In: n, Out: copy(dst, src[:n]), InUnit: 1, OutUnit: 1}
	} else {
		for 4*n+4 <= len(src) && 3*n+3 <= len(dst) {
			a, b, c, d := octet.Base64[src[4*n]], octet.Base64[src[4*n+1]], octet.Base64[src[4*n+2]], octet.Base64[src[4*n+3]]
			three := uint32(a-1)<<18 | uint32(b-1)<<12 | uint32(c-1)<<6 | uint32(d-1)
			if a == 0 || b == 0 || c == 0 || d == 0 || three&0x808080 != 0 {
				break
			}
			dst[3*n], dst[3*n+1], dst[3*n+2] = byte(three>>16), byte(three>>8), byte(three)
			n++
		}
		conv = decode.Conversion{In: 4 * n, Out: 3 * n, InUnit: 4, OutUnit: 3}
	}
	w.seen += int64(conv.In)
	w.group, w.unit.base, w.unit.end, w.unit.whole = w.seen, w.seen, w.seen, w.seen
	return conv
}

// handed begins the next unit, after the ready one was returned.
func (w *word) handed() {
	w.unit.base, w.broken = w.unit.whole, false
	w.unit.size, w.unit.ready = copy(w.unit.text[:], w.unit.text[w.unit.size:][:w.unit.next.size]), false
	if w.unit.size > 0 {
		w.unit.end, w.unit.whole = w.unit.next.end, w.unit.next.whole
		w.unit.ready = w.unit.end == w.unit.whole
		w.unit.next.size = 0
	}
}

// decode gives the decoder of the charset one more byte, and adds its output to the unit.
func (w *word) decode() {
	w.pending.fed = min(w.pending.fed+1, w.pending.n)
	// The end of a word ends its charset too, even within a character. So does junk that
	// keeps a character from being completed.
	last := (w.closed || w.broken) && w.pending.fed == w.pending.n
	conv, _ := w.set.Decode(w.unit.text[w.unit.size:][:decode.MinRoom], w.pending.bytes[:w.pending.fed], last)
	if conv.In == 0 && conv.Out == 0 {
		if last { // never so, because decoders consume everything at the end; but the loop must end
			w.pending.n, w.pending.fed = 0, 0
		}
		return
	}
	end, whole := w.unit.end, w.unit.whole
	if n := conv.In; n > 0 { // move the remaining bytes down; there are few
		end, whole = w.pending.ends[n-1], w.pending.groups[n-1]
		if n < w.pending.n {
			copy(w.pending.ends[:], w.pending.ends[n:w.pending.n])
			copy(w.pending.groups[:], w.pending.groups[n:w.pending.n])
			copy(w.pending.bytes[:], w.pending.bytes[n:w.pending.n])
		}
		w.pending.n, w.pending.fed = w.pending.n-n, 0
	}
	if w.unit.size > 0 && w.unit.size+conv.Out > decode.MinRoom { // cut the unit; this output begins the next one
		w.unit.next.size, w.unit.next.end, w.unit.next.whole = conv.Out, end, whole
		w.unit.ready = true
		return
	}
	w.unit.size += conv.Out
	w.unit.end, w.unit.whole = end, whole
	w.unit.ready = end == whole
}

// pull consumes the next byte of the text, or finds its end, and reports whether more input
// is needed. It consumes nothing before it has all that it must examine, so the result does
// not depend on how the input is split.
func (w *word) pull(src []byte, atEOF bool) (more bool) {
	if w.seen-w.unit.base > maxWordUnit { // no character ends where a group ends, or a group has junk in it
		if w.unit.ready = w.unit.whole > w.unit.base; !w.unit.ready {
			w.broken = true
			w.regroup(w.seen)
		}
		return false
	}
	at := func(i int) byte { // 0 after the end
		if i < len(src) {
			return src[i]
		}
		more = more || !atEOF
		return 0
	}
	c, n := at(0), 1
	switch {
	case len(src) == 0, c == '\n', c == '?' && at(1) == '=', c == '\r' && at(1) == '\n':
		w.closed = !more
		return more
	case w.base64:
		if !more {
			w.seen++
			w.letter(c)
		}
		return more
	case c == '_':
		c = ' '
	case c == '=':
		// A '=' without two digits is itself.
		hi := octet.Hex[at(1)]
		if hi > 0xF {
			break
		}
		if lo := octet.Hex[at(2)]; lo <= 0xF {
			c, n = hi<<4|lo, 3
		}
	}
	if !more {
		w.seen += int64(n)
		w.group = w.seen
		w.put(c)
	}
	return more
}

// put adds a byte of the charset.
func (w *word) put(c byte) {
	w.pending.bytes[w.pending.n], w.pending.ends[w.pending.n], w.pending.groups[w.pending.n] = c, w.seen, w.group
	w.pending.n++
}

// letter consumes a byte of base64. Other bytes are skipped; after padding a new group
// begins.
func (w *word) letter(c byte) {
	v := octet.Base64[c]
	if v == 0 {
		w.padded = w.padded || c == '='
		if w.letters == 0 {
			w.regroup(w.seen)
		}
		return
	}
	if w.padded {
		w.regroup(w.seen - 1)
	}
	w.bits = w.bits<<6 | uint32(v-1)
	w.letters++
	switch w.letters {
	case 2:
		w.put(byte(w.bits >> 4))
	case 3:
		w.put(byte(w.bits >> 2))
	case 4:
		c = byte(w.bits)
		w.bits, w.letters, w.group = 0, 0, w.seen
		w.put(c)
	}
}

// regroup begins a new group of letters at off. What is in front of it belongs to the last
// character.
func (w *word) regroup(off int64) {
	w.bits, w.letters, w.padded, w.group = 0, 0, false, off
	if w.pending.n > 0 {
		w.pending.ends[w.pending.n-1], w.pending.groups[w.pending.n-1] = off, off
		return
	}
	w.unit.end, w.unit.whole, w.unit.ready = off, off, off > w.unit.base
}
