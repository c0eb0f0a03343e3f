package xz

import (
	"encoding/binary"
	"hash/crc32"
)

// This file parses the parts of a file as "The .xz File Format" 1.2 describes them.

const (
	streamMagic = "\xfd7zXZ\x00"
	footerMagic = "YZ"
	headerSize  = 12
)

// checkSizes has for each kind of check how many bytes it takes (section 2.1.1.2).
var checkSizes = [16]int{0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64}

// checkKnown reports whether a kind of check is none, CRC32, CRC64 or SHA-256. As the
// document says, the others are not checked.
func checkKnown(kind int) bool { return kind == 0 || kind == 1 || kind == 4 || kind == 10 }

// sealed reports whether the last 4 bytes of b are the CRC32 of those before.
func sealed(b []byte) bool {
	n := len(b) - 4
	return crc32.ChecksumIEEE(b[:n]) == binary.LittleEndian.Uint32(b[n:])
}

// seal makes the last 4 bytes of b the CRC32 of those before.
func seal(b []byte) {
	n := len(b) - 4
	binary.LittleEndian.PutUint32(b[n:], crc32.ChecksumIEEE(b[:n]))
}

// parseFlags returns the kind of check from the two bytes of stream flags.
func parseFlags(b []byte) (check int, err error) {
	if b[0] != 0 || b[1] > 15 {
		return 0, damage("unknown stream flags")
	}
	return int(b[1]), nil
}

// A block is what a block header says.
type block struct {
	text    uint64 // bytes of text, or unknown
	filters [4]filterFlags
	n       int // number of filters; the last one is LZMA2
}

type filterFlags struct {
	id    uint64
	props []byte
}

const unknown = 1<<64 - 1

const (
	idLZMA2         = 0x21  // the number of the filter (section 5.3)
	dictionaryLeast = 2 * 4 // the properties for a dictionary of 64 KiB
)

// parseBlock reads a block header, without the byte of its size and the CRC32.
func parseBlock(h []byte) (b block, err error) {
	flags := h[0]
	if flags&0x3c != 0 {
		return b, damage("unknown block flags")
	}
	n := numbers{b: h[1:]}
	b.text = unknown
	if flags&0x40 != 0 {
		n.next() // bytes of compressed data
	}
	if flags&0x80 != 0 {
		b.text = n.next()
	}
	b.n = int(flags&3) + 1
	for i := range b.n {
		id, size := n.next(), n.next()
		b.filters[i] = filterFlags{id, n.take(size)}
	}
	for _, c := range n.b {
		if c != 0 {
			n.bad = true
		}
	}
	if n.bad {
		return b, damage("bad block header")
	}
	for i, f := range b.filters[:b.n] {
		if (f.id == idLZMA2) != (i == b.n-1) {
			return b, damage("filters in an unknown order")
		}
	}
	if p := b.filters[b.n-1].props; len(p) != 1 || p[0] > 40 {
		return b, damage("bad properties of LZMA2")
	}
	return b, nil
}

// dictionary returns how many bytes of window the block declares: 2 or 3 times a power
// of two, or, for the greatest, 4 GiB less one byte.
func (b *block) dictionary() int64 {
	bits := b.filters[b.n-1].props[0]
	if bits == 40 {
		return 1<<32 - 1
	}
	return int64(2|bits&1) << (bits/2 + 11)
}

// numbers reads numbers of variable length (section 1.2): 7 bits in each byte, the lowest
// first, in at most 9 bytes, the last of which is not 0.
type numbers struct {
	b   []byte
	bad bool
}

// next reads a number. Each iteration takes a byte.
func (n *numbers) next() (v uint64) {
	for i, c := range n.b[:min(len(n.b), 9)] {
		v |= uint64(c&0x7f) << (7 * i)
		if c&0x80 == 0 {
			n.bad = n.bad || c == 0 && i > 0
			n.b = n.b[i+1:]
			return v
		}
	}
	n.b, n.bad = nil, true
	return 0
}

// take returns the next size bytes.
func (n *numbers) take(size uint64) []byte {
	if size > uint64(len(n.b)) {
		n.b, n.bad = nil, true
		return nil
	}
	b := n.b[:size]
	n.b = n.b[size:]
	return b
}
