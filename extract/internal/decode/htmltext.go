package decode

import "bytes"

// Here bytes become text. All states in which they do so share one loop, which
// goes on while bytes are text for certain and leaves the rest to the function
// for what may begin or end there. Such a function returns a Run for what it
// found, or asks for more source, or says that it is text after all.

// Marks of bytes at which a state has to look closer.
const (
	lt   = 1 << iota // '<'
	gt               // '>'
	amp              // '&'
	dash             // '-'
	dq               // '"'
	sq               // '\''
	ws               // white space as HTML has it
)

var marks = [256]uint8{
	'<': lt, '>': gt, '&': amp, '-': dash, '"': dq, '\'': sq,
	' ': ws, '\t': ws, '\n': ws, '\f': ws, '\r': ws,
}

// stops has the bytes that each state of text stops at, which may be one and the
// same; inWords has its own, and inRest none.
var stops = [textStates][2]byte{
	inText: {'<', '&'}, inRCData: {'<', '&'}, inRaw: {'<', '<'}, inComment: {'-', '-'}, inDecl: {'>', '>'},
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }

// stretch turns bytes of a state in which bytes are text: as they are, up to
// one that is markup, or else that markup. Its loop looks at a byte once; one
// at which it stops is looked at again, up to the bounds of html.go, when it is
// the first.
func (h *HTML) stretch(dst, src []byte, atEOF bool) (run Run, more bool) {
	stop := stops[h.state]
	i := 0
	switch {
	case h.state == inRest:
		i = copy(dst, src)
	case h.state == inWords && h.quote == 0:
		for i < min(len(dst), len(src)) && src[i] != '>' && src[i] != '&' && marks[src[i]]&ws == 0 {
			dst[i] = src[i]
			i++
		}
	default:
		if h.state == inWords {
			stop = [2]byte{h.quote, '&'}
		}
		i = copyToEither(dst, src, stop)
		for i < len(dst) && i+1 < len(src) {
			n := 1
			if !h.isText(src[i], src[i+1]) {
				if n = h.literal(src[i:], len(dst)-i, atEOF); n == 0 {
					break
				}
			}
			i += copy(dst[i:], src[i:i+n])
			i += copyToEither(dst[i:], src[i:], stop)
		}
	}
	if i > 0 {
		return Run{i, i, 1, 1}, false
	}
	if len(src) == 0 {
		return Run{}, true
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
		return replace(dst, '\n', 1), false
	default: // the end of words
		h.state = inBetween
		return insertBreak(dst, h.quote), false
	}
}

// isText reports whether c, at which the state stops, is certainly text in
// front of next. It keeps runs of "<" or "&" from being turned one by one. Where
// it says no, nothing is decided yet.
func (h *HTML) isText(c, next byte) bool {
	switch {
	case c == '<' && h.state == inText:
		return !isLetter(next) && next != '/' && next != '!' && next != '?'
	case c == '<':
		return next != '/'
	case c == '&':
		return !isLetter(next) && next != '#'
	case c == '-':
		return next != '-'
	}
	return false
}

// literal returns how many bytes of src, which begins with one at which the state stops
// and another, are text all the same, room at most: dashes that end no comment, and a
// '&' that begins no reference, which are met in rows as well. It returns 0 where that is
// not known yet. It looks at room bytes, or refLen.
func (h *HTML) literal(src []byte, room int, atEOF bool) (n int) {
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
		for n = 1; n < min(refLen, len(src)) && (isLetter(src[n]) || isDigit(src[n])); { // takes a byte each time
			n++
		}
		if n == len(src) || src[n] == ';' || src[1] == '#' { // most often it is one
			return 0
		}
		if n, _, more := h.refs.undo(src, atEOF); n > 0 || more {
			return 0
		}
		return 1
	}
	return 0
}

// replace makes c of n bytes of source. What is put in the place of markup stands
// where the markup begins, so that it can be told by its offset as well.
func replace(dst []byte, c byte, n int) Run {
	dst[0] = c
	return Run{n, 1, uint8(n), 1}
}

