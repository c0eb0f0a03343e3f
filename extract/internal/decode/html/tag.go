package html

import (
	"bytes"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

// nameCap bounds the names of tags and attributes that mean something here.
// Longer names are skipped, whatever their length, and mean nothing.
const nameCap = 32

// endsName has the bytes that end the name of a tag, and of an attribute, for which
// '=' does too.
var endsName = [256]bool{'>': true, '/': true, ' ': true, '\t': true, '\n': true, '\f': true, '\r': true}

// openTag examines "<" or "</", which is at bytes long, in front of a letter.
// It takes the '<' and leaves in its place what parts the words around the tag;
// the name is examined ahead, up to nameCap, and removed by markup like the
// rest, so that a tag may be of any length. In an element that holds no other,
// only its own end tag is one.
func (h *Decoder) openTag(dst, src []byte, at int, atEOF bool) (run decode.Run, more bool) {
	n := 0
	var name [nameCap]byte
	for ; n < nameCap; n++ {
		if at+n == len(src) {
			if atEOF {
				return literally(dst, src)
			}
			return decode.Run{}, true
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
				return decode.Run{}, true
			}
		}
		name[n] = octet.Lower(c)
	}
	raw := h.state != inText
	info := h.names.tags.get(name[:n])
	if raw && info != h.tag {
		return literally(dst, src) // it only begins like ours
	}
	if info == nil {
		info = &unknownTag
	}
	h.tag, h.endTag = info, at == 2
	h.state = inTag
	if h.tag.part == 0 {
		return decode.Run{In: 1}, false
	}
	return decode.Replace(dst, h.tag.part, 1), false
}

// wrapsReference reports whether a name in front of rest, which begins with ':'
// or '@', is not a tag's but that of a reference or an address in angle brackets,
// as people write it even in HTML: <http://a/>, <URL:x>, <mailto:x>, <x@host>.
// A browser shows nothing of those, but nobody meant that. Other names with a
// colon are XML's, with a prefix: <svg:a>, <o:p>.
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

// markup takes bytes out that lie within a tag, until one ends the tag or a
// value that matters begins or ends. Each iteration of its loop takes a byte or
// changes to a state that does. Its states are those of HTML 13.2.5, with the
// ones that make no difference here put together; what that section calls a
// parse error is read on as it says.
func (h *Decoder) markup(dst, src []byte, atEOF bool) (run decode.Run, more bool) {
	i := 0
	for i < len(src) {
		c := src[i]
		white := octet.IsSpace(c)
		switch h.state {
		case inTag: // the rest of the name, of any length
			for !endsName[c] && i+1 < len(src) {
				i++
				c = src[i]
			}
			if endsName[c] {
				h.state, h.slash = inBetween, false
				continue
			}
			i++

		case inBetween:
			i++
			switch {
			case c == '>':
				h.endOfTag()
				return decode.Run{In: i}, false
			case c == '/':
				h.slash = true
			case !white: // also '=', which begins a name if nothing stands before
				h.slash = false
				h.name[0], h.named = octet.Lower(c), 1
				h.state = inName
			}

		case inName:
			n := h.named
			for c != '=' && !endsName[c] {
				if n < nameCap {
					h.name[n] = octet.Lower(c)
				}
				n = min(n, nameCap) + 1 // too long is too long
				if i++; i == len(src) {
					h.named = n
					return decode.Run{In: i}, false
				}
				c = src[i]
			}
			h.named = n
			switch c {
			case '=':
				h.state = inEquals
				i++
			case '>', '/':
				h.state = inBetween
			default:
				h.state = inAfter
			}

		case inAfter: // a '=' may still come
			switch {
			case c == '=':
				h.state = inEquals
				i++
			case white:
				i++
			default:
				h.state = inBetween
			}

		case inEquals:
			switch {
			case white:
				i++
			case c == '>': // no value at all
				h.state = inBetween
			case c == '"' || c == '\'':
				h.state, h.quote = inValue, c // taken there: it may become a line break
			default:
				h.state, h.quote = inValue, 0
			}

		case inValue:
			verdict := h.judge(src[i:], atEOF)
			if i > 0 && (verdict == isWords || verdict == needMore) {
				return decode.Run{In: i}, false // so that a line break has a place of its own
			}
			switch verdict {
			case needMore:
				return decode.Run{}, true
			case isWords:
				h.state = inWords
				return insertBreak(dst, h.quote), false
			}
			if h.quote != 0 {
				i++
			}
			h.state = inDropped
			if verdict == isKept {
				h.state = inKept
				h.raw, h.rawStart, h.over = h.raw[:0], h.pos+int64(i), false
			}

		default: // inDropped, inKept
			i += h.through(src[i:])
			if h.state == inHanded {
				return decode.Run{In: i}, false
			}
		}
	}
	return decode.Run{In: i}, i == 0
}

// endOfTag continues after the '>' of a tag. XHTML closes a script by "/>",
// and what is not XHTML but does so too is read on as if it were.
func (h *Decoder) endOfTag() {
	h.state = inText
	if !h.endTag && !h.slash {
		h.state = h.tag.inside
	}
}

// through takes as much of src as belongs to the value that it begins in, keeps
// it if it is to be kept, and continues after the value if it ends in src.
func (h *Decoder) through(src []byte) (n int) {
	n = h.valueLen(src)
	if h.state == inKept {
		h.keep(src[:n])
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

// valueLen returns how many bytes of src belong to the value that src begins in.
func (h *Decoder) valueLen(src []byte) int {
	if h.quote != 0 {
		if n := bytes.IndexByte(src, h.quote); n >= 0 {
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
