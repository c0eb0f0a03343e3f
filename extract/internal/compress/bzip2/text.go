package bzip2

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

// add appends c n times. Each iteration writes one byte.
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

// read reads text. After four equal bytes comes a count of further equal bytes. Each iteration
// writes a byte or consumes a byte.
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

// unrun reads from the current piece up to the count of a run. Each iteration consumes a
// byte.
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