// insertBreak makes a blank line of the quote around a value that is text, or,
// where there is none, of nothing: a wrapper that the tag stands in ends there.
func insertBreak(dst []byte, quote byte) Run {
	dst[0], dst[1] = '\n', '\n'
	if quote == 0 {
		return Run{0, 2, 0, 2}
	}
	return Run{1, 2, 1, 2}
}

// literally makes the first byte of src text.
func literally(dst, src []byte) (Run, bool) { return replace(dst, src[0], 1), false }

// reference undoes the character reference at the beginning of src, if it is
// one. It is one unit: a span that ends within what it stands for is not exact.
func (h *HTML) reference(dst, src []byte, atEOF bool) (run Run, more bool) {
	n, text, more := h.refs.undo(src, atEOF)
	switch {
	case more:
		return Run{}, true
	case n == 0:
		return literally(dst, src)
	}
	return Run{n, copy(dst, text), uint8(n), uint8(len(text))}, false
}

// open looks at a '<' in running text. It begins a comment, a declaration or a
// tag, or is text.
func (h *HTML) open(dst, src []byte, atEOF bool) (run Run, more bool) {
	if len(src) == 1 {
		if atEOF {
			return literally(dst, src)
		}
		return Run{}, true
	}
	switch c := src[1]; {
	case c == '!':
		return h.openComment(dst, src, atEOF)
	case c == '?':
		h.state = inDecl
		return replace(dst, '\n', 2), false
	case c == '/' && len(src) == 2 && !atEOF:
		return Run{}, true
	case c == '/' && len(src) > 2 && isLetter(src[2]):
		return h.openTag(dst, src, 2, atEOF)
	case isLetter(c):
		return h.openTag(dst, src, 1, atEOF)
	}
	return literally(dst, src)
}

// openComment looks at "<!". "<!-->" and "<!--->" are whole comments. What is no
// comment is a declaration, up to the next '>', whatever it holds; that splits
// an internal subset and a CDATA section, and loses nothing of them.
func (h *HTML) openComment(dst, src []byte, atEOF bool) (run Run, more bool) {
	const longest = len("<!--->")
	if !atEOF && len(src) < longest && bytes.HasPrefix([]byte("<!--->"), src) {
		return Run{}, true
	}
	switch {
	case bytes.HasPrefix(src, []byte("<!-->")):
		return replace(dst, '\n', 5), false
	case bytes.HasPrefix(src, []byte("<!--->")):
		return replace(dst, '\n', 6), false
	case bytes.HasPrefix(src, []byte("<!--")):
		h.state = inComment
		return replace(dst, '\n', 4), false
	}
	h.state = inDecl
	return replace(dst, '\n', 2), false
}

// closeComment looks at a '-' in a comment: "-->" and "--!>" end it. Of a line
// of dashes only the last two can begin an end.
func (h *HTML) closeComment(dst, src []byte, atEOF bool) (run Run, more bool) {
	n := 0
	for n < min(len(dst), len(src)) && src[n] == '-' {
		n++
	}
	if n > 2 {
		return Run{n - 2, copy(dst, src[:n-2]), 1, 1}, false
	}
	for _, end := range [...]string{"-->", "--!>"} {
		if len(src) >= len(end) && string(src[:len(end)]) == end {
			h.state = inText
			return replace(dst, '\n', len(end)), false
		}
		if !atEOF && len(src) < len(end) && string(src) == end[:len(src)] {
			return Run{}, true
		}
	}
	return literally(dst, src)
}

// closeRaw looks at a '<' in an element that holds no other: only its own end
// tag ends it. The comparison goes no further than its name.
func (h *HTML) closeRaw(dst, src []byte, atEOF bool) (run Run, more bool) {
	name := h.tag.name
	for i := range 2 + len(name) {
		if i == len(src) {
			if atEOF {
				return literally(dst, src)
			}
			return Run{}, true
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
