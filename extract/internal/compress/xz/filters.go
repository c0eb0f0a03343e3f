package xz

import (
	"encoding/binary"
	"math/bits"
)

// Filters ("The .xz File Format" 1.2, section 5.3) change text before it is compressed. Those for
// machine code replace relative addresses by absolute ones, which repeat more often.

const (
	idDelta = 0x03
	idX86   = 0x04
	idLZMA2 = 0x21
)

// converters has for each filter for machine code the function that undoes it. This converts b in place and
// returns how many bytes are done; the others need more text. pos is where they begin in the block.
var converters = [...]struct {
	align   uint32 // of the position
	convert func(b []byte, pos uint32) int
}{
	0x05: {4, eachBE(powerPC)},
	0x06: {16, ia64},
	0x07: {4, eachLE(arm)},
	0x08: {2, armThumb},
	0x09: {4, eachBE(sparc)},
	0x0a: {4, eachLE(arm64)},
}

// A filter undoes one filter of a block.
type filter struct {
	id   uint64
	pos  uint32   // of the next byte
	rest [16]byte // bytes that need more text
	n    int      // number of them
	text []byte   // what apply returns; reused

	distance uint8      // delta: less 1
	last     [256]uint8 // delta: the text, by the lowest bits of its position

	opcodes, signs uint8 // x86: see x86
}

// begin prepares for a block with the filter that flags describes. It returns false for one that is
// unknown, and for properties that are impossible.
func (f *filter) begin(flags filterFlags) bool {
	*f = filter{id: flags.id, text: f.text[:0]}
	if f.id == idDelta {
		if len(flags.props) != 1 {
			return false
		}
		f.distance = flags.props[0]
		return true
	}
	if f.id != idX86 && (f.id >= uint64(len(converters)) || converters[f.id].convert == nil) {
		return false
	}
	switch len(flags.props) {
	case 0:
	case 4:
		f.pos = binary.LittleEndian.Uint32(flags.props)
	default:
		return false
	}
	return f.id == idX86 || f.pos%converters[f.id].align == 0
}

// apply returns the filtered text of the next bytes. Those that need more text are kept, unless ended is set:
// then they are not filtered.
func (f *filter) apply(b []byte, ended bool) []byte {
	f.text = append(append(f.text[:0], f.rest[:f.n]...), b...)
	n := len(f.text)
	switch f.id {
	case idDelta:
		f.delta()
	case idX86:
		n = f.x86()
	default:
		n = converters[f.id].convert(f.text, f.pos)
	}
	f.pos += uint32(n)
	if f.n = 0; !ended {
		f.n = copy(f.rest[:], f.text[n:])
		f.text = f.text[:n]
	}
	return f.text
}

// delta adds the byte that is distance+1 bytes in front.
func (f *filter) delta() {
	at := uint8(f.pos)
	for i := range f.text {
		f.text[i] += f.last[at-f.distance-1]
		f.last[at] = f.text[i]
		at++
	}
}

// x86 converts CALL and JMP, an opcode and 4 bytes of address, the highest of which must be 0 or 255. The filter
// has converted no addresses that overlap such a one. Whether it did depends on the
// opcodes that were not converted in the three bytes in front: bit i of opcodes is for that i+1 bytes in front,
// and bit i of signs says that the highest byte of its address was 0 or 255.
func (f *filter) x86() int {
	b, i := f.text, 0
	for i+5 <= len(b) {
		opcode, sign := uint8(0), uint8(0)
		if b[i]&0xfe == 0xe8 {
			opcode = 1
			if isSign(b[i+4]) {
				sign = 1
			}
		}
		if sign == 0 || f.signs&7 != 0 || bits.OnesCount8(f.opcodes&7) > 1 {
			f.opcodes, f.signs = f.opcodes<<1|opcode, f.signs<<1|sign
			i++
			continue
		}
		next := f.pos + uint32(i) + 5
		v := binary.LittleEndian.Uint32(b[i+1:]) - next
		if back := 8 * bits.Len8(f.opcodes&7); back > 0 && isSign(byte(v>>(24-back))) {
			// The byte would look like the highest one of the address of the opcode in front. The filter has
			// inverted the bits in this case, which makes it unambiguous.
			v = v ^ (1<<(32-back) - 1) - next
		}
		v = v&0x1ffffff | -(v & 0x1000000)
		binary.LittleEndian.PutUint32(b[i+1:], v)
		f.opcodes, f.signs = 0, 0
		i += 5
	}
	return i
}

// isSign reports whether b is 0 or 255.
func isSign(b byte) bool { return b+1 < 2 }

