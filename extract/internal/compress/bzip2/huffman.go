package bzip2

import "encoding/binary"

// A code is a Huffman code. Codes of equal length are consecutive numbers in the order of
// their symbols; longer codes follow shorter ones.
type code struct {
	short [1 << shortBits]uint16 // symbol<<5 | length, indexed by the next shortBits bits; 0 if the code is longer or invalid
	limit [maxCode + 2]uint32    // for each length, the first longer code, cut to that length
	base  [maxCode + 2]int       // for each length, the index in order of its first code, minus that code
	order [maxSymbols]uint16     // symbols by their codes
	least uint                   // the shortest length
}

const (
	maxCode    = 20
	shortBits  = 10
	maxSymbols = 258

	groupSymbols = 50 // symbols that are read with one code
)

// set builds the code from the lengths of its symbols, each from 1 to maxCode. It reports
// whether these lengths form a code.
func (c *code) set(lengths []uint8) bool {
	var count [maxCode + 2]int
	for _, n := range lengths {
		count[n]++
	}
	clear(c.short[:])
	next, at := uint32(0), 0
	var first [maxCode + 2]int
	c.least = 0
	for n := uint(1); n <= maxCode; n++ {
		next <<= 1
		first[n], c.base[n] = at, at-int(next)
		at += count[n]
		next += uint32(count[n])
		c.limit[n] = next
		if next > 1<<n {
			return false
		}
		if c.least == 0 && count[n] > 0 {
			c.least = n
		}
	}
	for sym, n := range lengths {
		i := first[n]
		first[n]++
		c.order[i] = uint16(sym)
		if n <= shortBits {
			from := uint(i-c.base[n]) << (shortBits - n)
			for j := range uint(1) << (shortBits - n) {
				c.short[from+j] = uint16(sym)<<5 | uint16(n)
			}
		}
	}
	return true
}

// symbol reads a symbol. At least 80 bits follow the last symbol of a block, so it may
// peek at more bits than it consumes. Each iteration tries a longer code.
func (c *code) symbol(b *bitReader) uint16 {
	if b.have >= shortBits || b.peek(shortBits) {
		if v := c.short[b.acc>>(b.have-shortBits)&(1<<shortBits-1)]; v != 0 {
			b.have -= uint(v & 31)
			return v >> 5
		}
	}
	for n := c.least; n <= maxCode; n++ {
		if b.have < n && !b.fill(n) {
			return 0
		}
		if v := uint32(b.acc>>(b.have-n)) & (1<<n - 1); v < c.limit[n] {
			b.have -= n
			return c.order[int(v)+c.base[n]]
		}
	}
	b.fail("no such code")
	return 0
}

// groupBytes is the most that a window reads for the symbols of one group.
const groupBytes = groupSymbols*maxCode/8 + 8

// group reads the symbols of a group from w, up to a code that c does not have. It does not stop at
// the symbol that ends the block. It returns how many symbols it has read. Each iteration reads
// two.
func (c *code) group(w *window, into *[groupSymbols]uint16) int {
	buf, at, acc, have := w.buf, w.at, w.acc, w.have
	i := 0
	for ; i < groupSymbols; i += 2 {
		acc |= binary.BigEndian.Uint64(buf[at:]) >> have
		at += int(63-have) >> 3
		have |= 56
		v := c.short[acc>>(64-shortBits)]
		if v == 0 {
			if v = c.long(acc); v == 0 {
				break
			}
		}
		acc <<= v & 31
		have -= uint(v & 31)
		into[i] = v >> 5
		v = c.short[acc>>(64-shortBits)]
		if v == 0 {
			if v = c.long(acc); v == 0 {
				i++
				break
			}
		}
		acc <<= v & 31
		have -= uint(v & 31)
		into[i+1] = v >> 5
	}
	w.at, w.acc, w.have = at, acc, have
	return i
}

// long looks up a code longer than shortBits, at the top of acc. It returns symbol<<5 |
// length, or 0 if there is no such code. Each iteration tries a longer code.
func (c *code) long(acc uint64) uint16 {
	for n := uint(shortBits + 1); n <= maxCode; n++ {
		if v := uint32(acc >> (64 - n)); v < c.limit[n] {
			return c.order[int(v)+c.base[n]]<<5 | uint16(n)
		}
	}
	return 0
}
