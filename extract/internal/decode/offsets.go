package decode

import "slices"

// A Map leads from output offsets to input offsets. It is a list of mappings. A mapping holds for
// all output up to the next one, with a fixed ratio of input to output bytes. A new
// mapping is added only where the last one predicts a wrong input offset. Removed input needs
// no mapping of its own: the next mapping begins further on in the input. So there is at most one
// mapping for each byte of output that is not forgotten, and none while bytes are copied.
//
// The zero Map is empty and ready.
type Map struct {
	// mappings[head:] are in use, with out strictly ascending. Each reaches to the next
	// one, the last to Map.out, in whole units.
	mappings []mapping
	head     int

	out, in int64 // bytes of output and of input that were added
}

// A mapping says that output from out on was made of input from in on, inUnit bytes for each
// outUnit. It has 24 bytes.
type mapping struct {
	out, in         int64
	inUnit, outUnit uint8
}

// Add records that r was converted next.
func (m *Map) Add(r Conversion) {
	if r.Out > 0 {
		in := m.in + int64(r.removed())
		n := len(m.mappings)
		if n == 0 || !m.mappings[n-1].predicts(m.out, in, r.InUnit, r.OutUnit) {
			if n == cap(m.mappings) {
				n = m.grow()
			}
			m.mappings = m.mappings[:n+1]
			k := &m.mappings[n]
			k.out, k.in, k.inUnit, k.outUnit = m.out, in, r.InUnit, r.OutUnit
		}
		m.out += int64(r.Out)
	}
	m.in += int64(r.In)
}

// predicts reports whether k has these units and maps the output offset out to the input offset in.
// Then no new mapping is needed.
func (k *mapping) predicts(out, in int64, inUnit, outUnit uint8) bool {
	return k.inUnit == inUnit && k.outUnit == outUnit &&
		(in-k.in)*int64(outUnit) == (out-k.out)*int64(inUnit) // units are whole, so no division is needed
}

// grow makes room for a mapping, and returns the number of mappings. Before the list grows,
// forgotten mappings are reclaimed if they are a quarter of it. So the capacity is at most 8/3
// of what was ever needed at once, and a mapping is moved at most three times.
func (m *Map) grow() int {
	if m.head > len(m.mappings)/4 {
		m.mappings = m.mappings[:copy(m.mappings, m.mappings[m.head:])]
		m.head = 0
	} else {
		m.mappings = slices.Grow(m.mappings, max(len(m.mappings), 64))
	}
	return len(m.mappings)
}

// find returns the index of the last mapping that begins at or before off, or m.head-1 if
// there is none. It is a binary search.
func (m *Map) find(off int64) int {
	lo, hi := m.head, len(m.mappings)
	for lo < hi {
		if mid := int(uint(lo+hi) / 2); m.mappings[mid].out <= off {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo - 1
}

// Origin implements [MappedReader].
func (m *Map) Origin(off int64) (in int64, exact bool) {
	if off >= m.out {
		return m.end(off)
	}
	i := m.find(off)
	if i < m.head { // forgotten
		return m.oldest(), false
	}
	k := &m.mappings[i]
	d := off - k.out
	return k.in + d/int64(k.outUnit)*int64(k.inUnit), d%int64(k.outUnit) == 0
}

// end returns the end of the unit that the output byte before off belongs to,
// and whether the unit ends at off. Input that is removed after
// that unit makes no difference, whether it was already read or not.
func (m *Map) end(off int64) (in int64, exact bool) {
	exact = off <= m.out
	off = min(off, m.out)
	i := m.find(off - 1)
	if i < m.head {
		return m.oldest(), off == 0 && exact
	}
	k := &m.mappings[i]
	d, unit := off-k.out, int64(k.outUnit)
	return k.in + (d+unit-1)/unit*int64(k.inUnit), exact && d%unit == 0
}

// oldest returns the first input offset that is still known, 0 at the beginning.
func (m *Map) oldest() int64 {
	if m.head < len(m.mappings) && m.mappings[m.head].out > 0 {
		return m.mappings[m.head].in
	}
	return 0
}

// Span implements [MappedReader].
func (m *Map) Span(start, end int64) (lo, hi int64, exact bool) {
	// Usually the span is in the last mapping, and its bytes were copied verbatim.
	if n := len(m.mappings); n > m.head && end <= m.out && start < end {
		if k := &m.mappings[n-1]; k.out <= start && k.inUnit == 1 && k.outUnit == 1 {
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

// Forget implements [MappedReader]. The mapping that holds for off is kept.
func (m *Map) Forget(off int64) {
	m.head = max(m.head, min(m.find(off), len(m.mappings)-1))
}

// Reset empties m and keeps its memory.
func (m *Map) Reset() { *m = Map{mappings: m.mappings[:0]} }
