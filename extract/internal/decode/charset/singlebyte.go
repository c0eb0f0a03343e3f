package charset

import (
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
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

// Copies implements [decode.Copier].
func (d *singleByte) Copies(src []byte) int { return octet.ASCII(src) }

// Decode implements [decode.Decoder].
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

// An ebcdic decodes a charset with one byte for each character, of which ASCII is no part. A
// Conversion is a stretch of characters of one length in UTF-8. The newline of EBCDIC (U+0085)
// becomes LF.
type ebcdic struct {
	chars [256]struct {
		n    uint8
		utf8 [utf8.UTFMax - 1]byte
	}
}

// ebcdics are the charsets of EBCDIC that are read, by their names. Each is code page 37 of
// golang.org/x/text, or another of its code pages, with some bytes changed: pairs of a byte and its
// character.
var ebcdics = map[string]struct {
	table   *charmap.Charmap
	changed string
}{
	"ibm037":  {charmap.CodePage037, ""},
	"ibm500":  {charmap.CodePage037, "\x4a[\x4f!\x5a]\x5f^\xb0\u00a2\xba\u00ac\xbb|"},
	"ibm1047": {charmap.CodePage1047, ""},
	"ibm1140": {charmap.CodePage1140, ""},
}

// newEBCDIC returns the decoder called name, or nil.
func newEBCDIC(name string) decode.Decoder {
	page, ok := ebcdics[name]
	if !ok {
		return nil
	}
	d := new(ebcdic)
	for i := range d.chars {
		d.set(byte(i), page.table.DecodeByte(byte(i)))
	}
	for rest := page.changed; rest != ""; {
		r, n := utf8.DecodeRuneInString(rest[1:])
		d.set(rest[0], r)
		rest = rest[1+n:]
	}
	return d
}

func (d *ebcdic) set(i byte, r rune) {
	if r == '\u0085' {
		r = '\n'
	}
	d.chars[i].n = uint8(utf8.EncodeRune(d.chars[i].utf8[:], r))
}

func (d *ebcdic) Reset() {}

// Decode implements [decode.Decoder].
func (d *ebcdic) Decode(dst, src []byte, atEOF bool) (decode.Conversion, error) {
	if len(src) == 0 {
		return decode.Conversion{}, nil
	}
	width := d.chars[src[0]].n
	conv := decode.Conversion{InUnit: 1, OutUnit: width}
	for conv.In < len(src) && conv.Out+len(d.chars[0].utf8) <= len(dst) {
		c := &d.chars[src[conv.In]]
		if c.n != width {
			break
		}
		copy(dst[conv.Out:], c.utf8[:]) // what is written after Out is not output
		conv.In++
		conv.Out += int(width)
	}
	return conv, nil
}

// IsEBCDIC reports whether d decodes EBCDIC. Text in it has no transfer encoding in which it would be
// readable, nor line ends of its own.
func IsEBCDIC(d decode.Decoder) bool {
	_, is := d.(*ebcdic)
	return is
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
