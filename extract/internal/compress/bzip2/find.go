package bzip2

import (
	"bytes"
	"encoding/binary"
)

const (
	streamMagic = "BZh"
	blockMagic  = 0x314159265359 // pi
	endMagic    = 0x177245385090 // its square root
)

// HeadLen is how many bytes are needed to recognise a block: the header of its stream, and
// its magic number, which may begin at any bit.
const HeadLen = 4 + 7

// Index returns the index in b of the first byte of what is probably a block, or of the header
// of the block's stream if that directly precedes the block. It returns -1 if b has no whole
// magic number of a block. By chance, such a number appears once in 2^48 bits. Each iteration
// advances by 4 bytes.
//
// A magic number covers at least 5 whole bytes, at whichever bit of a byte it begins. So two
// adjacent bytes of these begin at an index that is a multiple of 4. Such a pair has one of only
// 33 values.
func Index(b []byte) int {
	for i := 0; i+2 <= len(b); i += 4 {
		pair := binary.BigEndian.Uint16(b[i:])
		if pairs[pair/64]>>(pair%64)&1 == 0 {
			continue
		}
		for at := max(0, i-4); at <= i; at++ {
			if isBlock(b[at:]) {
				if head := at - len(streamMagic) - 1; head >= 0 && isHeader(b[head:at]) && b[at] == blockMagic>>40 {
					return head
				}
				return at
			}
		}
	}
	return -1
}

// IndexStream returns the index in b of the header of what is probably a stream with a
// block, or -1 if there is none. Each iteration skips the magic number of a block.
func IndexStream(b []byte) int {
	for from := 0; ; {
		k := bytes.Index(b[from:], firstBlock)
		if k < 0 {
			return -1
		}
		if head := from + k - len(streamMagic) - 1; head >= 0 && isHeader(b[head:]) {
			return head
		}
		from += k + 1
	}
}

// firstBlock is the magic number of a block that begins at the first bit of a byte, as the
// first one of a stream does.
var firstBlock = []byte{0x31, 0x41, 0x59, 0x26, 0x53, 0x59}

// isBlock reports whether a block begins in the first byte of b.
func isBlock(b []byte) bool {
	if len(b) < 7 {
		return len(b) == 6 && uint64(binary.BigEndian.Uint32(b))<<16|uint64(binary.BigEndian.Uint16(b[4:])) == blockMagic
	}
	v := uint64(binary.BigEndian.Uint32(b))<<24 | uint64(binary.BigEndian.Uint32(b[3:]))&(1<<24-1)
	for shift := range 8 {
		if v>>(8-shift)&(1<<48-1) == blockMagic {
			return true
		}
	}
	return false
}

// isHeader reports whether b is the header of a stream.
func isHeader(b []byte) bool {
	return string(b[:len(streamMagic)]) == streamMagic && b[3] >= '1' && b[3] <= '9'
}

// pairs is the set of pairs of bytes that are within the magic number of a block.
var pairs = func() (set [1 << 16 / 64]uint64) {
	for from := 0; from <= 48-16; from++ {
		pair := uint64(blockMagic) >> from & (1<<16 - 1)
		set[pair/64] |= 1 << (pair % 64)
	}
	return set
}()
