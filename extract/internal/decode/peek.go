package decode

import (
	"bufio"
	"io"
)

// peekSize is the size of the buffer of a [Peeker], and the most that Peek returns.
const peekSize = 4 << 10

// A Peeker is a MappedReader that changes nothing, and lets its first bytes be examined
// before they are read. The zero Peeker is at its end.
type Peeker struct {
	in bufio.Reader
}

// Reset starts p at r. The buffer of 4 KiB is kept.
func (p *Peeker) Reset(r io.Reader) {
	if p.in.Size() < peekSize {
		p.in = *bufio.NewReaderSize(r, peekSize)
	}
	p.in.Reset(r)
}

// Peek returns the next n bytes, 4096 at most, or fewer with the error that came after
// them. They are valid until the next Read or Peek.
func (p *Peeker) Peek(n int) ([]byte, error) { return p.in.Peek(n) }

// Buffered returns how many bytes can be examined without reading from below.
func (p *Peeker) Buffered() int { return p.in.Buffered() }

func (p *Peeker) Read(b []byte) (int, error) { return p.in.Read(b) }

// Origin implements [MappedReader]; it returns off.
func (p *Peeker) Origin(off int64) (int64, bool) { return off, true }

// Span implements [MappedReader]; it returns start and end.
func (p *Peeker) Span(start, end int64) (lo, hi int64, exact bool) {
	return start, max(start, end), true
}

// Forget implements [MappedReader]; there is nothing to forget.
func (p *Peeker) Forget(int64) {}
