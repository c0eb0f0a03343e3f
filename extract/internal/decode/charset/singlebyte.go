package charset

import (
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/urlsift/urlsift/extract/internal/decode"
)

// A singleByte decodes a charset with one byte for each character, of which ASCII is a
// part. A Conversion is a stretch of ASCII, or of characters of one length in UTF-8.
type singleByte struct {
	high [128]struct { // from 0x80 on
		n    uint8
		utf8 [utf8.UTFMax - 1]byte // all characters are in the BMP
	}
}

func newSingleByte(m *charmap.Charmap) *singleByte {
	d := new(singleByte)
	for i := range d.high {
		d.high[i].n = uint8(utf8.EncodeRune(d.high[i].utf8[:], m.DecodeByte(byte(0x80+i))))
	}
	return d
}

func (d *singleByte) Reset() {}

// Decode implements [decode.Decoder]. Each iteration of its loop takes a byte.
func (d *singleByte) Decode(dst, src []byte, atEOF bool) (decode.Conversion, error) {
	if len(src) == 0 || src[0] < utf8.RuneSelf {
		return copySevenBit(dst, src), nil
	}
	width := d.high[src[0]&0x7F].n
	conv := decode.Conversion{InUnit: 1, OutUnit: width}
	for conv.In < len(src) && conv.Out+len(d.high[0].utf8) <= len(dst) && src[conv.In] >= utf8.RuneSelf {
		c := &d.high[src[conv.In]&0x7F]
		if c.n != width {
			break
		}
		copy(dst[conv.Out:], c.utf8[:]) // what is written after Out is not output
		conv.In++
		conv.Out += int(width)
	}
	return conv, nil
}

// KeepsASCII reports whether d copies each ASCII byte that is not part of a longer
// character.
func KeepsASCII(d decode.Decoder) bool {
	switch d := d.(type) {
	case *singleByte, *twoByteDecoder:
		return true
	case *marked:
		return d.cs == UTF8
	}
	return false
}
