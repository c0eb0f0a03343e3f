package bzip2

// A code is a Huffman code. Codes of a length follow one another, in the order of symbols,
// after those that are shorter.
type code struct {
	short [1 << shortBits]uint16 // symbol<<5 | length, of codes up to shortBits; 0 is none
	limit [maxCode + 2]uint32    // for a length, the first longer code, cut to that length
	base  [maxCode + 2]int       // where a code of that length stands in order, less the code
	order [maxSymbols]uint16     // symbols by their codes
	least uint                   // the shortest length
}

const (
	maxCode    = 20
	shortBits  = 10
	maxSymbols = 258
)

// set makes the code with such lengths of symbols, from 1 to maxCode. It reports whether
// there is one.
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

// symbol reads a symbol. Behind the last one of a block stand 80 bits at least, so it may
// look at more bits than it takes. Each iteration takes a longer code.
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

// peek makes have at least n if as many are in the buffer.
func (b *bitReader) peek(n uint) bool {
	return b.in.Buffered() >= 2 && b.err == nil && b.fill(n)
}
