package decode

import "slices"

// A Map tells where output stems from. It is a list of pieces, each with its
// units per unit; what a piece foretells is not stored again, and neither is
// input that was taken out, since the next piece tells of it by beginning
// further on. So there is at most one mark for each byte of output that is not
// forgotten, and none while 1 for 1 goes on.
//
// The zero Map is empty and ready.
type Map struct {
	// marks[head:] are in order, out strictly ascending. The last one reaches
	// to out, each other one to the next, in whole units.
	marks []mark
	head  int

	out, in int64 // what was turned so far
}

// A mark says: output from out on stems from in on, inUnit for each outUnit.
// It is 24 bytes.
type mark struct {
	out, in         int64
	inUnit, outUnit uint8
}

// Add notes that r was turned next.
func (m *Map) Add(r Run) {
	if r.Out > 0 {
		in := m.in + int64(r.lead())
		n := len(m.marks)
		if n == 0 || m.marks[n-1].inUnit != r.InUnit || m.marks[n-1].outUnit != r.OutUnit ||
			!m.marks[n-1].foretells(m.out, in, r.InUnit, r.OutUnit) {
			if n == cap(m.marks) {
				n = m.grow()
			}
			m.marks = m.marks[:n+1]
			m.marks[n] = mark{m.out, in, r.InUnit, r.OutUnit}
		}
		m.out += int64(r.Out)
	}
	m.in += int64(r.In)
}

// foretells reports whether k, going on to out, would say of it what a new mark of
// the same units would.
func (k *mark) foretells(out, in int64, inUnit, outUnit uint8) bool {
	return (in-k.in)*int64(outUnit) == (out-k.out)*int64(inUnit) // whole units: nothing is divided
}

// grow makes room for a mark, and returns how many there are then. What is
// forgotten is reclaimed before the list grows if it is a quarter of it, so that
// its capacity stays within a third more than what was ever needed at once,
// doubled at worst; a mark is moved three times for that.
func (m *Map) grow() int {
	if m.head > len(m.marks)/4 {
		m.marks = m.marks[:copy(m.marks, m.marks[m.head:])]
		m.head = 0
	} else {
		m.marks = slices.Grow(m.marks, max(len(m.marks), 64))
	}
	return len(m.marks)
}

// find returns the index of the last mark that begins at off or before, and
// m.head-1 if there is none. It is a binary search.
func (m *Map) find(off int64) int {
	lo, hi := m.head, len(m.marks)
	for lo < hi {
		if mid := int(uint(lo+hi) / 2); m.marks[mid].out <= off {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo - 1
}

// Origin is that of [Stage].
func (m *Map) Origin(off int64) (in int64, exact bool) {
	if off >= m.out {
		return m.end(off)
	}
	i := m.find(off)
	if i < m.head { // forgotten
		return m.oldest(), false
	}
	k := &m.marks[i]
	d := off - k.out
	return k.in + d/int64(k.outUnit)*int64(k.inUnit), d%int64(k.outUnit) == 0
}

// end returns the end of the unit that the output byte before off belongs to,
// and whether the unit ends at off. It does not depend on what was taken out
// behind that unit, nor on how far that had been seen.
func (m *Map) end(off int64) (in int64, exact bool) {
	exact = off <= m.out
	off = min(off, m.out)
	i := m.find(off - 1)
	if i < m.head {
		return m.oldest(), off == 0 && exact
	}
	k := &m.marks[i]
	d, unit := off-k.out, int64(k.outUnit)
	return k.in + (d+unit-1)/unit*int64(k.inUnit), exact && d%unit == 0
}

// oldest returns the first input offset that is still known, 0 at the beginning.
func (m *Map) oldest() int64 {
	if m.head < len(m.marks) && m.marks[m.head].out > 0 {
		return m.marks[m.head].in
	}
	return 0
}

// Span is that of [Stage].
func (m *Map) Span(start, end int64) (lo, hi int64, exact bool) {
	// Most often it is asked of what came last, byte for byte.
	if n := len(m.marks); n > m.head && end <= m.out && start < end {
		if k := &m.marks[n-1]; k.out <= start && k.inUnit == 1 && k.outUnit == 1 {
			d := k.in - k.out
			return start + d, end + d, true
		}
	}
	lo, exact = m.Origin(start)
	if end <= start {
		return lo, lo, exact
	}
	hi, whole := m.end(end)
	return lo, hi, exact && whole
}

// Forget is that of [Stage]. The piece that off lies in stays.
func (m *Map) Forget(off int64) {
	m.head = max(m.head, min(m.find(off), len(m.marks)-1))
}

// Reset empties m and keeps its memory.
func (m *Map) Reset() { *m = Map{marks: m.marks[:0]} }
