package xz

import (
	"encoding/binary"
	"io"
)

// Filters were applied to the text before it was compressed: Delta writes differences,
// the others turn relative addresses in machine code into absolute ones. All keep the
// length. They are undone in the reverse order.

// A filter undoes one.
type filter interface {
	// start begins a block at place at, which is added to addresses.
	start(props []byte) bool
	// undo changes p in place and returns how many bytes are done. The others need
	// bytes that follow them; at the end of a block they are unchanged.
	undo(p []byte) int
}

// chain has the filters of a block, each with a buffer. Those that were needed once are
// kept.
type chain struct {
	links [3]link
}

// over returns text from which the filters are undone: the last one first.
func (c *chain) over(text io.Reader, filters []filterFlags) (io.Reader, error) {
	for i := len(filters) - 1; i >= 0; i-- {
		l, f := &c.links[i], filters[i]
		if l.id != f.id || l.filter == nil {
			l.id, l.filter = f.id, newFilter(f.id)
		}
		if l.filter == nil {
			return nil, damage("unknown filter")
		}
		if !l.filter.start(f.props) {
			return nil, damage("bad properties of a filter")
		}
		l.from, l.lo, l.done, l.hi, l.err = text, 0, 0, 0, nil
		text = l
	}
	return text, nil
}

// newFilter returns nil for a filter that is not known.
func newFilter(id uint64) filter {
	switch {
	case id == idDelta:
		return new(delta)
	case id >= idBCJ && id <= idARM64:
		return &branches{convert: converters[id-idBCJ].convert, align: converters[id-idBCJ].align}
	}
	return nil
}

// A link reads from the one before and undoes a filter.
type link struct {
	id     uint64
	filter filter
	from   io.Reader
	err    error // of from
	lo     int   // buf[lo:done] is to be handed out
	done   int   // buf[done:hi] waits for more
	hi     int
	buf    [4 << 10]byte
}

// Read reads, and does not wait to fill p. Each iteration reads once from below; less
// than a converter's unit of bytes waits for more.
func (l *link) Read(p []byte) (int, error) {
	for l.lo == l.done {
		if l.err != nil {
			return 0, l.err
		}
		l.hi = copy(l.buf[:], l.buf[l.done:l.hi])
		var n int
		n, l.err = l.from.Read(l.buf[l.hi:])
		l.hi += n
		l.lo, l.done = 0, l.filter.undo(l.buf[:l.hi])
		if l.err != nil {
			l.done = l.hi
		}
	}
	n := copy(p, l.buf[l.lo:l.done])
	l.lo += n
	return n, nil
}

// delta undoes differences to the byte distance bytes ago (section 5.3.3).
type delta struct {
	distance int
	last     [256]byte
	at       uint8
}

func (d *delta) start(props []byte) bool {
	if len(props) != 1 {
		return false
	}
	*d = delta{distance: int(props[0]) + 1}
	return true
}

func (d *delta) undo(p []byte) int {
	for i := range p {
		p[i] += d.last[uint8(d.distance+int(d.at))]
		d.last[d.at] = p[i]
		d.at--
	}
	return len(p)
}

// branches undoes one of the filters for machine code (section 5.3.2).
type branches struct {
	place   uint32 // of the first byte that is not done
	mask    uint32 // of the x86 filter
	align   uint32
	convert func(b *branches, p []byte) int
}

func (b *branches) start(props []byte) bool {
	b.place, b.mask = 0, 0
	if len(props) == 4 {
		b.place = binary.LittleEndian.Uint32(props)
	}
	return (len(props) == 0 || len(props) == 4) && b.place%b.align == 0
}

func (b *branches) undo(p []byte) int {
	n := b.convert(b, p)
	b.place += uint32(n)
	return n
}
