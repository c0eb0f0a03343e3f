package lzma

import (
	"bufio"
	"errors"
	"io"
	"math/bits"
)

// ErrCorrupt is the error of data that is damaged.
var ErrCorrupt = errors.New("corrupt data")

const (
	minMatch = 2
	maxMatch = 273
	half     = 1 << 10 // the probability of a half
	top      = 1 << 24

	// margin is more than a literal or a match takes: it has at most 22 bits with probabilities, which take
	// less than 6 bits each (a probability is at least 31/2048), and 26 without.
	margin = 24
)

// Where the probabilities are in decoder.probs. Each tree of n bits has 1<<n, the first of which is not used.
const (
	atMatch     = 0                  // 16 for each state
	atRep0Long  = atMatch + 12*16    // 16 for each state
	atRep       = atRep0Long + 12*16 // for each state
	atRepG0     = atRep + 12
	atRepG1     = atRepG0 + 12
	atRepG2     = atRepG1 + 12
	atSlot      = atRepG2 + 12        // 4 trees of 6 bits
	atDistance  = atSlot + 4*64       // trees of 1 to 5 bits, one within another's unused places
	atAlign     = atDistance + 128    // a tree of 4 bits
	atLength    = atAlign + 16        // of matches
	atRepLength = atLength + 16 + 512 // of repeated matches
	atLiteral   = atRepLength + 16 + 512

	lowLengths  = 16 // in front of them are the two choices; 16 trees of 3 bits
	midLengths  = lowLengths + 128
	highLengths = midLengths + 128 // a tree of 8 bits
)

// A loopEnd says what ended the fast loop.
type loopEnd uint8

const (
	atLimit loopEnd = iota // of the input or the window
	atMark                 // the mark at the end of a stream
	atBad                  // a distance that is too large
)

// A decoder decodes LZMA into a window.
type decoder struct {
	src source
	err error // sticky, after all text

	rng, code uint32
	state     uint32
	rep       [4]uint32
	size      int64 // bytes of text that are left; -1 if a mark ends them

	posMask                   uint32
	literalMask, literalShift uint32
	probs                     []uint16

	win window
}

// properties sets the numbers of bits of the last byte, and of the position, that choose probabilities.
func (d *decoder) properties(lc, lp, pb int) {
	d.posMask, d.literalMask, d.literalShift = 1<<pb-1, (1<<(lc+lp)-1)<<(8-lc), uint32(8-lc)
	n := atLiteral + 0x300<<(lc+lp)
	if cap(d.probs) < n {
		d.probs = make([]uint16, n)
	}
	d.probs = d.probs[:n]
}

// resetState begins with probabilities that know nothing.
func (d *decoder) resetState() {
	d.state, d.rep = 0, [4]uint32{}
	for i := range d.probs {
		d.probs[i] = half
	}
}

// begin reads the five bytes that begin what the range coder has written.
func (d *decoder) begin() {
	d.rng, d.code = 1<<32-1, 0
	first := d.next()
	for range 4 {
		d.code = d.code<<8 | uint32(d.next())
	}
	if first != 0 && d.err == nil {
		d.err = ErrCorrupt
	}
}

// decode decodes until the window has limit bytes, no text is left, or there is an error. It returns false if
// it may have to wait for input, and there is text to be returned first.
func (d *decoder) decode(limit int) bool {
	w := &d.win
	for w.out < limit && d.size != 0 && d.err == nil {
		b, before, why := d.src.buffered(), w.out, atLimit
		fast := limit
		if d.size > 0 {
			fast = int(min(int64(limit), int64(w.out)+d.size-maxMatch))
		}
		switch {
		case len(b) > margin && w.out < fast:
			var n int
			d.normalize()
			n, why = d.fast(d.src.buffered(), fast)
			d.src.at += n
		case len(b) <= margin && w.out > w.returned && !d.src.ends():
			return false
		default:
			why = d.symbol()
		}
		if d.size > 0 {
			d.size -= int64(w.out - before)
		}
		switch why {
		case atMark:
			d.end(d.size < 0)
		case atBad:
			d.end(false)
		}
	}
	return true
}

// end is called at the end of what the range coder has written. expected says that the end may be there. As
// many bytes are consumed whichever loop has found the end.
func (d *decoder) end(expected bool) {
	if d.normalize(); !expected {
		d.err = ErrCorrupt
	}
	if d.err == nil {
		if d.err = io.EOF; d.code != 0 {
			d.err = ErrCorrupt
		}
	}
}

// The rest decodes a symbol bit by bit. It is for the last bytes of a buffer, and for the last ones of a text.

// symbol decodes a literal, a match or a mark. If the input ends, it sets d.err and decodes nothing. It waits for no
// byte that it does not need: the fast loop reads the next byte of the code when rng has become small, symbol
// only when another bit is decoded.
func (d *decoder) symbol() loopEnd {
	w := &d.win
	posState := uint32(w.out) & d.posMask
	state := d.state
	if d.bit(atMatch+state<<4+posState) == 0 {
		d.literal()
		return atLimit
	}
	var n int
	if d.bit(atRep+state) != 0 {
		if d.bit(atRepG0+state) == 0 {
			if d.bit(atRep0Long+state<<4+posState) == 0 {
				d.state = after(state, 9, 11)
				return d.match(1)
			}
		} else {
			i := 1
			if d.bit(atRepG1+state) != 0 {
				i = 2 + int(d.bit(atRepG2+state))
			}
			dist := d.rep[i]
			copy(d.rep[1:i+1], d.rep[:i])
			d.rep[0] = dist
		}
		d.state = after(state, 8, 11)
		return d.match(d.length(atRepLength, posState))
	}
	copy(d.rep[1:], d.rep[:3])
	n = d.length(atLength, posState)
	d.state = after(state, 7, 10)
	if d.rep[0] = d.distance(n); d.rep[0] == 1<<32-1 && d.err == nil {
		return atMark
	}
	return d.match(n)
}

