package charset

import (
	"unicode/utf8"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

// Text without a label, or with a wrong one, is usually UTF-8, and otherwise windows-1252. Some
// text is a mixture, such as a reply in UTF-8 that quotes a mail in windows-1252. So the choice
// is made at each byte: a byte of a well-formed UTF-8 sequence is kept; any other byte is a
// character of windows-1252, which includes Latin-1.

type lenient struct{}

// NewLenient returns a Decoder for bytes of unknown charset. UTF-8 is copied, so it adds no
// mappings to a Map. Each other byte is read as windows-1252, as a unit of its own. The
// bytes 81, 8D, 8F, 90 and 9D, which windows-1252 leaves undefined, become U+0081 and so
// on. Nothing is damage.
func NewLenient() decode.Decoder { return lenient{} }

func (lenient) Reset() {}

// Decode implements [decode.Decoder]. It examines each byte once, and at most three
// bytes after those that it converts.
func (lenient) Decode(dst, src []byte, atEOF bool) (decode.Conversion, error) {
	if n := wellFormed(src, min(len(dst), len(src))); n > 0 {
		copy(dst, src[:n])
		return decode.Conversion{In: n, Out: n, InUnit: 1, OutUnit: 1}, nil
	}
	// The other bytes are in no sequence. Consecutive ones that become equally many bytes of output
	// are one Conversion.
	in, out, width := 0, 0, 0
	for in < len(src) && out+utf8.UTFMax <= len(dst) && src[in] >= utf8.RuneSelf {
		if in > 0 && sequence(src[in:]) > 0 {
			break
		}
		if !atEOF && src[in] >= 0xC2 && !utf8.FullRune(src[in:]) {
			break // more input may complete the sequence
		}
		r := rune(src[in])
		if r < 0xA0 {
			r = octet.Windows1252[r-0x80]
		}
		w := utf8.EncodeRune(dst[out:], r)
		if in > 0 && w != width {
			break // what was written after out is not output
		}
		in, out, width = in+1, out+w, w
	}
	return decode.Conversion{In: in, Out: out, InUnit: 1, OutUnit: uint8(width)}, nil
}

// Copies implements [decode.Copier].
func (lenient) Copies(src []byte) int { return wellFormed(src, len(src)) }

// wellFormed returns how many bytes at the beginning of src[:most] are whole sequences of UTF-8.
func wellFormed(src []byte, most int) (n int) {
	for n < most {
		if src[n] < utf8.RuneSelf {
			n += octet.ASCII(src[n:most])
			continue
		}
		size := sequence(src[n:])
		if size == 0 || n+size > most {
			break
		}
		n += size
	}
	return n
}

// sequence returns the length of the sequence of UTF-8 at the beginning of src,
// whose first byte is not ASCII, and 0 if there is none.
func sequence(src []byte) int {
	switch c := src[0]; {
	case c < 0xC2 || c > 0xF4: // not the first byte of a sequence
		return 0
	case len(src) >= 2 && 0xC2 <= c && c < 0xE0 && src[1]^0x80 < 0x40:
		return 2
	case len(src) >= 3 && 0xE1 <= c && c < 0xED && src[1]^0x80 < 0x40 && src[2]^0x80 < 0x40:
		return 3
	}
	if _, size := utf8.DecodeRune(src); size > 1 {
		return size
	}
	return 0
}
