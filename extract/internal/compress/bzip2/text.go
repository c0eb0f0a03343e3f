package bzip2

import (
	"encoding/binary"
	"math/bits"
)

// A text is the text of one block: first in the order of the Burrows-Wheeler transform, then in
// pieces that are in the order of the text, but still with the first run-length coding.
type text struct {
	next   []uint32 // the low 8 bits are a byte, the others the index of the next one
	count  [256]uint32
	pieces pieces

	piece []byte // unread bytes of the current piece
	left  int    // unread bytes of all pieces, including this one

	last   int    // the last byte, or -1
	times  int    // how often it was read in a row; after 4 times a count follows
	repeat int    // how many repeats are still to be returned
	sum    uint32 // checksum of what was read, before the final inversion
}

// reset drops what was not read.
func (t *text) reset() { t.piece, t.left, t.repeat = nil, 0, 0 }

// skipped makes the text one line break, which replaces a block that is left out.
func (t *text) skipped() { t.last, t.repeat = '\n', 1 }

// begin makes the text empty, to be written.
func (t *text) begin() { t.next, t.count = t.next[:0], [256]uint32{} }

// add appends c n times.
func (t *text) add(c byte, n int) {
	at := len(t.next)
	if at+n > cap(t.next) {
		t.grow(n)
	}
	t.count[c] += uint32(n)
	t.next = t.next[:at+n]
	for i := range t.next[at:] {
		t.next[at+i] = uint32(c)
	}
}

// grow makes room for n bytes more. The slice grows by a factor of 4, so the smaller slices that
// were discarded are together at most a third of the new one.
func (t *text) grow(n int) {
	const least, growth = 16 << 10, 4
	at := len(t.next)
	next := make([]uint32, at, max(least, at+n, growth*cap(t.next)))
	copy(next, t.next)
	t.next = next
}

// invert undoes the Burrows-Wheeler transform: the i-th occurrence of a byte in the transform
// is followed by the i-th occurrence of that byte in the sorted text.
func (t *text) invert(origin int) {
	sum := uint32(0)
	for i, n := range t.count {
		t.count[i] = sum
		sum += n
	}
	next, count := t.next, &t.count
	every := spacing(len(next))
	for from := 0; from < len(next); from += every { // each index once
		c := byte(next[from])
		next[count[c]] |= uint32(from)<<8 | isStart
		count[c]++
		for i, v := range next[from+1 : min(from+every, len(next))] {
			c := byte(v)
			next[count[c]] |= uint32(from+1+i) << 8
			count[c]++
		}
	}
	t.pieces.write(next, origin)
	t.piece, t.left = nil, len(t.next)
	t.last, t.times, t.repeat, t.sum = -1, 0, 0, 1<<32-1
}

// read reads text. After four equal bytes comes a count of further equal bytes.
func (t *text) read(p []byte) (n int) {
	for n < len(p) {
		if t.repeat > 0 {
			k := min(t.repeat, len(p)-n)
			for i := range k {
				p[n+i] = byte(t.last)
			}
			n += k
			t.repeat -= k
			continue
		}
		if len(t.piece) == 0 {
			if t.left == 0 {
				break
			}
			t.piece = t.pieces.next(t.left)
			t.left -= len(t.piece)
		}
		n += t.unrun(p[n:])
	}
	t.sum = addSum(t.sum, p[:n])
	return n
}

// unrun reads from the current piece up to the count of a run.
func (t *text) unrun(p []byte) int {
	piece, last, times := t.piece, t.last, t.times
	piece = piece[:min(len(piece), len(p)+1)]
	for i, c := range piece {
		if times == 4 {
			t.repeat, t.last, t.times = int(c), last, 0 // an equal byte after these starts a new run
			t.piece = t.piece[i+1:]
			return i
		}
		if i >= len(p) {
			break
		}
		if int(c) == last {
			times++
		} else {
			last, times = int(c), 1
		}
		p[i] = c
	}
	n := min(len(piece), len(p))
	t.piece, t.last, t.times = t.piece[n:], last, times
	return n
}

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
// index at on, and returns where they end.
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
// follows the pieces of the other lanes to their ends. It returns where their bytes end.
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
// returns the index at which these bytes end, and which lanes are at the end of a piece.
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

// next returns bytes of the text, at most n, after those that it returned before.
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

// A Checksum combines the checksums of consecutive blocks of a stream. The zero Checksum is the Checksum of no
// blocks, at the beginning of a stream.
type Checksum struct {
	bits    uint32
	blocks  uint8 // number of the blocks, modulo 32
	partial bool  // other blocks of the stream precede these
	lost    bool  // a block was damaged: the Checksum is not known
}

// add adds the checksum of the next block.
func (s *Checksum) add(block uint32) {
	s.bits = bits.RotateLeft32(s.bits, 1) ^ block
	s.blocks = (s.blocks + 1) % 32
}

// Then returns the Checksum of the blocks of s and then those of next.
func (s Checksum) Then(next Checksum) Checksum {
	if !next.partial {
		return next
	}
	return Checksum{bits.RotateLeft32(s.bits, int(next.blocks)) ^ next.bits, (s.blocks + next.blocks) % 32, s.partial, s.lost || next.lost}
}

// sumTables are the tables of CRC-32 with the highest bit first, which hash/crc32 lacks:
// sumTables[i][c] is the sum of c and i zeros after it.
var sumTables = func() (t [8][256]uint32) {
	for i := range 256 {
		v := uint32(i) << 24
		for range 8 {
			v = v<<1 ^ v>>31*0x04c11db7
		}
		t[0][i] = v
	}
	for k := 1; k < len(t); k++ {
		for i := range 256 {
			v := t[k-1][i]
			t[k][i] = t[0][v>>24] ^ v<<8
		}
	}
	return t
}()

// addSum adds p to sum.
func addSum(sum uint32, p []byte) uint32 {
	t := &sumTables
	for ; len(p) >= 8; p = p[8:] {
		a := binary.BigEndian.Uint32(p) ^ sum
		b := binary.BigEndian.Uint32(p[4:])
		sum = t[7][a>>24] ^ t[6][a>>16&255] ^ t[5][a>>8&255] ^ t[4][a&255] ^
			t[3][b>>24] ^ t[2][b>>16&255] ^ t[1][b>>8&255] ^ t[0][b&255]
	}
	for _, c := range p {
		sum = t[0][byte(sum>>24)^c] ^ sum<<8
	}
	return sum
}
