package html

import (
	"bytes"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

// This file converts bytes to text. All states of text share one loop. It continues while bytes
// are certainly text, and calls a function for each place where markup may begin or end. That
// function returns a Conversion of what it found, asks for more input, or decides that the
// bytes are text.

// stops has, for each state of text, the two bytes at which stretch stops; the two may be equal. In
// inWords it stops at the quote of the value, and in inRest nowhere.
var stops = [textStates][2]byte{
	inText: {'<', '&'}, inRCData: {'<', '&'}, inRaw: {'<', '<'}, inComment: {'-', '-'}, inDecl: {'>', '>'},
}

// stretch converts the beginning of src in a state of text. It copies bytes up to the first that
// may be markup, or reads the markup if src begins with it. Its loop examines each byte once. The
// byte at which the loop stops is examined again in the next call, within the bounds that html.go
// states.
func (h *Decoder) stretch(dst, src []byte, atEOF bool) (conv decode.Conversion, more bool) {
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
			if !h.state.isText(src[i], src[i+1]) {
				if n = h.literal(src[i:], len(dst)-i, atEOF); n == 0 {
					break
				}
			}
			i += copy(dst[i:], src[i:i+n])
			i += octet.CopyToEither(dst[i:], src[i:], stop)
		}
	}
	if i > 0 {
		return decode.Conversion{In: i, Out: i, InUnit: 1, OutUnit: 1}, false
	}
	if len(src) == 0 {
		return decode.Conversion{}, true
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

// isText reports whether c, at which s stops, is certainly text if next follows it. So a row of
// "<" or "&" is not converted byte by byte. A false result decides nothing.
func (s state) isText(c, next byte) bool {
	switch {
	case c == '<' && s == inText:
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

// literal returns how many bytes at the beginning of src are text although the state stops at
// the first of them: dashes that end no comment, or a '&' that begins no reference. Both may
// come in long rows. It returns at most room, and 0 if more input or [Decoder.reference] must
// decide. It examines at most room bytes, or refLen.
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
		if n == len(src) || src[n] == ';' || src[1] == '#' { // may be a reference: h.reference decides
			return 0
		}
		if n, _, more := h.refs.undo(src, atEOF); n > 0 || more {
			return 0
		}
		return 1
	}
	return 0
}

// reference decodes a character reference at the beginning of src, as one unit. A span that
// begins or ends within its text is not exact.
func (h *Decoder) reference(dst, src []byte, atEOF bool) (conv decode.Conversion, more bool) {
	n, text, more := h.refs.undo(src, atEOF)
	switch {
	case more:
		return decode.Conversion{}, true
	case n == 0:
		return literally(dst, src)
	}
	return decode.Conversion{In: n, Out: copy(dst, text), InUnit: uint8(n), OutUnit: uint8(len(text))}, false
}

// open reads a '<' in running text. It begins a comment, a declaration or a tag, or is
// text.
func (h *Decoder) open(dst, src []byte, atEOF bool) (conv decode.Conversion, more bool) {
	if len(src) == 1 {
		if atEOF {
			return literally(dst, src)
		}
		return decode.Conversion{}, true
	}
	switch c := src[1]; {
	case c == '!':
		return h.openComment(dst, src, atEOF)
	case c == '?':
		h.state = inDecl
		return decode.Replace(dst, '\n', 2), false
	case c == '/' && len(src) == 2 && !atEOF:
		return decode.Conversion{}, true
	case c == '/' && len(src) > 2 && octet.IsLetter(src[2]):
		return h.openTag(dst, src, 2, atEOF)
	case octet.IsLetter(c):
		return h.openTag(dst, src, 1, atEOF)
	}
	return literally(dst, src)
}

// openComment reads "<!". "<!-->" and "<!--->" are whole comments. Anything that is no
// comment is a declaration up to the next '>'. This splits internal subsets and CDATA
// sections, but loses nothing of them.
func (h *Decoder) openComment(dst, src []byte, atEOF bool) (conv decode.Conversion, more bool) {
	const longest = len("<!--->")
	if !atEOF && len(src) < longest && bytes.HasPrefix([]byte("<!--->"), src) {
		return decode.Conversion{}, true
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
	if !h.Identifiers {
		const doctype = "<!doctype"
		n := min(len(src), len(doctype))
		if bytes.EqualFold(src[:n], []byte(doctype[:n])) {
			if n < len(doctype) && !atEOF {
				return decode.Conversion{}, true
			}
			h.state, h.quote = inDoctype, 0
			h.value.reset(h.pos)
			return decode.Replace(dst, '\n', 2), false
		}
	}
	h.state = inDecl
	return decode.Replace(dst, '\n', 2), false
}

// closeComment reads a '-' in a comment. "-->" and "--!>" end the comment. In a row of dashes
// only the last two can begin such an end.
func (h *Decoder) closeComment(dst, src []byte, atEOF bool) (conv decode.Conversion, more bool) {
	n := 0
	for n < min(len(dst), len(src)) && src[n] == '-' {
		n++
	}
	if n > 2 {
		return decode.Conversion{In: n - 2, Out: copy(dst, src[:n-2]), InUnit: 1, OutUnit: 1}, false
	}
	for _, end := range [...]string{"-->", "--!>"} {
		if len(src) >= len(end) && string(src[:len(end)]) == end {
			h.state = inText
			return decode.Replace(dst, '\n', len(end)), false
		}
		if !atEOF && len(src) < len(end) && string(src) == end[:len(src)] {
			return decode.Conversion{}, true
		}
	}
	return literally(dst, src)
}

// closeRaw reads a '<' in an element that holds no other element. Only the end tag with the
// element's own name ends it. closeRaw compares no further than the name.
func (h *Decoder) closeRaw(dst, src []byte, atEOF bool) (conv decode.Conversion, more bool) {
	name := h.tag.info.name
	for i := range 2 + len(name) {
		if i == len(src) {
			if atEOF {
				return literally(dst, src)
			}
			return decode.Conversion{}, true
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