// after returns the state after a match.
func after(state, literal, match uint32) uint32 {
	if state < 7 {
		return literal
	}
	return match
}

// afterLiteral has the state after a literal, for each state.
var afterLiteral = [16]uint8{0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 4, 5}

// match writes a match of n bytes, or what fits of it into the text.
func (d *decoder) match(n int) loopEnd {
	w := &d.win
	from, ok := w.from(d.rep[0])
	switch {
	case d.err != nil:
		return atLimit
	case !ok:
		return atBad
	}
	why := atLimit
	if d.size >= 0 && int64(n) > d.size {
		n, why = int(d.size), atBad
	}
	w.copyBytes(w.out, from, n)
	w.out += n
	return why
}

// literal decodes and writes a literal.
func (d *decoder) literal() {
	w := &d.win
	tree := atLiteral + 0x300*(((uint32(w.out)<<8|uint32(w.text[w.out-1]))&d.literalMask)>>d.literalShift)
	v := uint32(1)
	if d.state >= 7 {
		from, _ := w.from(d.rep[0])
		for m := uint32(w.text[from]); v < 0x100; {
			m <<= 1
			expected := m & 0x100
			b := d.bit(tree + 0x100 + expected + v)
			v = v<<1 | b
			if b<<8 != expected {
				break
			}
		}
	}
	if v = d.tree(tree, v, 0x100); d.err != nil {
		return
	}
	w.text[w.out] = byte(v)
	w.out++
	d.state = uint32(afterLiteral[d.state])
}

// length decodes the length of a match.
func (d *decoder) length(at, posState uint32) int {
	switch {
	case d.bit(at) == 0:
		return minMatch + int(d.tree(at+lowLengths+posState<<3, 1, 8)) - 8
	case d.bit(at+1) == 0:
		return minMatch + int(d.tree(at+midLengths+posState<<3, 1, 8))
	}
	return minMatch + 16 + int(d.tree(at+highLengths, 1, 256)) - 256
}

// distance decodes the distance of a match of n bytes, less 1.
func (d *decoder) distance(n int) uint32 {
	slot := d.tree(atSlot+uint32(min(n-minMatch, 3))<<6, 1, 64) - 64
	if slot < 4 {
		return slot
	}
	k := int(slot>>1) - 1 // of bits
	dist := (2 | slot&1) << k
	if slot < 14 {
		return dist + d.reverse(atDistance+dist-slot, k)
	}
	return dist + d.direct(k-4)<<4 + d.reverse(atAlign, 4)
}

// bit decodes a bit with the probability i of 0, which it adapts.
func (d *decoder) bit(i uint32) (bit uint32) {
	d.normalize()
	p := uint32(d.probs[i])
	bound := d.rng >> 11 * p
	if d.code < bound {
		d.rng = bound
		p += (1<<11 - p) >> 5
	} else {
		d.rng -= bound
		d.code -= bound
		p -= p >> 5
		bit = 1
	}
	d.probs[i] = uint16(p)
	return bit
}

// tree decodes a number of bits, the highest first, and returns it with a 1 in front: limit is the
// first number with a bit more. v is 1, or the bits that were decoded.
func (d *decoder) tree(at, v, limit uint32) uint32 {
	for v < limit {
		v = v<<1 | d.bit(at+v)
	}
	return v
}

// reverse decodes a number of n bits, at most 5, the lowest first.
func (d *decoder) reverse(at uint32, n int) uint32 {
	return uint32(bits.Reverse8(uint8(d.tree(at, 1, 1<<n))) >> (8 - n)) // the 1 in front goes
}

// direct decodes a number of n bits, the highest first, in which both bits are as probable.
func (d *decoder) direct(n int) (v uint32) {
	for range n {
		d.normalize()
		v <<= 1
		if d.rng >>= 1; d.code >= d.rng {
			d.code -= d.rng
			v |= 1
		}
	}
	return v
}

func (d *decoder) normalize() {
	if d.rng < top {
		d.rng <<= 8
		d.code = d.code<<8 | uint32(d.next())
	}
}

// next returns the next byte of the input. At its end it sets d.err.
func (d *decoder) next() byte {
	s := &d.src
	if s.at == len(s.b) {
		if err := s.fill(); err != nil {
			if d.err == nil {
				d.err = err
			}
			return 0
		}
	}
	c := s.b[s.at]
	s.at++
	return c
}

// A source is the input of a decoder.
type source struct {
	in       *bufio.Reader
	b        []byte // of what in has buffered
	at       int    // bytes of b that were consumed
	consumed int64  // bytes in front of b
	left     int64  // bytes after those of b that may be read
}

// buffered returns the bytes that are there without waiting.
func (s *source) buffered() []byte {
	if s.at == len(s.b) && s.left > 0 && s.in.Buffered() > len(s.b) {
		_ = s.fill()
	}
	return s.b[s.at:]
}

// ends reports whether no more bytes may be read than are there.
func (s *source) ends() bool { return s.left == 0 }

// fill waits for more input, after all of s.b was consumed.
func (s *source) fill() error {
	s.settle()
	if s.left == 0 {
		return ErrCorrupt
	}
	if _, err := s.in.Peek(1); err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	s.b, _ = s.in.Peek(int(min(int64(s.in.Buffered()), s.left)))
	s.left -= int64(len(s.b))
	return nil
}

// settle takes what was consumed from the input.
func (s *source) settle() {
	_, _ = s.in.Discard(s.at)
	s.consumed += int64(s.at)
	s.left += int64(len(s.b) - s.at)
	s.b, s.at = nil, 0
}
