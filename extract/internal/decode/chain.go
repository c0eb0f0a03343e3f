package decode

import (
	"bufio"
	"io"

	"github.com/urlsift/urlsift/extract/internal/damage"
)

// A Chain is a stack of links over a raw stream, read from the top. Each link is a decoder
// with its buffers. The Chain itself is a [MappedReader] whose input is the raw stream.
// Without links it passes on the bytes of its source unchanged, with exact offsets, at no cost.
//
// A Chain keeps the links it made, with their buffers, for the next [Chain.Reset]; after the
// first use it allocates nothing. The zero Chain has no links and no bytes to read.
type Chain struct {
	// Keep is how many of the last bytes of text can still be located: the size of the
	// scanner's window. If it is set, Read forgets older text by itself. So memory stays
	// bounded where nothing is found and Forget is not called. Reset does not change Keep.
	Keep int64

	// Mild, if not nil, is called during a Read that found damage and skipped it. The Offset of
	// e is in the raw stream. n is the number of links below the one that found the damage.
	// Reset does not change Mild.
	Mild func(e *damage.Damage, n int)

	// Level is the nesting depth of the raw stream. It is copied to the damage that is found in
	// the stream. Reset does not change Level.
	Level int

	src io.Reader
	stack
	own  []*link // made by PushDecoder; own[:used] are in the stack
	used int

	read, kept int64 // bytes of text that were read, and the offset in front of which text is forgotten
	err        error // a Damage that Read has returned; sticky
}

// A stack has the links of a Chain, and maps offsets through them.
type stack struct {
	links  []MappedReader // from the bottom
	at     int64          // raw offset of the first byte of the source
	bottom forgetter      // the source, if it is a forgetter
}

type forgetter interface{ Forget(off int64) }

// Reset removes all links and starts at r. at is the offset of r's first byte in the raw stream,
// such as 3 after the byte order mark of UTF-8. If r has a method Forget(off int64), as [Lines]
// has, it is called with a raw offset when the bytes in front of that offset are no longer needed.
// r may be nil if a MappedReader is pushed next.
func (c *Chain) Reset(r io.Reader, at int64) {
	clear(c.links)
	bottom, _ := r.(forgetter)
	*c = Chain{Keep: c.Keep, Mild: c.Mild, Level: c.Level, src: r, stack: stack{links: c.links[:0], at: at, bottom: bottom}, own: c.own}
}

// Push puts s on top. It is for a first MappedReader that has its own source and returns raw
// offsets itself, such as a part of a message.
func (c *Chain) Push(s MappedReader) { c.links = append(c.links, s) }

// PushDecoder puts a link on top that decodes the output of the former top with d. It resets d
// first. The chain owns d until the next Reset of the chain.
func (c *Chain) PushDecoder(d Decoder) {
	if c.used == len(c.own) {
		c.own = append(c.own, &link{chain: c})
	}
	s := c.own[c.used]
	c.used++
	s.reset(c.top(), d)
	c.links = append(c.links, s)
}

// PushPeeker resets p to read the output of the former top, and puts it on top.
func (c *Chain) PushPeeker(p *Peeker) {
	p.Reset(c.top())
	c.links = append(c.links, p)
}

// Len returns the number of links.
func (c *Chain) Len() int { return len(c.links) }

// Cut removes all links above the n lowest, and the maps of the removed links. Text offsets start
// at 0 again with the next link that is pushed.
func (c *Chain) Cut(n int) {
	for _, s := range c.links[n:] {
		if _, ok := s.(*link); ok {
			c.used--
		}
	}
	clear(c.links[n:])
	c.links = c.links[:n]
	c.read, c.kept, c.err = 0, 0, nil
}

// Top returns the present chain as a MappedReader. Links that are pushed later do not change it.
func (c *Chain) Top() MappedReader { return &subchain{c, len(c.links)} }

// A subchain is the lower part of a chain.
type subchain struct {
	c *Chain
	n int // number of links in it, from the bottom; at least 1
}

func (l *subchain) Read(p []byte) (int, error) { return l.c.links[l.n-1].Read(p) }

func (l *subchain) Origin(off int64) (raw int64, exact bool) { return l.c.down(l.n, off) }

