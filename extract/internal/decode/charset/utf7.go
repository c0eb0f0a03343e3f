package charset

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

// utf7Group is a number of letters of base64 that is a whole number of code units: 8 letters
// are 3 code units.
const utf7Group = 8

// utf7Stretch is how much ASCII is copied at once.
const utf7Stretch = 256

// A utf7Decoder decodes UTF-7 (RFC 2152). ASCII is copied in stretches. The letters of
// base64 after a '+' are decoded in units of at most three code units. The first unit
// includes the '+', and the last one the '-', so that the span of a single character
// ("+AD0-") includes both. Each unit is examined as a whole, 10 bytes at most.
//
// A '+' that no complete code unit follows (fewer than three letters, or bits left over that
// are not zero) is text: most such text is not UTF-7 at all.
type utf7Decoder struct {
	shifted bool
	high    rune // first half of a surrogate pair, or 0
}

func (d *utf7Decoder) Reset() { *d = utf7Decoder{} }

// Decode implements [decode.Decoder].
func (d *utf7Decoder) Decode(dst, src []byte, atEOF bool) (decode.Conversion, error) {
	if d.shifted {
		if conv, more := d.group(dst, src, 0, atEOF); more || conv.In > 0 || conv.Out > 0 {
			return conv, nil
		}
	}
	n := min(len(dst), len(src), utf7Stretch) // bounded, since it is searched again after each byte that is not ASCII
	if plus := bytes.IndexByte(src[:n], '+'); plus >= 0 {
		n = plus
	}
	if conv := copySevenBit(dst, src[:n]); conv.In > 0 {
		return conv, nil
	}
	switch {
	case len(src) == 0:
		return decode.Conversion{}, nil
	case src[0] != '+':
		return decode.Conversion{In: 1, Out: copy(dst, replacement), InUnit: 1, OutUnit: 3}, nil
	case len(src) > 1 && src[1] == '-':
		return decode.Replace(dst, '+', 2), nil
	}
	conv, more := d.group(dst, src, 1, atEOF)
	if conv.In == 0 && !more {
		return decode.Replace(dst, '+', 1), nil
	}
	return conv, nil
}

// group converts the letters of base64 at src[from:]: eight of them, or those up to the end
// of the shift. src[:from] is the '+', or empty inside a shift. If there is nothing to
// convert, the Conversion is empty.
func (d *utf7Decoder) group(dst, src []byte, from int, atEOF bool) (conv decode.Conversion, more bool) {
	var acc uint64
	n := 0
	for n < utf7Group && from+n < len(src) && octet.Base64[src[from+n]] > 0 {
		acc = acc<<6 | uint64(octet.Base64[src[from+n]]-1)
		n++
	}
	in := from + n
	if in == len(src) && n < utf7Group && !atEOF {
		return decode.Conversion{}, true
	}
	left := uint(n*6) % 16
	if n < utf7Group && from > 0 && (n < 3 || left >= 6 || acc&(1<<left-1) != 0) {
		return decode.Conversion{}, false
	}
	d.shifted = n == utf7Group
	out := 0
	for shift := n*6 - 16; shift >= 0; shift -= 16 {
		out += d.unit(dst[out:], rune(acc>>shift&0xFFFF))
	}
	if !d.shifted {
		if d.high != 0 {
			out += d.unit(dst[out:], 0)
			out-- // without the 0 that was appended to end the pair
		}
		if in < len(src) && src[in] == '-' {
			in++
		}
	}
	return decode.Conversion{In: in, Out: out, InUnit: uint8(in), OutUnit: uint8(out)}, false
}

// unit writes the characters that the code unit u completes to dst, and returns their length.
func (d *utf7Decoder) unit(dst []byte, u rune) (n int) {
	high := d.high
	d.high = 0
	if high != 0 {
		if r := utf16.DecodeRune(high, u); r != utf8.RuneError {
			return utf8.EncodeRune(dst, r)
		}
		n = utf8.EncodeRune(dst, utf8.RuneError)
	}
	if 0xD800 <= u && u < 0xDC00 {
		d.high = u
		return n
	}
	return n + utf8.EncodeRune(dst[n:], u)
}
