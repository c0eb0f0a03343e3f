package bzip2

// The text of a block is a linked list of bytes that are spread over a table of 4 MB, so
// following it waits for memory at each byte. Therefore the list is cut at up to 1024 places,
// which are evenly spaced in the table. The pieces between them are followed in lanes, whose
// waits overlap. Then the pieces are read in order.
//
//	table     ──●────────●────────●────────●──   starts of pieces
//	lane 0    ├──piece 0──┤├─piece 8─┤├── …      each lane takes the next start where its
//	lane 1    ├─piece 1─┤├────piece 9────┤├ …    piece ends: at the start of another one
//	…
//
// The list of a damaged table, or of text that repeats itself, may be several cycles. Only
// the pieces of the cycle that has the text are read.
const (
	lanes     = 8
	laneRoom  = 1 << 10 // bytes of a lane in a row
	mostCuts  = 1 << 10
	leastLong = 64 << 10 // the shortest block that is cut, in bytes; the table of a shorter one fits the cache

	isStart = 1 << 31 // bit of a table entry: the next byte begins a piece
)

// spacing returns the distance between starts in a table of n entries.
func spacing(n int) int {
	if n < leastLong {
		return max(n, 1)
	}
	return (n + mostCuts - 1) / mostCuts
}

// pieces are the bytes of a text.
type pieces struct {
	bytes   []byte
	extents []extent
	first   [mostCuts + 1]int32 // first extent of the piece that begins at each start; the last start is that of the text

	now int32 // next extent
}

// An extent is a part of a piece.
type extent struct {
	at, n uint32 // its bytes are pieces.bytes[at:at+n]
	then  int32  // next extent, or -1-k for the first one of the piece that begins at start k
}

// A tracer follows the pieces of a table.
type tracer struct {
	*pieces
	table []uint32
	every uint32 // distance between starts
	cuts  uint32 // number of starts, without that of the text
	begin uint32 // where the text begins: the start with the number cuts

	at      [lanes]uint32 // the next entry of each lane
	piece   [lanes]int32  // the extent that each lane writes
	started uint32        // starts that were given to lanes
}

// write writes the bytes of a text. The entry origin is the one before the text's first
// entry.
func (s *pieces) write(table []uint32, origin int) {
	if need := len(table) + lanes*laneRoom; cap(s.bytes) < need {
		s.bytes = make([]byte, max(need, min(4*cap(s.bytes), 1<<20)))
	}
	s.bytes = s.bytes[:cap(s.bytes)]
	s.extents = s.extents[:0]
	w := tracer{pieces: s, table: table, every: uint32(spacing(len(table))), begin: table[origin] &^ isStart >> 8}
	w.cuts = (uint32(len(table)) + w.every - 1) / w.every
	table[origin] |= isStart
	at := 0
	if w.cuts > lanes {
		at = w.lanes()
	}
	for w.start(0, at) { // each start that is left
		at = w.alone(0, at)
	}
	s.now = s.first[w.cuts]
}

// start begins the next piece in lane; at is the index of the first byte of the piece. It returns
// false if there are no more.
func (w *tracer) start(lane, at int) bool {
	if w.started < w.cuts && w.started*w.every == w.begin {
		w.started++ // it is the start of the text
	}
	if w.started > w.cuts {
		return false
	}
	w.at[lane] = w.started * w.every
	if w.started == w.cuts {
		w.at[lane] = w.begin
	}
	w.first[w.started] = int32(len(w.extents))
	w.open(lane, at)
	w.started++
	return true
}

// open begins an extent of lane.
func (w *tracer) open(lane, at int) {
	w.piece[lane] = int32(len(w.extents))
	w.extents = append(w.extents, extent{at: uint32(at)})
}

// link ends the extent of lane in front of the index at, and begins another one at the index
// other.
func (w *tracer) link(lane, at, other int) {
	e := &w.extents[w.piece[lane]]
	e.n, e.then = uint32(at)-e.at, int32(len(w.extents))
	w.open(lane, other)
}

// end ends the piece of lane in front of the index at. The next entry is a start.
func (w *tracer) end(lane, at int) {
	k := w.cuts
	if next := w.at[lane] &^ (isStart >> 8); next != w.begin {
		k = next / w.every
	}
	e := &w.extents[w.piece[lane]]
	e.n, e.then = uint32(at)-e.at, -1-int32(k)
}

