package html

import (
	"bytes"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

// maxDoctype is how much of a document type is dropped. What follows is text.
const maxDoctype = 1 << 10

// endsName has the bytes that end the name of a tag. The name of an attribute ends at '='
// too.
var endsName = [256]bool{'>': true, '/': true, ' ': true, '\t': true, '\n': true, '\f': true, '\r': true}

// openTag reads the beginning of a tag whose name begins at src[at]: at is 1 after "<" and 2 after
// "</". It replaces the '<' with what separates the words around the tag. It compares the first
// nameCap bytes of the name. markup then removes the name with the rest of the tag, which may have
// any length. In an element such as script, only the end tag of that element is a tag.
func (h *Decoder) openTag(dst, src []byte, at int, atEOF bool) (conv decode.Conversion, more bool) {
	n := 0
	var name [nameCap]byte
	for ; n < nameCap; n++ {
		if at+n == len(src) {
			if atEOF {
				return literally(dst, src)
			}
			return decode.Conversion{}, true
		}
		c := src[at+n]
		if c == '>' || c == '/' || octet.IsSpace(c) {
			break
		}
		if c == ':' || c == '@' {
			if more, text := wrapsReference(name[:n], src[at+n:], atEOF); more || text {
				if text {
					return literally(dst, src)
				}
				return decode.Conversion{}, true
			}
		}
		name[n] = octet.Lower(c)
	}
	raw := h.state != inText
	info := h.names.tags.get(name[:n])
	if raw && info != h.tag.info {
		return literally(dst, src) // the name only begins like that of the open element
	}
	if info == nil {
		info = &unknownTag
	}
	h.tag.info, h.tag.end = info, at == 2
	h.state = inTag
	if info.part == 0 {
		return decode.Conversion{In: 1}, false
	}
	return decode.Replace(dst, info.part, 1), false
}

// wrapsReference reports whether a name belongs to a reference or an address in angle brackets
// and not to a tag. rest follows the name and begins with ':' or '@'. People write <http://a/>,
// <URL:x>, <mailto:x> and <x@host> even in HTML, although browsers hide them. Other names with
// a colon are XML names with a prefix: <svg:a>, <o:p>. more means that rest is too short to decide.
func wrapsReference(name, rest []byte, atEOF bool) (more, text bool) {
	if rest[0] == '@' {
		return false, true
	}
	switch string(name) {
	case "url", "uri", "mailto", "news", "mid", "cid", "urn", "tel":
		return false, true
	}
	if len(rest) < 3 && !atEOF && bytes.HasPrefix([]byte("://"), rest) {
		return true, false
	}
	return false, bytes.HasPrefix(rest, []byte("://"))
}

// markup removes the bytes of a tag, until the tag ends or a value that matters begins or
// ends. Each iteration of its loop consumes a byte or changes to a state that does. The
// states are those of HTML 13.2.5, where equivalent states are joined; what that section
// calls a parse error is read as it prescribes.
func (h *Decoder) markup(dst, src []byte, atEOF bool) (conv decode.Conversion, more bool) {
	i := 0
	for i < len(src) {
		switch h.state {
		case inTag: // the rest of the name, of any length
			for !endsName[src[i]] {
				if i++; i == len(src) {
					return decode.Conversion{In: i}, false
				}
			}
			h.state, h.tag.slash = inBetween, false

		case inBetween:
			c := src[i]
			i++
			switch {
			case c == '>':
				h.state = h.tag.after()
				return decode.Conversion{In: i}, false
			case c == '/':
				h.tag.slash = true
			case !octet.IsSpace(c): // also '=', which begins a name if there is none yet
				h.tag.slash = false
				h.attr.bytes[0], h.attr.named = octet.Lower(c), 1
				h.state = inName
			}

		case inName:
			i += h.attributeName(src[i:])

		case inAfter, inEquals:
			i += h.afterName(src[i])

		case inValue:
			use := h.valueUse(src[i:], atEOF)
			if i > 0 && (use == isWords || use == needMore) {
				return decode.Conversion{In: i}, false // the line break needs a Conversion of its own
			}
			switch use {
			case needMore:
				return decode.Conversion{}, true
			case isWords:
				h.state = inWords
				return insertBreak(dst, h.quote), false
			}
			if h.quote != 0 {
				i++
			}
			h.state = inDropped
			if use == isKept {
				h.state = inKept
				h.value.reset(h.pos + int64(i))
			}

		case inDoctype:
			i += h.doctype(src[i], h.pos+int64(i))
			if h.state != inDoctype {
				return decode.Conversion{In: i}, false
			}

		default: // inDropped, inKept
			i += h.through(src[i:])
			if h.state == inHanded {
				return decode.Conversion{In: i}, false
			}
		}
	}
	return decode.Conversion{In: i}, i == 0
}

// attributeName consumes the bytes of src that belong to the name of an attribute, and keeps the
// first nameCap of the name. If the name ends in src, it sets the next state.
func (h *Decoder) attributeName(src []byte) int {
	n := h.attr.named
	for i, c := range src {
		if c == '=' {
			h.attr.named, h.state = n, inEquals
			return i + 1
		}
		if endsName[c] {
			h.attr.named, h.state = n, inAfter
			return i
		}
		if n < nameCap {
			h.attr.bytes[n] = octet.Lower(c)
		}
		n = min(n, nameCap) + 1 // any length above nameCap is stored as nameCap+1
	}
	h.attr.named = n
	return len(src)
}

// afterName sets the next state by c, which follows the name of an attribute or the '=' after it.
// It returns 1 if it consumes c, otherwise 0.
func (h *Decoder) afterName(c byte) int {
	switch {
	case octet.IsSpace(c): // in inAfter, a '=' may still come
		return 1
	case h.state == inAfter && c == '=':
		h.state = inEquals
		return 1
	case h.state == inAfter || c == '>': // there is no value
		h.state = inBetween
	case c == '"' || c == '\'':
		h.state, h.quote = inValue, c // inValue consumes the quote, which may become a line break
	default:
		h.state, h.quote = inValue, 0
	}
	return 0
}

// doctype consumes c, a byte of a document type whose offset is at, and sets the next state if the
// document type ends there or is too long. It returns 0 if c is the '<' of the next tag, otherwise
// 1.
func (h *Decoder) doctype(c byte, at int64) int {
	switch {
	case c == '<': // the document type has no end
		h.state = inText
		return 0
	case at+1-h.value.start >= maxDoctype:
		h.state = inDecl
	case c == '>':
		h.state = inText
	case c == '[' && h.quote == 0: // the internal subset, which is text
		h.state = inDecl
	case c == h.quote:
		h.quote = 0
	case (c == '"' || c == '\'') && h.quote == 0:
		h.quote = c
	}
	return 1
}

// after returns the state after the '>' of the tag. "/>" closes a script in XHTML, and in
// documents that only look like XHTML.
func (t *tag) after() state {
	if t.end || t.slash {
		return inText
	}
	return t.info.inside
}

// through consumes the bytes of src that belong to the current value, and keeps them if the
// value is kept. If the value ends in src, it sets the next state.
func (h *Decoder) through(src []byte) (n int) {
	n = valueLen(src, h.quote)
	if h.state == inKept {
		h.value.keep(src[:n], h.MaxValue)
	}
	if n == len(src) {
		return n
	}
	if h.quote != 0 {
		n++
	}
	if h.state == inKept {
		h.state = inHanded
	} else {
		h.state = inBetween
	}
	return n
}

// valueLen returns how many bytes of src belong to a value with that quote around it.
func valueLen(src []byte, quote byte) int {
	if quote != 0 {
		if n := bytes.IndexByte(src, quote); n >= 0 {
			return n
		}
		return len(src)
	}
	for i, c := range src {
		if c == '>' || octet.IsSpace(c) {
			return i
		}
	}
	return len(src)
}
