package decode

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// sevenBit returns how many bytes at the beginning of src are ASCII. It looks at
// eight at a time.
func sevenBit(src []byte) (n int) {
	for n+8 <= len(src) {
		if high := binary.LittleEndian.Uint64(src[n:]) & 0x8080808080808080; high != 0 {
			return n + bits.TrailingZeros64(high)/8
		}
		n += 8
	}
	for n < len(src) && src[n] < utf8.RuneSelf {
		n++
	}
	return n
}

// copySevenBit copies the ASCII at the beginning of src, as far as there is room.
func copySevenBit(dst, src []byte) Run {
	n := sevenBit(src[:min(len(dst), len(src))])
	copy(dst, src[:n])
	return Run{n, n, 1, 1}
}

// A singleByte decodes a charset in which a byte is a character, and ASCII is
// itself. A Run is a stretch of ASCII, or of characters of one length in UTF-8.
type singleByte struct {
	high [128]struct { // from 0x80 on
		n    uint8
		utf8 [utf8.UTFMax - 1]byte // all are of the BMP
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

// Decode is that of [Decoder]. Each turn of its loop takes a byte.
func (d *singleByte) Decode(dst, src []byte, atEOF bool) (Run, error) {
	if len(src) == 0 || src[0] < utf8.RuneSelf {
		return copySevenBit(dst, src), nil
	}
	width := d.high[src[0]&0x7F].n
	run := Run{InUnit: 1, OutUnit: width}
	for run.In < len(src) && run.Out+len(d.high[0].utf8) <= len(dst) && src[run.In] >= utf8.RuneSelf {
		c := &d.high[src[run.In]&0x7F]
		if c.n != width {
			break
		}
		copy(dst[run.Out:], c.utf8[:]) // what is written behind Out is no output
		run.In++
		run.Out += int(width)
	}
	return run, nil
}
