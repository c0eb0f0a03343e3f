package xz

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
)

// prose returns text with many matches, near and far, and some noise that is stored verbatim.
func prose() []byte {
	var b bytes.Buffer
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range 150 {
		fmt.Fprintf(&b, "line %d: see http://host%d.example.org/path/%d?q=%d for more\n", i, i%7, i*7, rnd.Uint32())
		if i%50 == 49 {
			for range 300 {
				b.WriteByte(byte(rnd.Uint32()))
			}
		}
	}
	return b.Bytes()
}

// code returns bytes that look like machine code of each processor for which there is a filter.
func code() []byte {
	var b []byte
	rnd := rand.New(rand.NewPCG(3, 4))
	for len(b) < 6<<10 {
		v := rnd.Uint32()
		switch rnd.IntN(9) {
		case 0: // x86, with opcodes next to one another
			b = append(b, 0xe8, byte(v), byte(v>>8), byte(v>>16&3), byte(v>>20&1)*0xff)
			b = append(b, 0x90, 0xe9, 0xe8, 0, byte(v>>21), 0, 0)
		case 1:
			b = be.AppendUint32(align(b, 4), 0x48000001|v&0x03fffffc)
		case 2: // IA-64: a bundle that may branch in all slots
			b = align(b, 16)
			norm := 5<<37 | uint64(v&0xfffff)<<13 | uint64(v>>31)<<36
			b = le.AppendUint64(b, 0x16|norm<<5|norm<<46)
			b = le.AppendUint64(b, norm>>18|norm<<23)
		case 3:
			b = le.AppendUint32(align(b, 4), 0xeb000000|v&0xffffff)
		case 4:
			b = append(align(b, 2), byte(v), 0xf0|byte(v>>8&7), byte(v>>16), 0xf8|byte(v>>24&7))
		case 5:
			b = be.AppendUint32(align(b, 4), 0x40000000|v&0x3fffff)
		case 6:
			b = be.AppendUint32(align(b, 4), 0x7fc00000|v&0x3fffff)
		case 7:
			b = le.AppendUint32(align(b, 4), 0x94000000|v&0x03ffffff)
		case 8: // adrp
			b = le.AppendUint32(align(b, 4), 0x90000000|v&0x6000001f|v>>4&0x3fff<<5)
		}
	}
	return append(b, "end"...)
}

var le, be = binary.LittleEndian, binary.BigEndian

func align(b []byte, n int) []byte {
	for len(b)%n != 0 {
		b = append(b, 0)
	}
	return b
}
