package html

import (
	"bytes"
	"html"
	"strings"
	"unicode/utf8"

	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

// refLen bounds the length of a character reference in bytes, with its '&' and ';'. The longest
// name has 31 letters.
const refLen = 34

// Character references are read as HTML 13.2.5.72 and the following sections say, except for
// names without ';' (see undo).

// A refCache remembers the text of named character references. Package html of the standard library
// knows the names, but its only exported function for them allocates. So each name is looked up
// once, and again only after another name has taken its slot. The size is fixed. Without the cache,
// a mailing list as HTML, where each quoted line begins with "&gt;", takes 1.4 times the processor
// time, and mail with parts in HTML 1.03 times.
type refCache struct {
	slots *[256]refSlot
	num   [utf8.UTFMax]byte // the character that a number stands for
}

type refSlot struct {
	name [refLen]byte // without '&', with ';' if it has one
	n    uint8
	len  uint8 // of text; 0 if the name stands for nothing
	text [12]byte
}

// undo decodes the character reference at the beginning of src. It returns its length and
// its text, which is valid until the next call. n is 0 if src begins with no reference;
// more means that src is too short to decide.
//
// A name without ';' is decoded only if neither '=' nor a letter or digit follows:
// "?x=1&copy=2&lt=3" is a list of parameters, in text as in a value.
func (r *refCache) undo(src []byte, atEOF bool) (n int, text []byte, more bool) {
	if len(src) == 0 || src[0] != '&' {
		return 0, nil, false
	}
	if len(src) > 1 && src[1] == '#' {
		return r.number(src, atEOF)
	}
	// All of the name is examined: a name that only begins with a known one
	// ("&notit;") is unknown here. A browser would show "¬it;".
	n = 1
	for n < len(src) && (octet.IsLetter(src[n]) || octet.IsDigit(src[n])) {
		if n++; n >= refLen {
			return 0, nil, false
		}
	}
	if n == len(src) && !atEOF {
		return 0, nil, true
	}
	switch {
	case n == 1:
		return 0, nil, false
	case n < len(src) && src[n] == ';':
		n++
	case n < len(src) && src[n] == '=':
		return 0, nil, false
	}
	if text = r.lookUp(src[1:n]); text == nil {
		return 0, nil, false
	}
	return n, text, false
}

// undoAll appends src to dst with its references decoded.
func (r *refCache) undoAll(dst, src []byte) []byte {
	for {
		k := bytes.IndexByte(src, '&')
		if k < 0 {
			return append(dst, src...)
		}
		n, text, _ := r.undo(src[k:], true)
		if n == 0 {
			k++
		}
		dst = append(append(dst, src[:k]...), text...)
		src = src[k+n:]
	}
}

// number is undo for "&#". Unlike a name, a number needs no ';'.
func (r *refCache) number(src []byte, atEOF bool) (n int, text []byte, more bool) {
	n, base := 2, rune(10)
	if n < len(src) && src[n]|0x20 == 'x' {
		n, base = 3, 16
	}
	first := n
	var c rune
	for ; n < len(src); n++ {
		d := rune(octet.Hex[src[n]])
		if d >= base {
			break
		}
		if n >= refLen {
			return 0, nil, false
		}
		c = min(c*base+d, utf8.MaxRune+1) // c stays below 1<<21, so c*base does not overflow
	}
	switch {
	case n == len(src) && !atEOF:
		return 0, nil, true
	case n == first:
		return 0, nil, false
	}
	if n < len(src) && src[n] == ';' {
		n++
	}
	if 0x80 <= c && c < 0xA0 {
		c = octet.Windows1252[c-0x80]
	}
	if c == 0 {
		c = utf8.RuneError
	}
	return n, r.num[:utf8.EncodeRune(r.num[:], c)], false
}

// lookUp returns the text of a name, or nil. Unknown names are remembered too, since "?a=1&b"
// may come as often as "&amp;".
func (r *refCache) lookUp(name []byte) []byte {
	if r.slots == nil {
		r.slots = new([256]refSlot)
	}
	hash := uint32(2166136261)
	for _, c := range name {
		hash = (hash ^ uint32(c)) * 16777619
	}
	s := &r.slots[hash>>24]
	if string(s.name[:s.n]) != string(name) {
		s.n = uint8(copy(s.name[:], name))
		s.len = uint8(copy(s.text[:], named(string(name))))
	}
	if s.len == 0 {
		return nil
	}
	return s.text[:s.len]
}

// named looks a name up in package html, and returns "" if it is unknown. That package also
// decodes a known name at the beginning of a longer one: "notit;" becomes "¬it;". For such a name,
// named returns "". (The package lacks the names nLt and nGt, whose text has more bytes than the
// name.)
func named(name string) string {
	u := html.UnescapeString("&" + name)
	switch {
	case strings.HasPrefix(u, "&") && len(u) > 1:
		return ""
	case strings.HasSuffix(name, ";"):
		if strings.HasSuffix(u, ";") && u != ";" {
			return ""
		}
	case utf8.RuneCountInString(u) != 1:
		return ""
	}
	return u
}
