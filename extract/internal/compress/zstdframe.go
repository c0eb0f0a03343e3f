package compress

import (
	"bufio"
	"encoding/binary"
	"io"
)

// A zstdFrameReader is a reader in front of the zstd library. It returns io.EOF at the end of
// each frame, so that we know where each frame begins. It parses the structure (RFC 8878,
// section 3.1) without decompressing:
//
//	(skippable frame)*, magic, frame header, (block header, block)*, checksum
//
// If it cannot parse something, it passes on all that follows, and the library reports
// the damage.
type zstdFrameReader struct {
	in *bufio.Reader

	pass int64                  // bytes to pass on before head; they are not parsed
	head [4]byte                // bytes to parse
	have int                    // bytes of head
	want int                    // bytes that step needs
	step func(*zstdFrameReader) // parses head when it is complete and sets what follows; nil at the end

	check int64 // size of the checksum of the frame
}

// reset begins a frame of in, including skippable frames in front of it.
func (g *zstdFrameReader) reset(in *bufio.Reader) {
	g.in = in
	g.expect(0, 4, (*zstdFrameReader).magic)
}

// expect passes on pass bytes, and then has step parse the next n.
func (g *zstdFrameReader) expect(pass int64, n int, step func(*zstdFrameReader)) {
	g.pass, g.want, g.have, g.step = pass, n, 0, step
}

// Read returns bytes up to where the next step is due.
func (g *zstdFrameReader) Read(p []byte) (n int, err error) {
	switch {
	case g.pass > 0:
		n, err = g.in.Read(p[:min(int64(len(p)), g.pass)])
		g.pass -= int64(n)
	case g.step == nil:
		return 0, io.EOF
	default:
		n, err = g.in.Read(p[:min(len(p), g.want-g.have)])
		g.have += copy(g.head[g.have:], p[:n])
		if g.have == g.want {
			g.step(g)
		}
	}
	return n, err
}

// passAll passes on all that follows.
func (g *zstdFrameReader) passAll() { g.expect(1<<62, 0, nil) }

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
	g.expect(size+g.check, 0, nil)
}
