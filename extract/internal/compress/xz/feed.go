package xz

import (
	"errors"
	"io"
)

// The library reads a file of one block after another, which a feed makes: the header of
// the stream, one block, and the 0 that begins an index. It hands over a piece at a time,
// which is a part of the block or a part of that. The library asks for the next piece only
// after it has decoded the one before, so what it refuses is in the last piece.

// pieceSize is the most compressed data that is handed over at once, in bytes. All
// pieces but the last of a chunk have that size, however the file is read: what is lost
// by damage does not depend on reads.
const pieceSize = 512

var (
	errPause = errors.New("a piece is decoded")
	errEnd   = errors.New("the block is decoded")
)

// A feed is what the library reads.
type feed struct {
	in     *input
	next   func(f *feed, p []byte) int // hands over the next piece
	wrong  damage                      // if the last piece is refused
	err    error                       // of reading; the library sees the end
	paused bool

	head  []byte // of the stream, and of the block
	start int64  // of the data of the block, in the file
	left  int    // bytes of the chunk
	size  int64  // bytes of the data, without padding; known at their end
	check int    // bytes of the check
	skip  bool   // the check, which the library does not know
}

// begin begins the block whose data is next in the file.
func (f *feed) begin(head []byte, check int, skip bool) {
	*f = feed{in: f.in, next: (*feed).header, head: head, start: f.in.n, check: check, skip: skip}
}

// Read hands over a piece, and the next time errPause: so the library returns the text
// of each piece without waiting for the next.
func (f *feed) Read(p []byte) (int, error) {
	if f.err != nil {
		return 0, io.EOF // the library returns what it still has
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

// take reads a piece. An error is kept for the next Read.
func (f *feed) take(p []byte) int {
	n, err := io.ReadFull(f.in.Reader, p)
	f.in.n += int64(n)
	f.err = cut(err)
	return n
}

// header hands over the headers, which were read and checked before.
func (f *feed) header(p []byte) int {
	f.wrong, f.next = "unknown filter, or bad properties of one", (*feed).chunk
	return copy(p, f.head)
}

// chunk hands over the header of a chunk, or the 0 after the last.
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
	if c[0] >= chunkLZMA { // the first byte is 0, which the library does not check
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

// data hands over a piece of a chunk.
func (f *feed) data(p []byte) int {
	n := f.take(p[:min(f.left, pieceSize)])
	if f.left -= n; f.left == 0 {
		f.next = (*feed).chunk
	}
	return n
}

// padding hands over what follows the last chunk.
func (f *feed) padding(p []byte) int {
	f.wrong, f.next = "padding is not zero", (*feed).sum
	if n := int(-f.size & 3); n > 0 {
		return f.take(p[:n])
	}
	return f.sum(p)
}

// sum hands over the check of the block.
func (f *feed) sum(p []byte) int {
	f.wrong, f.next = "block check does not match", (*feed).end
	n := f.take(p[:f.check])
	if f.err != nil || n > 0 && !f.skip {
		return n
	}
	return f.end(p)
}

// end hands over the beginning of an index. Once that is read, all of the block is.
func (f *feed) end(p []byte) int {
	p[0], f.next = 0, nil
	return 1
}

// A chunkHeader begins a chunk: a byte of control, and from it on, where they are
// needed, the size of the text, that of the data, and properties.
type chunkHeader []byte

const (
	chunkVerbatim = 0x02 // and 0x01
	chunkLZMA     = 0x80 // the bit
	chunkProps    = 0xc0 // and above: with properties
)

// bytes returns how long the header is. Only the byte of control is needed. Of a bad one
// there is no more, and the library refuses it.
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

// text returns how many bytes of text they are.
func (c chunkHeader) text() int {
	switch c.bytes() {
	case 1:
		return 0
	case 3:
		return int(c[1])<<8 + int(c[2]) + 1
	}
	return int(c[0]&0x1f)<<16 + int(c[1])<<8 + int(c[2]) + 1
}
