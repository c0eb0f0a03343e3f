package charset

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/urlsift/urlsift/extract/internal/decode"
)

// Both decoders convert a run of characters whose source length and UTF-8 length are
// constant, so that a Conversion is uniform and a Map needs few mappings. In UTF-16, 2
// bytes become 1 (ASCII), 2 or 3 bytes of UTF-8, and the 4 bytes of a surrogate pair
// become 4. In UTF-32, 4 bytes become 1 to 4. ASCII in UTF-16 is converted four characters
// at a time.
//
// A unit that encodes no character becomes U+FFFD (Unicode, section 3.9).

type utf16Decoder struct{ cs Unicode }

func (d *utf16Decoder) Reset() {}

// Decode implements [decode.Decoder]. Each iteration of its loop takes a character.
func (d *utf16Decoder) Decode(dst, src []byte, atEOF bool) (decode.Conversion, error) {
	if n := d.ascii(dst, src); n > 0 {
		return decode.Conversion{In: 2 * n, Out: n, InUnit: 2, OutUnit: 1}, nil
	}
	var in, out int
	var units decode.Conversion
	for in < len(src) && out+utf8.UTFMax <= len(dst) {
		r, size := d.char(src[in:], atEOF)
		if size == 0 {
			break
		}
		n := utf8.EncodeRune(dst[out:], r)
		if in == 0 {
			units = decode.Conversion{InUnit: uint8(size), OutUnit: uint8(n)}
		} else if n != int(units.OutUnit) || size != int(units.InUnit) {
			break // what was written after out is not output
		}
		in += size
		out += n
	}
	if in == 0 && len(src) == 1 && atEOF {
		return cutUnit(dst, src, d.cs)
	}
	units.In, units.Out = in, out
	return units, nil
}

// char returns the character at the beginning of src and its length in bytes. The
// length is 0 if src ends within the character and more input follows.
func (d *utf16Decoder) char(src []byte, atEOF bool) (r rune, size int) {
	if len(src) < 2 {
		return 0, 0
	}
	r = d.unit(src)
	if !utf16.IsSurrogate(r) {
		return r, 2
	}
	if r < 0xDC00 { // the first half of a pair
		if len(src) < 4 {
			if !atEOF {
				return 0, 0
			}
		} else if r = utf16.DecodeRune(r, d.unit(src[2:])); r != utf8.RuneError {
			return r, 4
		}
	}
	return utf8.RuneError, 2
}

// unit returns the code unit at the beginning of src, which has 2 bytes.
func (d *utf16Decoder) unit(src []byte) rune {
	if d.cs == UTF16BE {
		return rune(binary.BigEndian.Uint16(src))
	}
	return rune(binary.LittleEndian.Uint16(src))
}

// ascii converts the ASCII characters at the beginning of src and returns their
// number. Its loops stop when dst is full, src is empty, or a character is not ASCII.
func (d *utf16Decoder) ascii(dst, src []byte) (n int) {
	most := min(len(dst), len(src)/2)
	// A word has four units, the first one in the lowest bits. The bytes of a
	// big-endian unit are in the opposite order, hence another shift and mask.
	shift, high := 0, uint64(0xFF80FF80FF80FF80)
	if d.cs == UTF16BE {
		shift, high = 8, 0x80FF80FF80FF80FF
	}
	for n+4 <= most {
		w := binary.LittleEndian.Uint64(src[2*n:])
		if w&high != 0 {
			break
		}
		w >>= shift
		w = (w | w>>8) & 0x0000FFFF0000FFFF
		binary.LittleEndian.PutUint32(dst[n:], uint32(w|w>>16))
		n += 4
	}
	for ; n < most; n++ {
		c := d.unit(src[2*n:])
		if c >= utf8.RuneSelf {
			break
		}
		dst[n] = byte(c)
	}
	return n
}

type utf32Decoder struct{ cs Unicode }

func (d *utf32Decoder) Reset() {}

// Decode implements [decode.Decoder]. Each iteration of its loop takes a character.
func (d *utf32Decoder) Decode(dst, src []byte, atEOF bool) (decode.Conversion, error) {
	if len(src) > 0 && len(src) < 4 && atEOF {
		return cutUnit(dst, src, d.cs)
	}
	var in, out, width int
	for in+4 <= len(src) && out+utf8.UTFMax <= len(dst) {
		c := binary.LittleEndian.Uint32(src[in:])
		if d.cs == UTF32BE {
			c = bits.ReverseBytes32(c)
		}
		r := rune(utf8.RuneError)
		if c <= utf8.MaxRune {
			r = rune(c) // EncodeRune replaces surrogates
		}
		n := utf8.EncodeRune(dst[out:], r)
		if in == 0 {
			width = n
		} else if n != width {
			break // what was written after out is not output
		}
		in += 4
		out += n
	}
	return decode.Conversion{In: in, Out: out, InUnit: 4, OutUnit: uint8(width)}, nil
}

// NewUnicode returns a Decoder from cs to UTF-8, or nil for UTF8, which needs none. It does not
// remove a byte order mark: start it after the mark. A mark within text is U+FEFF and is kept.
// A code unit that is no character, such as a surrogate without its partner or a number above
// U+10FFFF, becomes U+FFFD. An incomplete code unit at the end becomes U+FFFD too, and is
// reported as a *damage.Damage.
func NewUnicode(cs Unicode) decode.Decoder {
	switch cs {
	case UTF16LE, UTF16BE:
		return &utf16Decoder{cs}
	case UTF32LE, UTF32BE:
		return &utf32Decoder{cs}
	}
	return nil
}
