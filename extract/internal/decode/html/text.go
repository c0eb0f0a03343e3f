package html

import (
	"bytes"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

// Here bytes become text. All states in which they do so share one loop, which
// continues while bytes are text for certain and leaves the rest to the function
// for what may begin or end there. Such a function returns a Run for what it
// found, or asks for more source, or says that it is text after all.

// stops has the bytes that each state of text stops at, which may be one and the
// same; inWords has its own, and inRest none.
var stops = [textStates][2]byte{
	inText: {'<', '&'}, inRCData: {'<', '&'}, inRaw: {'<', '<'}, inComment: {'-', '-'}, inDecl: {'>', '>'},
}

// stretch turns bytes of a state in which bytes are text: as they are, up to
// one that is markup, or else that markup. Its loop examines a byte once; one
// at which it stops is examined again, up to the bounds of html.go, when it is
// the first.
func (h *Decoder) stretch(dst, src []byte, atEOF bool) (run decode.Run, more bool) {
	stop := stops[h.state]
	i := 0
	switch {
	case h.state == inRest:
		i = copy(dst, src)
	case h.state == inWords && h.quote == 0:
		for i < min(len(dst), len(src)) && src[i] != '>' && src[i] != '&' && !octet.IsSpace(src[i]) {
			dst[i] = src[i]
			i++
		}
	default:
		if h.state == inWords {
			stop = [2]byte{h.quote, '&'}
		}
		i = octet.CopyToEither(dst, src, stop)
		for i < len(dst) && i+1 < len(src) {
			n := 1
			if !h.isText(src[i], src[i+1]) {
				if n = h.literal(src[i:], len(dst)-i, atEOF); n == 0 {
					break
				}
			}
			i += copy(dst[i:], src[i:i+n])
			i += octet.CopyToEither(dst[i:], src[i:], stop)
		}
	}
	if i > 0 {
		return decode.Run{In: i, Out: i, InUnit: 1, OutUnit: 1}, false
	}
	if len(src) == 0 {
		return decode.Run{}, true
	}
	switch c := src[0]; {
	case c == '&':
		return h.reference(dst, src, atEOF)
	case h.state == inText:
		return h.open(dst, src, atEOF)
	case h.state == inRCData, h.state == inRaw:
		return h.closeRaw(dst, src, atEOF)
	case h.state == inComment:
		return h.closeComment(dst, src, atEOF)
	case h.state == inDecl:
		h.state = inText
		return decode.Replace(dst, '\n', 1), false
	default: // the end of words
		h.state = inBetween
		return insertBreak(dst, h.quote), false
	}
}

// isText reports whether c, at which the state stops, is certainly text in
// front of next. It keeps runs of "<" or "&" from being turned one by one. Where
// it says no, nothing is decided yet.
func (h *Decoder) isText(c, next byte) bool {
	switch {
	case c == '<' && h.state == inText:
		return !octet.IsLetter(next) && next != '/' && next != '!' && next != '?'
	case c == '<':
		return next != '/'
	case c == '&':
		return !octet.IsLetter(next) && next != '#'
	case c == '-':
		return next != '-'
	}
	return false
}

// literal returns how many bytes of src, which begins with one at which the state stops
// and another, are text all the same, room at most: dashes that end no comment, and a
// '&' that begins no reference, which are met in rows as well. It returns 0 where that is
// not known yet. It examines room bytes, or refLen.
func (h *Decoder) literal(src []byte, room int, atEOF bool) (n int) {
	switch src[0] {
	case '-':
		for n < min(room, len(src)) && src[n] == '-' {
			n++
		}
		if n == min(room, len(src)) || src[n] == '>' || src[n] == '!' {
			return max(0, n-2)
		}
		return n
	case '&':
		for n = 1; n < min(refLen, len(src)) && (octet.IsLetter(src[n]) || octet.IsDigit(src[n])); { // takes a byte each time
			n++
		}
		if n == len(src) || src[n] == ';' || src[1] == '#' { // usually it is one
			return 0
		}
		if n, _, more := h.refs.undo(src, atEOF); n > 0 || more {
			return 0
		}
		return 1
	}
	return 0
}

// insertBreak makes a blank line of the quote around a value that is text, or,
// where there is none, of nothing: a wrapper that the tag stands in ends there.
func insertBreak(dst []byte, quote byte) decode.Run {
	dst[0], dst[1] = '\n', '\n'
	if quote == 0 {
		return decode.Run{In: 0, Out: 2, InUnit: 0, OutUnit: 2}
	}
	return decode.Run{In: 1, Out: 2, InUnit: 1, OutUnit: 2}
}

// literally makes the first byte of src text.
func literally(dst, src []byte) (decode.Run, bool) { return decode.Replace(dst, src[0], 1), false }

// reference undoes the character reference at the beginning of src, if it is
// one. It is one unit: a span that ends within what it stands for is not exact.
func (h *Decoder) reference(dst, src []byte, atEOF bool) (run decode.Run, more bool) {
	n, text, more := h.refs.undo(src, atEOF)
	switch {
	case more:
		return decode.Run{}, true
	case n == 0:
		return literally(dst, src)
	}
	return decode.Run{In: n, Out: copy(dst, text), InUnit: uint8(n), OutUnit: uint8(len(text))}, false
}

// open examines a '<' in running text. It begins a comment, a declaration or a
// tag, or is text.
func (h *Decoder) open(dst, src []byte, atEOF bool) (run decode.Run, more bool) {
	if len(src) == 1 {
		if atEOF {
			return literally(dst, src)
		}
		return decode.Run{}, true
	}
	switch c := src[1]; {
	case c == '!':
		return h.openComment(dst, src, atEOF)
	case c == '?':
		h.state = inDecl
		return decode.Replace(dst, '\n', 2), false
	case c == '/' && len(src) == 2 && !atEOF:
		return decode.Run{}, true
	case c == '/' && len(src) > 2 && octet.IsLetter(src[2]):
		return h.openTag(dst, src, 2, atEOF)
	case octet.IsLetter(c):
		return h.openTag(dst, src, 1, atEOF)
	}
	return literally(dst, src)
}

// openComment examines "<!". "<!-->" and "<!--->" are whole comments. What is no
// comment is a declaration, up to the next '>', whatever it holds; that splits
// an internal subset and a CDATA section, and loses nothing of them.
func (h *Decoder) openComment(dst, src []byte, atEOF bool) (run decode.Run, more bool) {
	const longest = len("<!--->")
	if !atEOF && len(src) < longest && bytes.HasPrefix([]byte("<!--->"), src) {
		return decode.Run{}, true
	}
	switch {
	case bytes.HasPrefix(src, []byte("<!-->")):
		return decode.Replace(dst, '\n', 5), false
	case bytes.HasPrefix(src, []byte("<!--->")):
		return decode.Replace(dst, '\n', 6), false
	case bytes.HasPrefix(src, []byte("<!--")):
		h.state = inComment
		return decode.Replace(dst, '\n', 4), false
	}
	h.state = inDecl
	return decode.Replace(dst, '\n', 2), false
}

// closeComment examines a '-' in a comment: "-->" and "--!>" end it. Of a line
// of dashes only the last two can begin an end.
func (h *Decoder) closeComment(dst, src []byte, atEOF bool) (run decode.Run, more bool) {
	n := 0
	for n < min(len(dst), len(src)) && src[n] == '-' {
		n++
	}
	if n > 2 {
		return decode.Run{In: n - 2, Out: copy(dst, src[:n-2]), InUnit: 1, OutUnit: 1}, false
	}
	for _, end := range [...]string{"-->", "--!>"} {
		if len(src) >= len(end) && string(src[:len(end)]) == end {
			h.state = inText
			return decode.Replace(dst, '\n', len(end)), false
		}
		if !atEOF && len(src) < len(end) && string(src) == end[:len(src)] {
			return decode.Run{}, true
		}
	}
	return literally(dst, src)
}

// closeRaw examines a '<' in an element that holds no other: only its own end
// tag ends it. The comparison goes no further than its name.
func (h *Decoder) closeRaw(dst, src []byte, atEOF bool) (run decode.Run, more bool) {
	name := h.tag.name
	for i := range 2 + len(name) {
		if i == len(src) {
			if atEOF {
				return literally(dst, src)
			}
			return decode.Run{}, true
		}
		var want byte
		switch i {
		case 0:
			want = '<'
		case 1:
			want = '/'
		default:
			want = name[i-2]
		}
		if c := src[i]; c != want && (i < 2 || c|0x20 != want) {
			return literally(dst, src)
		}
	}
	return h.openTag(dst, src, 2, atEOF)
}