// alone follows the piece of lane to its end, without other lanes. It writes the bytes from the
// index at on, and returns where they end. Each iteration writes a byte.
func (w *tracer) alone(lane, at int) int {
	p := w.at[lane]
	for {
		v := w.table[p]
		w.bytes[at] = byte(v)
		at++
		p = v >> 8
		if v&isStart != 0 {
			w.at[lane] = p
			w.end(lane, at)
			return at
		}
	}
}

// lanes follows pieces in all lanes until there is no further piece for one of them. Then it
// follows the pieces of the other lanes to their ends. It returns where their bytes end. Each
// iteration fills a part of a row.
func (w *tracer) lanes() int {
	for lane := range lanes {
		w.start(lane, lane*laneRoom)
	}
	row, i := 0, 0
	for {
		if i == laneRoom {
			for lane := range lanes {
				at := row + lane*laneRoom
				w.link(lane, at+laneRoom, at+lanes*laneRoom)
			}
			row, i = row+lanes*laneRoom, 0
		}
		var ended uint32
		i, ended = w.step((*[lanes * laneRoom]byte)(w.bytes[row:]), i)
		for lane := range lanes {
			if ended>>lane&1 == 0 {
				continue
			}
			at := row + lane*laneRoom + i
			if w.end(lane, at); !w.start(lane, at) {
				return w.rest(lane, ended, row, i)
			}
		}
	}
}

// rest is called when the piece of lane has ended and there are no more starts. It follows the
// pieces of the other lanes to their ends. If bit k of ended is set, and k is greater than
// lane, the piece of lane k has ended already. Each lane has written i bytes of the row that
// begins at the index row.
func (w *tracer) rest(lane int, ended uint32, row, i int) int {
	at := row + lanes*laneRoom
	for other := range lanes {
		end := row + other*laneRoom + i
		switch {
		case other == lane:
		case other > lane && ended>>other&1 != 0:
			w.end(other, end)
		default:
			w.link(other, end, at)
			at = w.alone(other, at)
		}
	}
	return at
}

// step writes bytes of all lanes into row, from the index i of each lane on, until a piece ends. It
// returns the index at which these bytes end, and which lanes are at the end of a piece. Each
// iteration writes one byte of each lane.
func (w *tracer) step(row *[lanes * laneRoom]byte, i int) (int, uint32) {
	t := w.table
	a, b, c, d, e, f, g, h := w.at[0], w.at[1], w.at[2], w.at[3], w.at[4], w.at[5], w.at[6], w.at[7]
	var ended uint32
	for i := i; ; {
		va, vb, vc, vd := t[a], t[b], t[c], t[d]
		row[i], row[laneRoom+i], row[2*laneRoom+i], row[3*laneRoom+i] = byte(va), byte(vb), byte(vc), byte(vd)
		ve, vf, vg, vh := t[e], t[f], t[g], t[h]
		row[4*laneRoom+i], row[5*laneRoom+i], row[6*laneRoom+i], row[7*laneRoom+i] = byte(ve), byte(vf), byte(vg), byte(vh)
		i++
		a, b, c, d, e, f, g, h = va>>8, vb>>8, vc>>8, vd>>8, ve>>8, vf>>8, vg>>8, vh>>8
		if (va|vb|vc|vd|ve|vf|vg|vh)&isStart != 0 {
			ended = va>>31 | vb>>31<<1 | vc>>31<<2 | vd>>31<<3 | ve>>31<<4 | vf>>31<<5 | vg>>31<<6 | vh>>31<<7
		} else if i < laneRoom {
			continue
		}
		w.at = [lanes]uint32{a, b, c, d, e, f, g, h}
		return i, ended
	}
}

// next returns bytes of the text, at most n, after those that it returned before. Each
// iteration visits an extent; hardly any is empty.
func (s *pieces) next(n int) []byte {
	for {
		e := &s.extents[s.now]
		if s.now = e.then; s.now < 0 {
			s.now = s.first[-1-s.now]
		}
		if e.n > 0 {
			return s.bytes[e.at:][:min(int(e.n), n)]
		}
	}
}
