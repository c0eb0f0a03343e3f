package xz

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"hash/crc32"
	"hash/crc64"
)

// The filter for the code of ARM64 ("The .xz File Format" 1.2, section 5.3.2), which the library does not
// know. The library gets a block without it and without a check; then the text is filtered, and its
// check compared, here.

const idARM64 = 0x0a

// An arm64 filters the text of one block.
type arm64 struct {
	on    bool
	pos   uint32  // of the next instruction
	rest  [4]byte // bytes of an incomplete instruction
	n     int
	check hash.Hash // of the text; nil for no check, or an unknown one
	text  []byte    // what apply returns; reused
}

// begin prepares for a block with such a filter, whose properties are props, and a check of that kind. It
// returns false for properties that are impossible.
func (a *arm64) begin(props []byte, check int) bool {
	*a = arm64{on: true, text: a.text[:0]}
	switch len(props) {
	case 0:
	case 4:
		a.pos = binary.LittleEndian.Uint32(props)
	default:
		return false
	}
	switch check {
	case 1:
		a.check = crc32.NewIEEE()
	case 4:
		a.check = crc64.New(crc64.MakeTable(crc64.ECMA))
	case 10:
		a.check = sha256.New()
	}
	return a.pos%4 == 0
}

// apply returns the filtered text of the next bytes. Those of an incomplete instruction are kept, unless
// ended is set.
func (a *arm64) apply(b []byte, ended bool) []byte {
	a.text = append(append(a.text[:0], a.rest[:a.n]...), b...)
	i := 0
	for ; i+4 <= len(a.text); i += 4 {
		v := binary.LittleEndian.Uint32(a.text[i:])
		binary.LittleEndian.PutUint32(a.text[i:], relative(v, a.pos))
		a.pos += 4
	}
	if a.n = 0; !ended {
		a.n = copy(a.rest[:], a.text[i:])
		a.text = a.text[:i]
	}
	if a.check != nil {
		_, _ = a.check.Write(a.text)
	}
	return a.text
}

// matches reports whether sum, as it is stored, is the check of the text.
func (a *arm64) matches(sum []byte) bool {
	switch h := a.check.(type) {
	case nil:
		return true
	case hash.Hash32:
		return binary.LittleEndian.Uint32(sum) == h.Sum32()
	case hash.Hash64:
		return binary.LittleEndian.Uint64(sum) == h.Sum64()
	default:
		return string(sum) == string(h.Sum(nil))
	}
}

// relative returns the instruction v at pos, whose address the filter has made absolute.
func relative(v, pos uint32) uint32 {
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

// withoutARM64 writes the header of a block with the filter LZMA2 of b alone into h, and returns it.
func (b *block) withoutARM64(h []byte) []byte {
	lzma2 := b.filters[b.n-1].props[0]
	copy(h, []byte{2, 0, idLZMA2, 1, lzma2, 0, 0, 0, 0, 0, 0, 0}) // 12 bytes: the size, no flags, the filter, padding, the CRC32
	seal(h[:12])
	return h[:12]
}
