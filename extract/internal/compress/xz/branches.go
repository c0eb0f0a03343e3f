package xz

import "encoding/binary"

// The converters of the filters for machine code, one for each processor, after those
// of XZ Embedded. Each scans whole instructions, and returns how many bytes it is done
// with. Each iteration goes on by an instruction at least.

// converters are in the order of the filters' numbers.
var converters = [...]struct {
	convert func(b *branches, p []byte) int
	align   uint32
}{{x86, 1}, {powerPC, 4}, {ia64, 16}, {arm, 4}, {armThumb, 2}, {sparc, 4}, {arm64, 4}}

var le, be = binary.LittleEndian, binary.BigEndian

func powerPC(b *branches, p []byte) (i int) {
	for ; i+4 <= len(p); i += 4 {
		if v := be.Uint32(p[i:]); v&0xfc000003 == 0x48000001 { // bl
			v = (v&0x03fffffc - b.place - uint32(i)) & 0x03fffffc
			be.PutUint32(p[i:], 0x48000001|v)
		}
	}
	return i
}

func arm(b *branches, p []byte) (i int) {
	for ; i+4 <= len(p); i += 4 {
		if p[i+3] == 0xeb { // bl
			v := (le.Uint32(p[i:])<<2 - (b.place + uint32(i) + 8)) >> 2
			le.PutUint32(p[i:], v&0xffffff|0xeb000000)
		}
	}
	return i
}

func armThumb(b *branches, p []byte) (i int) {
	for ; i+4 <= len(p); i += 2 {
		if p[i+1]&0xf8 != 0xf0 || p[i+3]&0xf8 != 0xf8 { // bl, in two halves
			continue
		}
		v := uint32(p[i+1]&7)<<19 | uint32(p[i])<<11 | uint32(p[i+3]&7)<<8 | uint32(p[i+2])
		v = (v<<1 - (b.place + uint32(i) + 4)) >> 1
		p[i], p[i+1] = byte(v>>11), 0xf0|byte(v>>19&7)
		p[i+2], p[i+3] = byte(v), 0xf8|byte(v>>8&7)
		i += 2
	}
	return i
}

func sparc(b *branches, p []byte) (i int) {
	for ; i+4 <= len(p); i += 4 {
		if v := be.Uint32(p[i:]); v>>22 == 0x100 || v>>22 == 0x1ff { // call
			v = (v<<2 - (b.place + uint32(i))) >> 2
			be.PutUint32(p[i:], (0x40000000-v&0x400000)|0x40000000|v&0x3fffff)
		}
	}
	return i
}

func arm64(b *branches, p []byte) (i int) {
	for ; i+4 <= len(p); i += 4 {
		v, place := le.Uint32(p[i:]), b.place+uint32(i)
		switch {
		case v>>26 == 0x25: // bl
			le.PutUint32(p[i:], 0x94000000|(v-place>>2)&0x03ffffff)
		case v&0x9f000000 == 0x90000000: // adrp, within 512 MiB
			from := v>>29&3 | v>>3&0x1ffffc
			if (from+0x020000)&0x1c0000 != 0 {
				continue
			}
			to := from - place>>12
			v &= 0x9000001f
			v |= to&3<<29 | to&0x03fffc<<3 | (0-to&0x020000)&0xe00000
			le.PutUint32(p[i:], v)
		}
	}
	return i
}

// ia64Slots has for each template of a bundle which of its three slots may branch.
var ia64Slots = [32]uint8{16: 4, 4, 6, 6, 0, 0, 7, 7, 4, 4, 0, 0, 4, 4, 0, 0}

func ia64(b *branches, p []byte) (i int) {
	for ; i+16 <= len(p); i += 16 {
		slots := ia64Slots[p[i]&0x1f]
		for slot := range 3 {
			if slots>>slot&1 == 0 {
				continue
			}
			bit := 5 + 41*slot
			at := p[i+bit/8:]
			var v uint64 // an instruction of 41 bits, within 48
			for j := range 6 {
				v |= uint64(at[j]) << (8 * j)
			}
			norm := v >> (bit & 7)
			if norm>>37&0xf != 5 || norm>>9&7 != 0 {
				continue
			}
			addr := uint32(norm>>13&0x0fffff) | uint32(norm>>36&1)<<20
			addr = (addr<<4 - (b.place + uint32(i))) >> 4
			norm = norm&^(0x8fffff<<13) | uint64(addr&0x0fffff)<<13 | uint64(addr&0x100000)<<16
			v = v&(1<<(bit&7)-1) | norm<<(bit&7)
			for j := range 6 {
				at[j] = byte(v >> (8 * j))
			}
		}
	}
	return i
}

// x86 converts the address of call and jmp. An opcode may be in the middle of another
// instruction: mask has which of the last 3 bytes were opcodes.
func x86(b *branches, p []byte) (i int) {
	if len(p) <= 4 {
		return 0
	}
	opcode, mask := -1, b.mask
	for ; i < len(p)-4; i++ {
		if p[i]&0xfe != 0xe8 {
			continue
		}
		if gap := i - opcode; gap > 3 {
			mask = 0
		} else if mask = mask << (gap - 1) & 7; mask != 0 {
			// 1, 2 and 4 may be converted: at most one opcode, and not next to it.
			if mask == 3 || mask > 4 || isSign(p[i+4-x86Byte[mask]]) {
				opcode, mask = i, mask<<1|1
				continue
			}
		}
		opcode = i
		if !isSign(p[i+4]) {
			mask = mask<<1 | 1
			continue
		}
		le.PutUint32(p[i+1:], x86Address(le.Uint32(p[i+1:]), b.place+uint32(i)+5, mask))
		i += 4
	}
	if gap := i - opcode; gap > 3 {
		b.mask = 0
	} else {
		b.mask = mask << (gap - 1)
	}
	return i
}

// x86Byte has for each mask which byte of an address decides, from its highest.
var x86Byte = [8]int{0, 1, 2, 2, 3, 3, 3, 3}

// isSign reports whether c may be the highest byte of an address.
func isSign(c byte) bool { return c == 0 || c == 0xff }

// x86Address makes an address relative to next. There are at most two iterations.
func x86Address(v, next, mask uint32) uint32 {
	for {
		to := v - next
		shift := uint(x86Byte[mask]) * 8
		if mask == 0 || !isSign(byte(to>>(24-shift))) {
			to &= 0x01ffffff
			return to | (0 - to&0x01000000)
		}
		v = to ^ (1<<(32-shift) - 1)
	}
}