// eachLE returns a function that converts instructions of 4 bytes, the lowest first.
func eachLE(convert func(v, pos uint32) uint32) func([]byte, uint32) int {
	return func(b []byte, pos uint32) int {
		i := 0
		for ; i+4 <= len(b); i += 4 {
			binary.LittleEndian.PutUint32(b[i:], convert(binary.LittleEndian.Uint32(b[i:]), pos+uint32(i)))
		}
		return i
	}
}

// eachBE is eachLE with the highest byte first.
func eachBE(convert func(v, pos uint32) uint32) func([]byte, uint32) int {
	return func(b []byte, pos uint32) int {
		i := 0
		for ; i+4 <= len(b); i += 4 {
			binary.BigEndian.PutUint32(b[i:], convert(binary.BigEndian.Uint32(b[i:]), pos+uint32(i)))
		}
		return i
	}
}

// powerPC converts BL: 24 bits, in instructions.
func powerPC(v, pos uint32) uint32 {
	if v&0xfc000003 == 0x48000001 {
		v = 0x48000001 | (v-pos)&0x03fffffc
	}
	return v
}

// arm converts BL: 24 bits, in instructions, from the second instruction after it.
func arm(v, pos uint32) uint32 {
	if v>>24 == 0xeb {
		v = 0xeb000000 | (v-(pos+8)>>2)&0x00ffffff
	}
	return v
}

// sparc converts CALL: 30 bits, in instructions; only addresses of which 23 bits matter.
func sparc(v, pos uint32) uint32 {
	if top := v >> 22; top == 0x100 || top == 0x1ff {
		v -= pos >> 2
		v = 0x40000000 | -(v>>22&1)<<22&0x3fffffff | v&0x3fffff
	}
	return v
}

// arm64 converts BL, and ADRP.
func arm64(v, pos uint32) uint32 {
	switch {
	case v>>26 == 0x25: // BL: 26 bits, in instructions
		return 0x94000000 | (v-pos>>2)&0x03ffffff
	case v&0x9f000000 == 0x90000000: // ADRP: 21 bits, in pages; only addresses within 512 MiB
		dest := v>>29&3 | v>>3&0x1ffffc
		if (dest+0x20000)&0x1c0000 != 0 {
			return v
		}
		dest -= pos >> 12
		return v&0x9000001f | dest&3<<29 | dest&0x3fffc<<3 | -(dest&0x20000)&0xe00000
	}
	return v
}

// armThumb converts BL: two halves of an instruction with 11 bits each.
func armThumb(b []byte, pos uint32) int {
	i := 0
	for i+4 <= len(b) {
		high, low := uint32(binary.LittleEndian.Uint16(b[i:])), uint32(binary.LittleEndian.Uint16(b[i+2:]))
		if high>>11 != 0x1e || low>>11 != 0x1f {
			i += 2
			continue
		}
		v := high&0x7ff<<11 | low&0x7ff
		v -= (pos + uint32(i) + 4) >> 1
		binary.LittleEndian.PutUint16(b[i:], uint16(0xf000|v>>11&0x7ff))
		binary.LittleEndian.PutUint16(b[i+2:], uint16(0xf800|v&0x7ff))
		i += 4
	}
	return i
}

// ia64 converts br.call in bundles of 16 bytes: a template of 5 bits and three instructions of 41.
func ia64(b []byte, pos uint32) int {
	// The instructions that may branch, a bit each, for the templates 16 to 31.
	const branches uint64 = 0x0044_0044_7700_6644
	i := 0
	for ; i+16 <= len(b); i += 16 {
		template := b[i] & 0x1f
		if template < 16 {
			continue
		}
		for slot := range 3 {
			if branches>>(4*(template-16)+uint8(slot))&1 == 0 {
				continue
			}
			at := 5 + 41*slot // the first bit
			p := b[i+at/8:][:6]
			shift := at % 8
			v := uint64(binary.LittleEndian.Uint32(p)) | uint64(binary.LittleEndian.Uint16(p[4:]))<<32
			if v>>(shift+37)&15 != 5 || v>>(shift+9)&7 != 0 {
				continue
			}
			addr := uint32(v>>(shift+13)&0xfffff | v>>(shift+36)&1<<20) // in bundles
			addr -= (pos + uint32(i)) >> 4
			v &^= 0x8fffff << (shift + 13)
			v |= uint64(addr&0xfffff)<<(shift+13) | uint64(addr>>20&1)<<(shift+36)
			binary.LittleEndian.PutUint32(p, uint32(v))
			binary.LittleEndian.PutUint16(p[4:], uint16(v>>32))
		}
	}
	return i
}
