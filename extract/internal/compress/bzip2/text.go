package bzip2

// A text is that of a block: first as the Burrows-Wheeler transform has it, then as a
// list of bytes in which each says where the next is.
type text struct {
	next  []uint32 // a byte, and above it the index of the next
	count [256]uint32
	at    uint32
	left  int // bytes of next to be read

	last   int    // byte, or -1
	times  int    // that it was read in a row, up to 4: then a number follows
	repeat int    // how often it comes again
	sum    uint32 // of what was read, before its last inversion
}

// begin makes the text empty.
func (t *text) begin() { t.next, t.count = t.next[:0], [256]uint32{} }

// add appends n times c. Each iteration writes it once. The memory grows by so much that
// all that was outgrown is a third of it.
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

// invert undoes the transform: the i-th byte c of the transform is followed by the i-th
// byte c of the sorted text.
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

// read reads text. After four equal bytes a number says how many more there are. Each
// iteration writes a byte or takes one.
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
			t.repeat, t.times = int(c), 0 // an equal byte after them begins anew
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

// sumTable is of CRC-32 with the highest bit first, which hash/crc32 does not have.
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
