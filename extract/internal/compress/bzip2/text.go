package bzip2

// A text is the text of one block: first in the order of the Burrows-Wheeler transform,
// then as a linked list of bytes.
type text struct {
	next  []uint32 // the low 8 bits are a byte, the others the index of the next one
	count [256]uint32
	at    uint32
	left  int // bytes of next that were not read

	last   int    // the last byte, or -1
	times  int    // how often it was read in a row; after 4 times a count follows
	repeat int    // how many repeats are still to be returned
	sum    uint32 // checksum of what was read, before the final inversion
}

// begin makes the text empty.
func (t *text) begin() { t.next, t.count = t.next[:0], [256]uint32{} }

// add appends c n times. Each iteration writes one byte. The slice grows by a factor such
// that the discarded smaller slices together are a third of it.
func (t *text) add(c byte, n int) {
	const least, growth = 16 << 10, 4
	at := len(t.next)
	if at+n > cap(t.next) {
		next := make([]uint32, at, max(least, at+n, growth*cap(t.next)))
		copy(next, t.next)
		t.next = next
	}
	t.count[c] += uint32(n)
	t.next = t.next[:at+n]
	for i := range t.next[at:] {
		t.next[at+i] = uint32(c)
	}
}

// invert undoes the transform: the i-th occurrence of a byte in the transform is followed
// by the i-th occurrence of that byte in the sorted text.
func (t *text) invert(origin int) {
	sum := uint32(0)
	for i, n := range t.count {
		t.count[i] = sum
		sum += n
	}
	for i, v := range t.next {
		c := byte(v)
		t.next[t.count[c]] |= uint32(i) << 8
		t.count[c]++
	}
	t.at, t.left = t.next[origin]>>8, len(t.next)
	t.last, t.times, t.repeat, t.sum = -1, 0, 0, 1<<32-1
}

// read reads text. After four equal bytes comes a count of further ones. Each iteration
// writes a byte or consumes one.
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
		if t.left == 0 {
			break
		}
		v := t.next[t.at]
		c := byte(v)
		t.at = v >> 8
		t.left--
		if t.times == 4 {
			t.repeat, t.times = int(c), 0 // an equal byte after these starts a new run
			continue
		}
		if int(c) == t.last {
			t.times++
		} else {
			t.last, t.times = int(c), 1
		}
		p[n] = c
		n++
	}
	for _, c := range p[:n] {
		t.sum = sumTable[byte(t.sum>>24)^c] ^ t.sum<<8
	}
	return n
}

// sumTable is the table of CRC-32 with the highest bit first, which hash/crc32 lacks.
var sumTable = func() (table [256]uint32) {
	for i := range table {
		v := uint32(i) << 24
		for range 8 {
			v = v<<1 ^ v>>31*0x04c11db7
		}
		table[i] = v
	}
	return table
}()