func (l *subchain) Forget(off int64) { l.c.forget(l.n, off) }

func (l *subchain) Span(start, end int64) (lo, hi int64, exact bool) {
	return l.c.span(l.n, start, end)
}

// skipped reports the damage e, which s has skipped, to Mild.
func (c *Chain) skipped(s *link, e *damage.Damage) {
	if c.Mild == nil {
		return
	}
	e.Level = c.Level
	n := 0
	for i, at := range c.links {
		if at == MappedReader(s) {
			n = i
			e.Offset, _ = c.down(i, e.Offset)
		}
	}
	c.Mild(e, n)
}

// top returns the reader for the next link.
func (c *Chain) top() io.Reader {
	switch {
	case len(c.links) > 0:
		return c.links[len(c.links)-1]
	case c.src != nil:
		return c.src
	}
	return nothing{}
}

type nothing struct{}

func (nothing) Read([]byte) (int, error) { return 0, io.EOF }

// Read reads decoded text. The Offset of a *damage.Damage is in the raw stream.
func (c *Chain) Read(p []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	n, err := c.top().Read(p)
	c.read += int64(n)
	if c.Keep > 0 && c.read-c.Keep-c.kept >= bufSize/2 {
		c.Forget(c.read - c.Keep)
	}
	if e, ok := err.(*damage.Damage); ok {
		if c.locate(e) {
			e.Level = c.Level
		}
		c.err = e
	}
	return n, err
}

// Origin returns the raw offset of the unit that the text byte at off belongs
// to; see [MappedReader].
func (c *Chain) Origin(off int64) (raw int64, exact bool) { return c.down(len(c.links), off) }

// Span returns the raw [lo, hi) that became the text [start, end); see [MappedReader].
func (c *Chain) Span(start, end int64) (lo, hi int64, exact bool) {
	return c.span(len(c.links), start, end)
}

// SpanBelow returns the raw [lo, hi) of the bytes [start, end) of the input of the topmost
// link. It locates an [Attr]: Start and End are offsets in that input. It knows at least the
// input that the last Read of the chain decoded.
func (c *Chain) SpanBelow(start, end int64) (lo, hi int64, exact bool) {
	return c.span(max(len(c.links)-1, 0), start, end)
}

// Forget lets the links and the source drop what they know of text before off.
func (c *Chain) Forget(off int64) {
	c.kept = max(c.kept, off)
	c.forget(len(c.links), off)
}

// Mappings returns the number of mappings in the maps of the links, and the largest capacity of one
// of these maps. Tests of memory use it.
func (c *Chain) Mappings() (n, room int) {
	for _, s := range c.own {
		n += len(s.m.mappings)
		room = max(room, cap(s.m.mappings))
	}
	return n, room
}

// locate converts the Offset of e, which is in the input of the link that found it, to an
// offset in the raw stream. It returns false if no link found e: a pushed MappedReader returns
// raw offsets itself.
func (k *stack) locate(e *damage.Damage) bool {
	for i, s := range k.links {
		if s, ok := s.(*link); ok && s.made == e {
			e.Offset, _ = k.down(i, e.Offset)
			s.made = nil
			return true
		}
	}
	return false
}

// down converts an output offset of links[i-1] to a raw offset.
func (k *stack) down(i int, off int64) (raw int64, exact bool) {
	exact = true
	for i--; i >= 0; i-- {
		var ex bool
		off, ex = k.links[i].Origin(off)
		exact = exact && ex
	}
	return off + k.at, exact
}

// span converts the output [lo, hi) of links[i-1] to a raw span.
func (k *stack) span(i int, lo, hi int64) (rawLo, rawHi int64, exact bool) {
	exact = true
	for i--; i >= 0; i-- {
		var ex bool
		lo, hi, ex = k.links[i].Span(lo, hi)
		exact = exact && ex
	}
	return lo + k.at, hi + k.at, exact
}

// forget lets the n lowest links and the source drop what they know of text before off.
func (k *stack) forget(n int, off int64) {
	for i := n - 1; i >= 0; i-- {
		k.links[i].Forget(off)
		off, _ = k.links[i].Origin(off)
	}
	if k.bottom != nil {
		k.bottom.Forget(off + k.at)
	}
}

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
