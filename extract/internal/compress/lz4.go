package compress

import (
	"bufio"
	"encoding/binary"
	"io"
	"slices"

	"github.com/pierrec/lz4/v4"
)

// An lz4Reader reads consecutive frames of lz4: those of the current format
// (lz4_Frame_format.md, section "General Structure of LZ4 Frame format"), those of lz4 -l
// (section "Legacy frame"), and frames to be skipped. It gives the library one frame at a
// time. The library calls itself for each legacy frame that follows another one, and many
// of them would overflow the stack, which ends the program.
type lz4Reader struct {
	in          *bufio.Reader
	frame       io.Reader // the current frame, or nil
	frameReader lz4FrameReader
	z           *lz4.Reader
	legacy      lz4Legacy
}

// reset begins to read in.
func (r *lz4Reader) reset(in *bufio.Reader) {
	r.in, r.frame, r.frameReader.in, r.legacy.in = in, nil, in, in
	if r.z != nil {
		r.z.Reset(nil)
	}
}

// Read reads from one frame.
func (r *lz4Reader) Read(p []byte) (n int, err error) {
	for {
		if r.frame == nil {
			if err := r.next(); err != nil {
				return 0, err
			}
		}
		n, err := r.frame.Read(p)
		if err != io.EOF {
			return n, err
		}
		r.frame = nil
		if n > 0 {
			return n, nil
		}
	}
}

// next begins the next frame, and returns io.EOF if there is none.
func (r *lz4Reader) next() error {
	for {
		if err := skipZeros(r.in); err != nil {
			return err
		}
		head, err := r.in.Peek(4)
		switch {
		case string(head) == lz4Magic:
			if r.z == nil {
				r.z = lz4.NewReader(nil)
			}
			r.frameReader.begin()
			r.z.Reset(&r.frameReader)
			r.frame = r.z
			return nil
		case string(head) == lz4LegacyMagic:
			r.legacy.begin()
			r.frame = &r.legacy
			return nil
		case len(head) < 4 && err != io.EOF:
			return err
		case len(head) < 4 || string(head[1:]) != skipTail || head[0]>>4 != 5:
			return errTrailing
		}
		if err := skipFrame(r.in); err != nil {
			return noEOF(err)
		}
	}
}

// skipFrame skips the frame at the beginning of in: four bytes, a length, and that many bytes.
func skipFrame(in *bufio.Reader) error {
	var head [8]byte
	if _, err := io.ReadFull(in, head[:]); err != nil {
		return err
	}
	_, err := io.CopyN(io.Discard, in, int64(binary.LittleEndian.Uint32(head[4:])))
	return err
}

// An lz4FrameReader is the follower in front of the library. It parses the structure of a frame:
//
//	magic, flags, two bytes and optional fields, (block size, block, checksum)*, 0, checksum
type lz4FrameReader struct {
	follower[lz4FrameReader]
	block int64 // size of a block's checksum
	check int64 // size of the frame's checksum
}

func (g *lz4FrameReader) Read(p []byte) (int, error) { return g.read(g, p) }

func (g *lz4FrameReader) begin() { g.expect(0, 5, (*lz4FrameReader).flags) }

// flags reads the byte after the magic number, which says what else is in the frame.
func (g *lz4FrameReader) flags() {
	f := g.head[4]
	g.block, g.check = int64(f>>4&1)*4, int64(f>>2&1)*4
	fields := int64(f>>3&1)*8 + int64(f&1)*4 // the size of the text, and a dictionary's number
	g.expect(1+fields+1, 4, (*lz4FrameReader).size)
}

// size reads the size of a block, or 0 at the end of the frame.
func (g *lz4FrameReader) size() {
	size := int64(binary.LittleEndian.Uint32(g.head[:4]) &^ (1 << 31)) // the highest bit says that the block is not compressed
	if size == 0 {
		g.end(g.check)
		return
	}
	g.expect(size+g.block, 4, (*lz4FrameReader).size)
}

// An lz4Legacy reads a frame of lz4 -l: a magic number, and blocks of at most 8 MiB of text,
// each after its size. Nothing marks the end of the frame: it ends where the next number cannot
// be the size of a block. In the image of a Linux kernel, the size of the text follows the
// frame.
type lz4Legacy struct {
	in    *bufio.Reader
	block []byte // compressed
	text  []byte
	rest  []byte // of text: what is not read yet
	total uint32 // size of the text so far
	err   error  // sticky
}

// Largest sizes of a block of a legacy frame: of its text, and of its compressed bytes.
const (
	maxLegacyText  = 8 << 20
	maxLegacyBlock = maxLegacyText + maxLegacyText/255 + 16
)

func (r *lz4Legacy) begin() {
	_, r.err = r.in.Discard(len(lz4LegacyMagic))
	r.rest, r.total = nil, 0
}

// Read returns text of one block.
func (r *lz4Legacy) Read(p []byte) (n int, err error) {
	for len(r.rest) == 0 && r.err == nil {
		r.rest, r.err = r.next()
		r.total += uint32(len(r.rest))
	}
	n = copy(p, r.rest)
	r.rest = r.rest[n:]
	if n == 0 {
		err = r.err
	}
	return n, err
}

// next returns the text of the next block, or io.EOF at the end of the frame.
func (r *lz4Legacy) next() ([]byte, error) {
	head, err := r.in.Peek(4)
	if len(head) < 4 {
		if err == io.EOF && len(head) > 0 {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	size := binary.LittleEndian.Uint32(head)
	if size == 0 || size > maxLegacyBlock {
		return nil, io.EOF
	}
	_, _ = r.in.Discard(4)
	if size == r.total {
		if _, err := r.in.Peek(1); err == io.EOF {
			return nil, io.EOF
		}
	}
	r.block = slices.Grow(r.block[:0], int(size))[:size]
	if _, err := io.ReadFull(r.in, r.block); err != nil {
		return nil, noEOF(err)
	}
	most := maxLegacyText
	if size < maxLegacyText/255 { // no compressed byte stands for more than 255 bytes of text
		most = 255 * int(size)
	}
	r.text = slices.Grow(r.text[:0], most)[:most]
	n, err := lz4.UncompressBlock(r.block, r.text)
	return r.text[:max(n, 0)], err
}
