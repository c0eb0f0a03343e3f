package extract

import "io"

// xzLeast is the least dictionary that the library may be asked for. Headers
// ask for more.
const xzLeast = 4 << 10

// An xzGate stands before the xz library, which sets aside what a header asks
// for, up to 4 GiB, and takes an end between two blocks for that of the stream.
// The gate follows the structure (xz file format 1.2, LZMA2 chunks), without
// looking into what is compressed, and stops both.
//
//	stream header, (block header, chunks, padding, check)*, index, footer, padding
type xzGate struct {
	r      io.Reader
	window int64

	pass   int64               // bytes that come first and are not looked at
	head   [1024]byte          // what is to be looked at; a block header is not longer
	have   int                 // bytes of head
	want   int                 // bytes that step needs
	step   func(*xzGate) error // reads head when it is whole, and says what follows
	mayEnd bool                // the stream may end before head

	check int64  // size of a block's check
	size  int64  // of the block, or of the index, so far
	props int64  // 1 if a byte of properties stands before the chunk's data
	nums  uint64 // numbers left in the index
	num   uint64 // the number that is being read
	bits  int    // of num
	err   error
}

// newXZGate returns a gate before r, at the beginning of a stream.
func newXZGate(r io.Reader, window int64) *xzGate {
	g := &xzGate{r: r, window: window}
	g.expect(0, 4, (*xzGate).streamMagic)
	return g
}

// expect makes step read n bytes, behind pass others.
func (g *xzGate) expect(pass int64, n int, step func(*xzGate) error) {
	g.pass, g.want, g.have, g.step, g.mayEnd = pass, n, 0, step, false
}

// Read hands through what stands up to the end of the piece that is known.
func (g *xzGate) Read(p []byte) (n int, err error) {
	switch {
	case g.err != nil:
		return 0, g.err
	case len(p) == 0:
		return 0, nil
	case g.pass > 0:
		n, err = g.r.Read(p[:min(int64(len(p)), g.pass)])
		g.pass -= int64(n)
	default:
		n, err = g.r.Read(p[:min(len(p), g.want-g.have)])
		g.have += copy(g.head[g.have:], p[:n])
		g.mayEnd = g.mayEnd && g.have == 0
		if g.have == g.want {
			if g.err = g.step(g); g.err != nil {
				return 0, g.err // before the library sees what asks for too much
			}
		}
	}
	if err == io.EOF && (!g.mayEnd || g.pass > 0) {
		err = io.ErrUnexpectedEOF
	}
	if g.err == nil {
		g.err = err
	}
	return n, g.err
}

// streamMagic reads the first 4 bytes of a stream, or 4 of the padding.
func (g *xzGate) streamMagic() error {
	if string(g.head[:4]) == "\x00\x00\x00\x00" {
		g.expect(0, 4, (*xzGate).streamMagic)
		g.mayEnd = true
		return nil
	}
	g.expect(0, 8, (*xzGate).streamFlags)
	return nil
}

// streamFlags reads the rest of the stream header: "Z\0", the flags, a checksum.
func (g *xzGate) streamFlags() error {
	g.check = 0
	if id := g.head[3] & 15; id > 0 {
		g.check = 4 << ((id - 1) / 3) // section 2.1.1.2
	}
	g.expect(0, 1, (*xzGate).blockSize)
	return nil
}

// blockSize reads the size of a block header, or the 0 that begins the index.
func (g *xzGate) blockSize() error {
	if n := int(g.head[0]); n > 0 {
		g.expect(0, 4*n+3, (*xzGate).blockHeader)
		return nil
	}
	g.size, g.nums, g.num, g.bits = 1, 0, 0, 0
	g.expect(0, 1, (*xzGate).indexCount)
	return nil
}

// blockHeader looks for the dictionary of an LZMA2 filter. Other filters are not
// in the library.
func (g *xzGate) blockHeader() error {
	h := g.head[:g.want]
	flags, i := h[0], 1
	number := func() (v uint64) {
		for bits := 0; i < len(h) && bits < 63; bits += 7 {
			b := h[i]
			i++
			v |= uint64(b&0x7f) << bits
			if b&0x80 == 0 {
				break
			}
		}
		return v
	}
	for bit := byte(0x40); bit != 0; bit <<= 1 { // two sizes that may be there
		if flags&bit != 0 {
			number()
		}
	}
	if id, n := number(), number(); id == 0x21 && n == 1 && i < len(h) && h[i] <= 40 {
		if dict := int64(2|h[i]&1) << (h[i]/2 + 11); dict > g.window {
			return limited("Window", g.window, "a dictionary over the limit of %d bytes")
		}
	}
	g.size = 0
	g.expect(0, 1, (*xzGate).chunk)
	return nil
}

// chunk reads the control byte of an LZMA2 chunk.
func (g *xzGate) chunk() error {
	g.size++
	switch c := g.head[0]; {
	case c == 0: // the last
		g.expect(-g.size&3+g.check, 1, (*xzGate).blockSize)
	case c < 0x80:
		g.props = 0
		g.expect(0, 2, (*xzGate).chunkSize)
	default:
		g.props = int64(c >> 6 & 1)
		g.expect(0, 4, (*xzGate).chunkSize)
	}
	return nil
}

// chunkSize reads how many bytes the chunk's data has, in its last two bytes.
func (g *xzGate) chunkSize() error {
	n := int64(g.head[g.want-2])<<8 + int64(g.head[g.want-1]) + 1 + g.props
	g.size += int64(g.want) + n
	g.expect(n, 1, (*xzGate).chunk)
	return nil
}

// indexCount reads a byte of the number of records, which are two numbers each.
func (g *xzGate) indexCount() error {
	g.size++
	g.num |= uint64(g.head[0]&0x7f) << min(g.bits, 63)
	g.bits += 7
	g.expect(0, 1, (*xzGate).indexCount)
	if g.head[0]&0x80 == 0 {
		g.nums = 2 * g.num
		g.records()
	}
	return nil
}

// indexNumber reads a byte of a number in a record.
func (g *xzGate) indexNumber() error {
	g.size++
	if g.head[0]&0x80 == 0 {
		g.nums--
	}
	g.records()
	return nil
}

// records expects a byte of the next number or, behind the last, the padding, a
// checksum and the footer, and then another stream or the end.
func (g *xzGate) records() {
	if g.nums > 0 {
		g.expect(0, 1, (*xzGate).indexNumber)
		return
	}
	g.expect(-g.size&3+4+12, 4, (*xzGate).streamMagic)
	g.mayEnd = true
}
