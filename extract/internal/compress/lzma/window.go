package lzma

// Sizes in bytes.
const (
	front    = 16       // in front of the ring: the last one is the byte in front of the first
	room     = 273 + 32 // after the ring: what an iteration may write
	slack    = 64       // how much longer than the dictionary the ring is
	first    = 64 << 10 // the smallest ring
	whole    = 4 << 20  // a larger ring is made for the whole dictionary at once
	step     = 512      // how much it grows at least, more than the text after its end
	block    = 64 << 10 // decoded at once
	leastLen = 4 << 10  // the smallest dictionary
)

// A window is the text that was decoded last, in a ring: text[front:front+ring]. A symbol that begins in it may
// end after it; slide moves what is there to the beginning. The ring grows with the text. So a
// dictionary that is larger than the text costs nothing.
type window struct {
	text    []byte
	ring    int    // bytes of it; a multiple of 16, so that an index in text has the lowest bits of the position
	most    int    // what ring may grow to
	dict    uint32 // how far back a match may begin
	wrapped bool   // the ring is full of text

	returned, out int // text[returned:out] is still to be returned
}

// reset begins a text. The memory is kept.
func (w *window) reset(dict int64) {
	w.dict = uint32(min(max(dict, leastLen), 1<<32-1))
	w.most = (max(int(w.dict), block) + slack + 15) &^ 15
	switch w.ring = (len(w.text) - front - room) &^ 15; {
	case w.ring >= w.most:
		w.ring = w.most
	case w.ring > w.most-step:
		w.ring = w.most - step
	}
	w.ring = max(w.ring, 0)
	w.restart()
}

// restart forgets the text, all of which was returned.
func (w *window) restart() {
	w.wrapped, w.returned, w.out = false, front, front
	if len(w.text) > 0 {
		w.text[front-1] = 0
	}
}

// slide makes room in a ring that is full. All text in it must have been returned.
func (w *window) slide() {
	end := front + w.ring
	switch {
	case w.out < end:
		return
	case w.ring < w.most:
		size := max(4*w.ring, first)
		if w.ring = size; size > whole || size > w.most-step {
			w.ring = w.most
		}
		old := w.text
		w.text = make([]byte, front+w.ring+room)
		copy(w.text, old[:min(w.out, len(old))])
		return
	}
	w.text[front-1] = w.text[end-1]
	copy(w.text[front:], w.text[end:w.out])
	w.out -= w.ring
	w.returned, w.wrapped = w.out, true
}

// copyBytes copies a match of n bytes. If it begins in the lap before, it may begin at the end of the ring and go on at
// its beginning.
func (w *window) copyBytes(out, from, n int) {
	before := from >= out
	for i := range n {
		if before && from == front+w.ring {
			from = front
		}
		w.text[out+i] = w.text[from]
		from++
	}
}

// from returns the index of the byte that is dist+1 bytes back, and whether there is such a byte.
func (w *window) from(dist uint32) (int, bool) {
	if dist >= w.dict {
		return 0, false
	}
	i := w.out - int(dist) - 1
	if i < front {
		return i + w.ring, w.wrapped
	}
	return i, true
}

// read copies text to p, and returns how much.
func (w *window) read(p []byte) int {
	if w.returned == w.out { // there may be no ring yet
		return 0
	}
	n := copy(p, w.text[w.returned:w.out])
	w.returned += n
	return n
}
