package html

import (
	"bytes"
	"html"
	"strings"
	"unicode/utf8"

	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

// refLen bounds a character reference with its '&' and ';'. The longest name
// has 31 letters.
const refLen = 34

// Character references, as HTML 13.2.5.72 and on has them, but for names that
// nothing ends.

// A refCache remembers what names of character references stand for. The table
// of names is that of package html, which is only reached through a function
// that allocates; each name is asked for once, and again only when another
// name has taken its slot. The size is fixed.
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

// undo returns the length of the character reference at the beginning of src,
// which begins with any byte, and what it stands for, good until the next call.
// n is 0 if there is none; more means that src is too short to tell.
//
// A name without ';' is one only if neither '=' nor a letter or digit follows,
// since "?x=1&copy=2&lt=3" is a list of parameters, in text as in a value.
func (r *refCache) undo(src []byte, atEOF bool) (n int, text []byte, more bool) {
	if len(src) == 0 || src[0] != '&' {
		return 0, nil, false
	}
	if len(src) > 1 && src[1] == '#' {
		return r.number(src, atEOF)
	}
	// All of the name is examined: a name that only begins with a known one
	// ("&notit;") is not one, other than in a browser, which would show "¬it;".
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
	if text = r.look(src[1:n]); text == nil {
		return 0, nil, false
	}
	return n, text, false
}

// undoAll appends src to dst with its references undone. Each iteration of its loop
// takes what stands before a '&', and the reference.
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

// number is undo for "&#". Unlike a name a number needs no ';'.
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
		c = min(c*base+d, utf8.MaxRune+1) // no overflow: at most 16 times that
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

// look returns what name stands for, or nil. A name that stands for nothing is
// remembered too, since "?a=1&b" may come as often as "&amp;".
func (r *refCache) look(name []byte) []byte {
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

// named asks package html for a name, and returns "" if it has none. That
// package also takes a name that only begins with one of those that need no
// ';'; then something is left after what it stands for. (It lacks two names,
// nLt and nGt, whose characters take more bytes than the name.)
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
