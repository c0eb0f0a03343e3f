package decode

import (
	"math/rand/v2"
	"testing"
)

// slowMap is a slow Map. It has a span for each byte in place of mappings.
type slowMap struct {
	lo, hi []int64 // offsets of the encoded unit of each output byte
	first  []bool  // whether the byte begins its unit
	last   []bool  // whether the byte ends its unit
	in     int64
}

func (m *slowMap) add(r Conversion) {
	if r.Out == 0 {
		m.in += int64(r.In)
		return
	}
	for n := 0; n < r.Out; n += int(r.OutUnit) {
		for i := range int(r.OutUnit) {
			m.lo = append(m.lo, m.in)
			m.hi = append(m.hi, m.in+int64(r.InUnit))
			m.first = append(m.first, i == 0)
			m.last = append(m.last, i == int(r.OutUnit)-1)
		}
		m.in += int64(r.InUnit)
	}
}

func randomRun(r *rand.Rand) Conversion {
	units := [][2]int{{1, 1}, {1, 1}, {3, 1}, {4, 3}, {2, 1}, {2, 3}, {0, 1}, {5, 0}, {1, 2}, {2, 2}}
	u := units[r.IntN(len(units))]
	n := 1 + r.IntN(4)
	return Conversion{u[0] * n, u[1] * n, uint8(u[0]), uint8(u[1])}
}

func TestMap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var m Map
	for range 500 {
		m.Reset()
		var slow slowMap
		var forgot int64
		for range 60 {
			conv := randomRun(r)
			m.Add(conv)
			slow.add(conv)
			if n := int64(len(slow.lo)); n > 0 && r.IntN(8) == 0 {
				forgot = max(forgot, r.Int64N(n+1))
				m.Forget(forgot)
			}
			checkMap(t, &m, &slow, forgot)
		}
	}
}

func checkMap(t *testing.T, m *Map, slow *slowMap, forgot int64) {
	t.Helper()
	n := int64(len(slow.lo))
	for off := forgot; off < n; off++ {
		if in, exact := m.Origin(off); in != slow.lo[off] || exact != slow.first[off] {
			t.Fatalf("Origin(%d) = %d, %v, want %d, %v", off, in, exact, slow.lo[off], slow.first[off])
		}
		for end := off + 1; end <= min(n, off+9); end++ {
			lo, hi, exact := m.Span(off, end)
			if lo != slow.lo[off] || hi != slow.hi[end-1] || exact != (slow.first[off] && slow.last[end-1]) {
				t.Fatalf("Span(%d, %d) = %d, %d, %v, want %d, %d", off, end, lo, hi, exact, slow.lo[off], slow.hi[end-1])
			}
		}
	}
	if n > 0 {
		if in, exact := m.Origin(n); in != slow.hi[n-1] || !exact {
			t.Fatalf("Origin(%d) at the end = %d, %v, want %d", n, in, exact, slow.hi[n-1])
		}
	}
}

func TestMapStoresWhatDeparts(t *testing.T) {
	var m Map
	for range 1000 { // one text, in many runs
		m.Add(Conversion{10, 10, 1, 1})
	}
	if len(m.mappings) != 1 {
		t.Errorf("%d marks for text as it is, want 1", len(m.mappings))
	}
	m.Reset()
	for range 1000 { // base64, a line at a time
		m.Add(Conversion{76, 57, 4, 3})
		m.Add(Conversion{2, 0, 1, 0})
	}
	if len(m.mappings) != 1000 {
		t.Errorf("%d marks for 1000 lines, want one for each", len(m.mappings))
	}
	m.Reset()
	for range 100000 { // removed stretches need no memory
		m.Add(Conversion{100, 0, 1, 0})
	}
	m.Add(Conversion{1, 1, 1, 1})
	if in, _ := m.Origin(0); len(m.mappings) != 1 || in != 100*100000 {
		t.Errorf("%d marks, Origin(0) = %d", len(m.mappings), in)
	}
}

// TestMapIsBounded checks that a Map does not grow if old offsets are forgotten.
func TestMapIsBounded(t *testing.T) {
	var m Map
	const window = 1000
	for i := range int64(1 << 20) {
		m.Add(Conversion{2, 1, 2, 1}) // each byte needs a mapping of its own
		m.Add(Conversion{1, 1, 1, 1})
		m.Forget(2*i - window)
	}
	if cap(m.mappings) > 4*window {
		t.Errorf("room for %d marks, window of %d", cap(m.mappings), window)
	}
	if in, exact := m.Origin(0); exact || in == 0 {
		t.Errorf("forgotten Origin(0) = %d, %v", in, exact)
	}
	if n := testing.AllocsPerRun(1000, func() {
		m.Add(Conversion{2, 1, 2, 1})
		m.Add(Conversion{1, 1, 1, 1})
		m.Forget(m.out - window)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
