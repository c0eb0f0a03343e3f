package compress

import (
	"bufio"
	"encoding/binary"
)

// A zstdFrameReader is the follower in front of the zstd library. It parses the structure of a
// frame (RFC 8878, section 3.1):
//
//	(skippable frame)*, magic, frame header, (block header, block)*, checksum
//
// If it cannot parse something, it passes on all that follows, and the library reports
// the damage.
type zstdFrameReader struct {
	follower[zstdFrameReader]
	check  int64 // size of the checksum of the frame
	fields int64 // size of the header's fields after the dictionary's number

	dictionary uint32 // number of the dictionary that the frame needs; 0 if it names none
}

func (g *zstdFrameReader) Read(p []byte) (int, error) { return g.read(g, p) }

// reset begins a frame of in, including skippable frames in front of it.
func (g *zstdFrameReader) reset(in *bufio.Reader) {
	g.in, g.dictionary = in, 0
	g.expect(0, 4, (*zstdFrameReader).magic)
}

// passAll passes on all that follows.
func (g *zstdFrameReader) passAll() { g.end(1 << 62) }

// magic parses the magic number of a frame or of a skippable frame.
func (g *zstdFrameReader) magic() {
	switch head := string(g.head[:4]); {
	case head == zstdMagic:
		g.expect(0, 1, (*zstdFrameReader).descriptor)
	case head[1:] == skipTail && head[0]>>4 == 5:
		g.expect(0, 4, (*zstdFrameReader).skip)
	default:
		g.passAll()
	}
}

// skip parses the size of a skippable frame.
func (g *zstdFrameReader) skip() {
	g.expect(int64(binary.LittleEndian.Uint32(g.head[:])), 4, (*zstdFrameReader).magic)
}

// descriptor parses the first byte of a frame header, which says what else the header
// has.
func (g *zstdFrameReader) descriptor() {
	d := g.head[0]
	g.check, g.fields = int64(d&4), 0
	window := int64(1)
	if size := d >> 6; size > 0 {
		g.fields = 1 << size
	} else if d&0x20 != 0 {
		g.fields = 1
	}
	if d&0x20 != 0 {
		window = 0
	}
	if size := [...]int{0, 1, 2, 4}[d&3]; size > 0 {
		g.expect(window, size, (*zstdFrameReader).number)
		return
	}
	g.expect(window+g.fields, 3, (*zstdFrameReader).block)
}

// number parses the number of the dictionary.
func (g *zstdFrameReader) number() {
	for i := g.want - 1; i >= 0; i-- { // 4 bytes at most
		g.dictionary = g.dictionary<<8 | uint32(g.head[i])
	}
	g.expect(g.fields, 3, (*zstdFrameReader).block)
}

// block parses a block header. After the last block the frame ends.
func (g *zstdFrameReader) block() {
	h := uint32(g.head[0]) | uint32(g.head[1])<<8 | uint32(g.head[2])<<16
	size := int64(h >> 3)
	switch h >> 1 & 3 {
	case 1: // one byte, repeated
		size = 1
	case 3: // reserved
		g.passAll()
		return
	}
	if h&1 == 0 {
		g.expect(size, 3, (*zstdFrameReader).block)
		return
	}
	g.end(size + g.check)
}
