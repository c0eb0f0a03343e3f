package xz

import (
	"errors"
	"io"
)

// The library expects a file. For each block, a feed makes a file of one block: the header of the
// stream, the block, and the 0 that begins an index. The feed passes on one piece at a time, at
// most a part of the block. The library asks for the next piece only after it has decoded the last
// one. So what the library rejects is in the last piece.

// pieceSize is the most compressed data in one piece, in bytes. All pieces of a chunk
// except the last have this size, independent of the size of reads. So damage costs the
// same text for any size of reads.
const pieceSize = 512

var (
	errPause = errors.New("a piece is decoded")
	errEnd   = errors.New("the block is decoded")
)

// A feed is what the library reads.
type feed struct {
	in     *input
	next   func(f *feed, p []byte) int // passes on the next piece
	wrong  damage                      // the damage, if the library rejects the last piece
	err    error                       // error of the input; the library gets io.EOF instead
	paused bool

	head  []byte // of the stream and the block
	start int64  // offset in the file of the data of the block
	left  int    // remaining bytes of the chunk
	size  int64  // bytes of data without padding; known at the end
	check int    // size of the check
	skip  bool   // do not pass on the check, because the library does not know it

	sumRead [64]byte // the check
}

// begin begins the block whose data is next in the file.
func (f *feed) begin(head []byte, check int, skip bool) {
	*f = feed{in: f.in, next: (*feed).header, head: head, start: f.in.n, check: check, skip: skip}
}

// Read passes on a piece, and the next time returns errPause. So the library returns the
// text of each piece without waiting for the next one.
func (f *feed) Read(p []byte) (int, error) {
	if f.err != nil {
		return 0, io.EOF // the library returns its remaining text
	}
	if f.next == nil {
		return 0, errEnd
	}
	if f.paused = !f.paused; !f.paused {
		return 0, errPause
	}
	n := f.next(f, p)
	if n == 0 { // because of f.err
		return 0, io.EOF
	}
	return n, nil
}

// take reads a piece. An error is returned by the next Read.
func (f *feed) take(p []byte) int {
	n, err := io.ReadFull(f.in.Reader, p)
	f.in.n += int64(n)
	f.err = noEOF(err)
	return n
}

// header passes on the headers, which were read and checked before.
func (f *feed) header(p []byte) int {
	f.wrong, f.next = "unknown filter, or bad properties of one", (*feed).chunk
	return copy(p, f.head)
}

// chunk passes on the header of a chunk, or the 0 after the last one.
func (f *feed) chunk(p []byte) int {
	f.wrong = "bad data in a block"
	n := f.take(p[:1])
	if n == 0 {
		return 0
	}
	c := chunkHeader(p)
	if p[0] == 0 {
		f.size, f.next = f.in.n-f.start, (*feed).padding
		return n
	}
	n += f.take(p[n:c.bytes()])
	if f.err != nil {
		return n
	}
	f.left, f.next = c.size(), (*feed).data
	if c[0] >= chunkLZMA { // the library does not check that the first byte is 0
		k := f.take(p[n : n+1])
		if n, f.left = n+k, f.left-k; k > 0 && p[n-1] != 0 {
			f.err = damage("bad first byte of a chunk")
			return 0
		}
	}
	if f.left == 0 {
		f.next = (*feed).chunk
	}
	return n
}

// data passes on a piece of a chunk.
func (f *feed) data(p []byte) int {
	n := f.take(p[:min(f.left, pieceSize)])
	if f.left -= n; f.left == 0 {
		f.next = (*feed).chunk
	}
	return n
}

// padding passes on the padding after the last chunk.
func (f *feed) padding(p []byte) int {
	f.wrong, f.next = "padding is not zero", (*feed).sum
	if n := int(-f.size & 3); n > 0 {
		return f.take(p[:n])
	}
	return f.sum(p)
}

// sum passes on the check of the block.
func (f *feed) sum(p []byte) int {
	f.wrong, f.next = "block check does not match", (*feed).end
	n := f.take(p[:f.check])
	copy(f.sumRead[:], p[:n])
	if f.err != nil || n > 0 && !f.skip {
		return n
	}
	return f.end(p)
}

// end passes on the beginning of an index. The library asks for the index only when it has read the
// whole block.
func (f *feed) end(p []byte) int {
	p[0], f.next = 0, nil
	return 1
}

// A chunkHeader begins a chunk: a control byte and, depending on it, the size of the
// text, the size of the data, and properties.
type chunkHeader []byte

const (
	chunkVerbatim = 0x02 // 0x01 is verbatim too
	chunkLZMA     = 0x80 // this bit is set in LZMA chunks
	chunkProps    = 0xc0 // and above: with properties
)

// bytes returns the length of the header. It needs only the control byte. An invalid
// control byte has length 1, and the library rejects it.
func (c chunkHeader) bytes() int {
	switch {
	case c[0] >= chunkProps:
		return 6
	case c[0] >= chunkLZMA:
		return 5
	case c[0] == 0 || c[0] > chunkVerbatim:
		return 1
	}
	return 3
}

// size returns how many bytes of data follow.
func (c chunkHeader) size() int {
	switch c.bytes() {
	case 1:
		return 0
	case 3:
		return c.text()
	}
	return int(c[3])<<8 + int(c[4]) + 1
}

// text returns the size of the text of the chunk.
func (c chunkHeader) text() int {
	switch c.bytes() {
	case 1:
		return 0
	case 3:
		return int(c[1])<<8 + int(c[2]) + 1
	}
	return int(c[0]&0x1f)<<16 + int(c[1])<<8 + int(c[2]) + 1
}
