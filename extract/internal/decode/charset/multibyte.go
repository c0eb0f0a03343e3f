package charset

import (
	"sync"
	"sync/atomic"
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

// Charsets with characters of one and two bytes are decoded by a table. For a lead byte and the byte
// after it, the table has the character and the number of bytes that it takes. So the
// second byte of a character is never read as ASCII. An ASCII byte that forms no character
// with the lead byte in front of it is kept, as the WHATWG requires: no '<' and no line end
// is lost to a broken character. A pair is decoded with the encoding of x/text when it first
// occurs. To decode all pairs in advance takes 2 ms for each charset, a third of the time for one message. The few
// longer characters are decoded by x/text each time.

// A cell has a character in its low 24 bits and, above them, the number of bytes that the
// character takes, or 0 if the table does not have the character. The cell 0 was not made yet.
type cell uint32

func (c cell) rune() rune { return rune(c & 0xFFFFFF) }
func (c cell) size() int  { return int(c >> 24) }

const longer cell = 1 // no character of the table begins with the pair

// A twoByteTable has a cell for a lead byte, from 0x80 on, and the byte after. Decoders share it.
type twoByteTable struct {
	cells [1 << 15]atomic.Uint32 // by pair, without the highest bit
	enc   encoding.Encoding
}

// The tables take 128 KiB each. A table is allocated when it is first used.
var (
	shiftJIS = sync.OnceValue(func() *twoByteTable { return &twoByteTable{enc: japanese.ShiftJIS} })
	eucJP    = sync.OnceValue(func() *twoByteTable { return &twoByteTable{enc: japanese.EUCJP} })
	gb18030  = sync.OnceValue(func() *twoByteTable { return &twoByteTable{enc: simplifiedchinese.GB18030} })
	big5     = sync.OnceValue(func() *twoByteTable { return &twoByteTable{enc: traditionalchinese.Big5} })
	eucKR    = sync.OnceValue(func() *twoByteTable { return &twoByteTable{enc: korean.EUCKR} })
)

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

	// Memory of newCell.
	src  [2]byte
	text [utf8.UTFMax]byte
}

func newPairDecoder(t *twoByteTable) *twoByteDecoder {
	return &twoByteDecoder{table: t, long: t.enc.NewDecoder()}
}

func (d *twoByteDecoder) Reset() {}

// known returns the cell of a pair, whose first byte is the high one. If it is 0, newCell makes it.
func (d *twoByteDecoder) known(pair uint) cell { return cell(d.table.cells[pair%(1<<15)].Load()) }

// newCell makes the cell of a pair.
func (d *twoByteDecoder) newCell(pair uint) cell {
	next := byte(pair)
	d.src = [2]byte{byte(pair >> 8), next}
	n, size := one(d.long, d.text[:], d.src[:], false)
	r, width := utf8.DecodeRune(d.text[:n])
	c := longer
	switch {
	case size == 0 && next < utf8.RuneSelf && !(d.table.enc == simplifiedchinese.GB18030 && octet.IsDigit(next)):
		c = 1<<24 | utf8.RuneError // no character of more than two bytes has this second byte
	case size == 0 || width < n: // a longer character, or two characters in one pair
	case r == utf8.RuneError && next < utf8.RuneSelf && !userDefined(d.table.enc, d.src):
		c = 1<<24 | utf8.RuneError
	default:
		c = cell(size<<24 | int(r))
	}
	d.table.cells[pair%(1<<15)].Store(uint32(c))
	return c
}

// Copies implements [decode.Copier].
func (d *twoByteDecoder) Copies(src []byte) int { return octet.ASCII(src) }

// Decode implements [decode.Decoder].
func (d *twoByteDecoder) Decode(dst, src []byte, atEOF bool) (decode.Conversion, error) {
	if len(src) == 0 || src[0] < utf8.RuneSelf {
		return copySevenBit(dst, src), nil
	}
	var conv decode.Conversion
	for conv.In+1 < len(src) && src[conv.In] >= utf8.RuneSelf && conv.Out+utf8.UTFMax <= len(dst) {
		pair := uint(src[conv.In])<<8 | uint(src[conv.In+1])
		p := d.known(pair)
		if p == 0 {
			p = d.newCell(pair)
		}
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
