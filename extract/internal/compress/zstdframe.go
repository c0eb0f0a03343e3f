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
	check int64 // size of the checksum of the frame
}

func (g *zstdFrameReader) Read(p []byte) (int, error) { return g.read(g, p) }

// reset begins a frame of in, including skippable frames in front of it.
func (g *zstdFrameReader) reset(in *bufio.Reader) {
	g.in = in
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
	g.check = int64(d & 4)
	n := [...]int64{0, 1, 2, 4}[d&3] // size of the dictionary's number
	if size := d >> 6; size > 0 {
		n += 1 << size
	} else if d&0x20 != 0 {
		n++
	}
	if d&0x20 == 0 {
		n++ // window size
	}
	g.expect(n, 3, (*zstdFrameReader).block)
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
