package charset

import (
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/transform"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

// Charsets with characters of one and two bytes are decoded by a table, which is made once,
// by decoding all pairs of bytes with the encoding of x/text. For a lead byte and the byte
// after it, the table has the character and the number of bytes that it takes. So the
// second byte of a character is never read as ASCII. An ASCII byte that forms no character
// with the lead byte in front of it is kept, as the WHATWG requires: no '<' and no line end
// is lost to a broken character. The few longer characters are decoded by x/text each time.

// A cell has a character in its low 24 bits and, above them, the number of bytes that the
// character takes. It is 0 if the table does not have the character.
type cell uint32

func (c cell) rune() rune { return rune(c & 0xFFFFFF) }
func (c cell) size() int  { return int(c >> 24) }

// A twoByteTable has a character for a lead byte, from 0x80 on, and the byte after.
type twoByteTable struct {
	cells [128][256]cell
	enc   encoding.Encoding
}

// The tables take 128 KiB each. A table is made when it is first used.
var (
	shiftJIS = sync.OnceValue(func() *twoByteTable { return newPairTable(japanese.ShiftJIS) })
	eucJP    = sync.OnceValue(func() *twoByteTable { return newPairTable(japanese.EUCJP) })
	gb18030  = sync.OnceValue(func() *twoByteTable { return newPairTable(simplifiedchinese.GB18030) })
	big5     = sync.OnceValue(func() *twoByteTable { return newPairTable(traditionalchinese.Big5) })
	eucKR    = sync.OnceValue(func() *twoByteTable { return newPairTable(korean.EUCKR) })
)

// newPairTable makes the table of enc by decoding each pair of a lead byte and a next byte.
func newPairTable(enc encoding.Encoding) *twoByteTable {
	t := &twoByteTable{enc: enc}
	ask := enc.NewDecoder()
	var src [2]byte
	var text [utf8.UTFMax]byte
	for lead := range t.cells {
		for next := range t.cells[lead] {
			src = [2]byte{byte(0x80 + lead), byte(next)}
			n, size := one(ask, text[:], src[:], false)
			r, width := utf8.DecodeRune(text[:n])
			if size == 0 && next < utf8.RuneSelf && !(enc == simplifiedchinese.GB18030 && octet.IsDigit(byte(next))) {
				r, size = utf8.RuneError, 1 // no character of more than two bytes has this second byte
			} else if size == 0 || width < n { // a longer character, or two characters in one pair
				continue
			}
			if r == utf8.RuneError && next < utf8.RuneSelf && !userDefined(enc, src) {
				size = 1
			}
			t.cells[lead][next] = cell(size<<24 | int(r))
		}
	}
	return t
}

// userDefined reports whether the pair is one that Shift_JIS leaves to its users:
// mobile telephones have pictures there, whose second byte is not text.
func userDefined(enc encoding.Encoding, src [2]byte) bool {
	return enc == japanese.ShiftJIS && 0xF0 <= src[0] && src[0] <= 0xF9 && src[1] >= 0x40 && src[1] != 0x7F
}

// one decodes the character at the beginning of src. It returns how many bytes the character
// has in dst and in src, or 0 and 0 if src does not hold all of it. It first gives t only 3
// bytes of dst. A broken character becomes 3 bytes of UTF-8, so t cannot decode a second
// character in the same call.
func one(t transform.Transformer, dst, src []byte, atEOF bool) (n, size int) {
	for k := 1; k <= len(src); k++ {
		for room := 3; room <= utf8.UTFMax; room++ {
			n, size, err := t.Transform(dst[:room], src[:k], atEOF && k == len(src))
			if n > 0 {
				return n, size
			}
			if err != transform.ErrShortDst {
				break
			}
		}
	}
	return 0, 0
}

// A twoByteDecoder decodes by a twoByteTable. A Conversion is a stretch of ASCII, or of
// characters of one length in source and in UTF-8.
type twoByteDecoder struct {
	table *twoByteTable
	long  transform.Transformer
}

func newPairDecoder(t *twoByteTable) *twoByteDecoder { return &twoByteDecoder{t, t.enc.NewDecoder()} }

func (d *twoByteDecoder) Reset() {}

// Copies implements [decode.Copier].
func (d *twoByteDecoder) Copies(src []byte) int { return octet.ASCII(src) }

// Decode implements [decode.Decoder].
func (d *twoByteDecoder) Decode(dst, src []byte, atEOF bool) (decode.Conversion, error) {
	if len(src) == 0 || src[0] < utf8.RuneSelf {
		return copySevenBit(dst, src), nil
	}
	var conv decode.Conversion
	for conv.In+1 < len(src) && src[conv.In] >= utf8.RuneSelf && conv.Out+utf8.UTFMax <= len(dst) {
		p := d.table.cells[src[conv.In]&0x7F][src[conv.In+1]]
		in := p.size()
		if in == 0 {
			break
		}
		out := utf8.EncodeRune(dst[conv.Out:], p.rune())
		if conv.In == 0 {
			conv.InUnit, conv.OutUnit = uint8(in), uint8(out)
		} else if in != int(conv.InUnit) || out != int(conv.OutUnit) {
			break // dst has more bytes after conv.Out; the caller ignores them
		}
		conv.In += in
		conv.Out += out
	}
	if conv.In > 0 {
		return conv, nil
	}
	src = src[:min(len(src), utf8.UTFMax)]
	out, in := one(d.long, dst, src, atEOF || len(src) == utf8.UTFMax)
	return decode.Conversion{In: in, Out: out, InUnit: uint8(in), OutUnit: uint8(out)}, nil
}
