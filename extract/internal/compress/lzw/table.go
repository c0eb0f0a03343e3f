package lzw

const (
	maxBits   = 16
	maxString = 1 << maxBits // no string is longer, since each of its prefixes has a code
	noCode    = -1
)

// A width is how many bits a code has. It grows with the table.
type width struct {
	bits  uint
	max   uint // the largest
	grow  int  // when table.free reaches it, codes become wider
	codes uint // number of codes since the width changed
}

// set begins a group of codes of that many bits each.
func (w *width) set(bits uint) {
	w.bits, w.codes = bits, 0
	w.grow = 1 << bits
	if bits == w.max {
		w.grow = 1<<maxBits + 1 // never
	}
}

// padding returns how many bits are left in the current group of eight codes.
func (w *width) padding() uint { return -w.codes % 8 * w.bits }

// A table has the strings of the codes from first on. A smaller code is a byte.
type table struct {
	first int // the first code with an entry: 256, or 257 in block mode
	free  int // the next code that gets an entry
	most  int // the number that free cannot exceed
	prev  int // the previous code, or noCode

	entries [1 << maxBits]uint32 // prefix code << 8 | last byte
	length  [1 << maxBits]uint16 // length of its string
}

// empty resets t to its initial state.
func (t *table) empty() { t.free, t.prev = t.first, noCode }

// write writes the string of code to the beginning of out and adds an entry to t. It returns
// the length of the string, or 0 if the code is invalid. Each iteration writes one byte:
// an entry refers to a smaller code.
func (t *table) write(out []byte, code int) int {
	n, c, again := 1, code, false
	switch {
	case code < 256:
	case code < t.free:
		n = int(t.length[code])
	case code == t.free && t.prev != noCode:
		// This code is the one that is being added: its string is the previous string, followed
		// by the first byte of the previous string.
		c, again = t.prev, true
		n = t.len(c) + 1
	default:
		return 0
	}
	s := out[:n]
	k := n - 1
	if again {
		k--
	}
	for ; c >= 256; k-- {
		e := t.entries[uint16(c)]
		s[k], c = byte(e), int(e>>8)
	}
	s[0] = byte(c)
	if again {
		s[n-1] = s[0]
	}
	if t.prev != noCode && t.free < t.most {
		t.entries[t.free] = uint32(t.prev)<<8 | uint32(s[0])
		t.length[t.free] = uint16(t.len(t.prev) + 1)
		t.free++
	}
	t.prev = code
	return n
}

// len returns the length of the string of a valid code.
func (t *table) len(code int) int {
	if code < 256 {
		return 1
	}
	return int(t.length[code])
}
