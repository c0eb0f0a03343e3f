package xz

// LZMA: text as symbols, each of which is a literal byte, or a match, which says how
// far back the same text was and how long it is. Matches may also refer to one of the
// last four distances. There is no document but the program of Igor Pavlov and those
// after it; names here are those of XZ Embedded.

const (
	states     = 12 // of what the last symbols were
	litStates  = 7  // of them, those in which the last was a literal
	posStates  = 16 // places modulo a power of two, at most 16
	distStates = 4  // distances have other probabilities after short matches
	matchLeast = 2  // bytes
	alignBits  = 4  // the low bits of a long distance
)

// lengths are the probabilities of the length of a match: 3, 3 or 8 bits.
type lengths struct {
	choice, choice2 uint16
	low, mid        [posStates][8]uint16
	high            [256]uint16
}

// A model is all probabilities.
type model struct {
	isMatch, isRep0Long           [states][posStates]uint16
	isRep, isRep0, isRep1, isRep2 [states]uint16
	distSlot                      [distStates][64]uint16
	distSpecial                   [128]uint16 // of a slot and its distance: from distance-slot
	distAlign                     [1 << alignBits]uint16
	matchLen, repLen              lengths
	literal                       [16][0x300]uint16
}

// fresh is the model at the beginning.
var fresh = func() *model {
	m := new(model)
	for _, p := range [][]uint16{m.isRep[:], m.isRep0[:], m.isRep1[:], m.isRep2[:], m.distSpecial[:], m.distAlign[:]} {
		fill(p)
	}
	for i := range states {
		fill(m.isMatch[i][:])
		fill(m.isRep0Long[i][:])
	}
	for i := range m.distSlot {
		fill(m.distSlot[i][:])
	}
	for _, l := range []*lengths{&m.matchLen, &m.repLen} {
		l.choice, l.choice2 = probStart, probStart
		fill(l.high[:])
		for i := range posStates {
			fill(l.low[i][:])
			fill(l.mid[i][:])
		}
	}
	for i := range m.literal {
		fill(m.literal[i][:])
	}
	return m
}()

func fill(p []uint16) {
	for i := range p {
		p[i] = probStart
	}
}

// lzma decodes symbols into a window.
type lzma struct {
	rangeDecoder
	model

	lc      uint   // bits of the byte before a literal that choose its probabilities
	lpMask  uint32 // bits of the place that do
	pbMask  uint32 // bits of the place that choose those of other symbols
	state   uint32
	rep     [4]uint32 // the last distances, less one, the latest first
	pending int       // bytes of a match that did not fit
}

// props sets lc, lp and pb, which are in one byte.
func (l *lzma) props(b byte) bool {
	lc, lp, pb := b%9, b/9%5, b/45
	if pb > 4 || lc+lp > 4 {
		return false
	}
	l.lc, l.lpMask, l.pbMask = uint(lc), 1<<lp-1, 1<<pb-1
	return true
}

// resetState forgets all symbols, but not the window.
func (l *lzma) resetState() {
	l.model = *fresh
	l.state, l.rep, l.pending = 0, [4]uint32{}, 0
}

const errDistance = damage("match before the beginning of the text")

// decode decodes symbols until w.pos is end. It begins none behind the first last bytes
// of in, and writes none that took more than the first have. Each iteration writes a
// byte at least.
func (l *lzma) decode(w *window, end, last, have int) error {
	if l.pending > 0 && w.pos < end {
		l.pending = w.repeat(l.rep[0], l.pending, end)
	}
	for w.pos < end && l.at <= last {
		place := uint32(w.pos)
		if l.bit(&l.isMatch[l.state][place&l.pbMask]) == 0 {
			b := l.literalByte(w, place)
			if l.at > have {
				return nil
			}
			w.buf[w.pos] = b
			w.pos++
			continue
		}
		n := l.match(place & l.pbMask)
		if l.at > have {
			return nil
		}
		if !w.has(l.rep[0]) {
			return errDistance
		}
		l.pending = w.repeat(l.rep[0], n, end)
	}
	return nil
}

// literalByte decodes a literal.
func (l *lzma) literalByte(w *window, place uint32) byte {
	probs := &l.literal[(place&l.lpMask)<<l.lc+uint32(w.back(0))>>(8-l.lc)]
	state := l.state
	switch {
	case state < 4:
		l.state = 0
	case state < 10:
		l.state = state - 3
	default:
		l.state = state - 6
	}
	if state < litStates {
		return byte(l.tree(probs[:0x100], 8))
	}
	return l.matched(probs, w.back(l.rep[0]))
}

// match decodes a match, puts its distance first in rep, and returns its length.
func (l *lzma) match(posState uint32) int {
	s, after := l.state, uint32(0)
	if s >= litStates {
		after = 3
	}
	if l.bit(&l.isRep[s]) == 0 {
		l.state = 7 + after
		l.rep[3], l.rep[2], l.rep[1] = l.rep[2], l.rep[1], l.rep[0]
		n := l.length(&l.matchLen, posState)
		l.rep[0] = l.distance(n)
		return n
	}
	if l.bit(&l.isRep0[s]) == 0 {
		if l.bit(&l.isRep0Long[s][posState]) == 0 {
			l.state = min(9+after, 11)
			return 1
		}
	} else {
		i := 1
		if l.bit(&l.isRep1[s]) != 0 {
			i = 2 + int(l.bit(&l.isRep2[s]))
		}
		d := l.rep[i]
		copy(l.rep[1:i+1], l.rep[:i])
		l.rep[0] = d
	}
	l.state = 8 + after
	return l.length(&l.repLen, posState)
}

// length decodes the length of a match.
func (l *lzma) length(p *lengths, posState uint32) int {
	if l.bit(&p.choice) == 0 {
		return matchLeast + int(l.tree(p.low[posState][:], 3))
	}
	if l.bit(&p.choice2) == 0 {
		return matchLeast + 8 + int(l.tree(p.mid[posState][:], 3))
	}
	return matchLeast + 16 + int(l.tree(p.high[:], 8))
}

// distance decodes the distance of a match of n bytes, less one. A slot has the two
// highest bits and how many follow.
func (l *lzma) distance(n int) uint32 {
	slot := l.tree(l.distSlot[min(n-matchLeast, distStates-1)][:], 6)
	if slot < 4 {
		return slot
	}
	bits := uint(slot>>1 - 1)
	d := (2 | slot&1) << bits
	if slot < 14 {
		return d + l.reverse(l.distSpecial[d-slot:], bits)
	}
	d += l.direct(bits-alignBits) << alignBits
	return d + l.reverse(l.distAlign[:], alignBits)
}
