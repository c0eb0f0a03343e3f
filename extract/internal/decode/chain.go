package decode

import "io"

// A Chain is a pile of stages over a raw stream, read from the top. It is a
// [Stage] itself, whose input is the raw stream. Without stages it hands
// through what its source gives, with exact offsets, and costs nothing.
//
// A Chain keeps the stages it made, with their buffers, for the next
// [Chain.Reset]; after the first use it allocates nothing. The zero Chain is
// empty, and at its end.
type Chain struct {
	// Keep is how far behind what was read offsets are still asked, in bytes
	// of text: the size of the scanner's window. If it is set, Read forgets
	// what lies further back by itself, so that memory stays bounded where
	// nothing is found and nobody calls Forget. It stays set over Reset.
	Keep int64

	// Mild, if it is set, is called with damage that a stage stepped over, and
	// its raw offset, by the Read that met it; n stages are below that one. It
	// stays set over Reset.
	Mild func(e *Error, n int)

	src    io.Reader
	at     int64     // raw offset of src's first byte
	bottom forgetter // src, if it is one
	pile   []Stage   // from the bottom
	own    []*stage  // made by PushDecoder; the first used of them are in the pile
	used   int

	read, kept int64 // text read, and where what is known of it begins
	err        error // an Error that was told
}

type forgetter interface{ Forget(off int64) }

// Reset takes all stages off and starts at r, whose first byte has the offset
// at in the raw stream (3 behind the byte order mark of UTF-8, say). If r has
// a method Forget(off int64), as [Lines] has, it is told of raw offsets that
// are no longer needed. r may be nil if a Stage is pushed next.
func (c *Chain) Reset(r io.Reader, at int64) {
	clear(c.pile)
	bottom, _ := r.(forgetter)
	*c = Chain{Keep: c.Keep, Mild: c.Mild, src: r, at: at, bottom: bottom, pile: c.pile[:0], own: c.own}
}

// Push puts s on top. It is for a Stage that is the first, over no source, and
// tells raw offsets itself (a part of a message).
func (c *Chain) Push(s Stage) { c.pile = append(c.pile, s) }

// PushDecoder puts a stage on top that reads what was on top through d. It
// resets d first, and the chain owns d until its Reset.
func (c *Chain) PushDecoder(d Decoder) {
	if c.used == len(c.own) {
		c.own = append(c.own, &stage{mild: c.stepped})
	}
	s := c.own[c.used]
	c.used++
	s.reset(c.top(), d)
	c.pile = append(c.pile, s)
}

// PushPeeker puts p on top, reset to read what was on top.
func (c *Chain) PushPeeker(p *Peeker) {
	p.Reset(c.top())
	c.pile = append(c.pile, p)
}

// Len returns the number of stages.
func (c *Chain) Len() int { return len(c.pile) }

// Cut takes off all stages but the n lowest, and what they knew. Text offsets
// start at 0 with the next stage that is put on top.
func (c *Chain) Cut(n int) {
	for _, s := range c.pile[n:] {
		if _, ok := s.(*stage); ok {
			c.used--
		}
	}
	clear(c.pile[n:])
	c.pile = c.pile[:n]
	c.read, c.kept, c.err = 0, 0, nil
}

// Top returns the chain as it is now as a Stage, which stays what it is when more
// is put on top.
func (c *Chain) Top() Stage { return &level{c, len(c.pile)} }

// A level is a chain up to a stage.
type level struct {
	c *Chain
	n int // of the stages, at least 1
}

func (l *level) Read(p []byte) (int, error)               { return l.c.pile[l.n-1].Read(p) }
func (l *level) Origin(off int64) (raw int64, exact bool) { return l.c.down(l.n, off) }
func (l *level) Forget(off int64)                         { l.c.forget(l.n, off) }
func (l *level) Span(start, end int64) (lo, hi int64, exact bool) {
	return l.c.span(l.n, start, end)
}

// stepped tells of e, which s met and stepped over.
func (c *Chain) stepped(s *stage, e *Error) {
	if c.Mild == nil {
		return
	}
	n := 0
	for i, at := range c.pile {
		if at == Stage(s) {
			n = i
			e.Offset, _ = c.down(i, e.Offset)
		}
	}
	c.Mild(e, n)
}

// top returns what the next stage has to read.
func (c *Chain) top() io.Reader {
	switch {
	case len(c.pile) > 0:
		return c.pile[len(c.pile)-1]
	case c.src != nil:
		return c.src
	}
	return nothing{}
}

type nothing struct{}

func (nothing) Read([]byte) (int, error) { return 0, io.EOF }

// Read reads decoded text. The offset in an [*Error] is one of the raw stream.
func (c *Chain) Read(p []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	n, err := c.top().Read(p)
	c.read += int64(n)
	if c.Keep > 0 && c.read-c.Keep-c.kept >= bufSize/2 {
		c.Forget(c.read - c.Keep)
	}
	if e, ok := err.(*Error); ok {
		c.locate(e)
		c.err = e
	}
	return n, err
}

// locate turns the offset in e from one of the stage that made it into one of
// the raw stream. A pushed Stage tells raw offsets itself.
func (c *Chain) locate(e *Error) {
	for i, s := range c.pile {
		if s, ok := s.(*stage); ok && s.made == e {
			e.Offset, _ = c.down(i, e.Offset)
			s.made = nil
			return
		}
	}
}

// down turns an input offset of the stage at level i into a raw one.
func (c *Chain) down(i int, off int64) (raw int64, exact bool) {
	exact = true
	for i--; i >= 0; i-- {
		var ex bool
		off, ex = c.pile[i].Origin(off)
		exact = exact && ex
	}
	return off + c.at, exact
}

// span is down for a span.
func (c *Chain) span(i int, lo, hi int64) (rawLo, rawHi int64, exact bool) {
	exact = true
	for i--; i >= 0; i-- {
		var ex bool
		lo, hi, ex = c.pile[i].Span(lo, hi)
		exact = exact && ex
	}
	return lo + c.at, hi + c.at, exact
}

// Origin returns the raw offset of the unit that the text byte at off belongs
// to; see [Stage].
func (c *Chain) Origin(off int64) (raw int64, exact bool) { return c.down(len(c.pile), off) }

// Span returns the raw [lo, hi) that became the text [start, end); see [Stage].
func (c *Chain) Span(start, end int64) (lo, hi int64, exact bool) {
	return c.span(len(c.pile), start, end)
}

// SpanBelow returns the raw [lo, hi) that became [start, end) of the input of
// the topmost stage: that of an [Attr], if the top is an [HTML]. What was read
// since the last Read of the chain is known in any case.
func (c *Chain) SpanBelow(start, end int64) (lo, hi int64, exact bool) {
	return c.span(max(len(c.pile)-1, 0), start, end)
}

// Forget lets the stages, and the source, drop what they know of text before off.
func (c *Chain) Forget(off int64) {
	c.kept = max(c.kept, off)
	c.forget(len(c.pile), off)
}

// forget is Forget for the n lowest stages.
func (c *Chain) forget(n int, off int64) {
	for i := n - 1; i >= 0; i-- {
		c.pile[i].Forget(off)
		off, _ = c.pile[i].Origin(off)
	}
	if c.bottom != nil {
		c.bottom.Forget(off + c.at)
	}
}

// Marks returns how many marks the maps of the stages have, and the largest number for
// which one of them has memory. Tests of their bounds ask.
func (c *Chain) Marks() (n, room int) {
	for _, s := range c.own {
		n += len(s.m.marks)
		room = max(room, cap(s.m.marks))
	}
	return n, room
}
