package inflate

import "math/bits"

const (
	maxLits  = 286 // symbols in a code of literals and lengths
	maxDists = 30  // symbols in a code of distances
)

// A code is a canonical Huffman code (RFC 1951, section 3.2.2).
type code struct {
	count  [16]uint16  // symbols with a code of each length; count[0] is 0
	sorted [288]uint16 // the symbols, by length, then by value; those without a code follow
	used   uint16      // number of symbols that have a code
}

// init sets c to the code with these lengths, 0 for a symbol without a code. It reports
// whether that is a code, by the rules of package compress/flate: it is complete, or has
// one symbol with a length of 1, or none.
func (c *code) init(lens []uint8) bool {
	var even, odd [16]uint16 // two, so that one need not wait for the other
	i := 0
	for ; i+1 < len(lens); i += 2 {
		even[lens[i]&15]++
		odd[lens[i+1]&15]++
	}
	if i < len(lens) {
		even[lens[i]&15]++
	}
	for l := range even {
		c.count[l] = even[l] + odd[l]
	}
	c.count[0] = 0
	var at [16]uint16
	sum, longest, used := 0, 0, uint16(0)
	for l := 1; l < 16; l++ {
		at[l] = used
		used += c.count[l]
		sum += int(c.count[l]) << (15 - l)
		if c.count[l] > 0 {
			longest = l
		}
	}
	if c.used = used; sum != 1<<15 && longest != 0 && (longest != 1 || used != 1) {
		return false
	}
	at[0] = used // symbols without a code come last
	for s, l := range lens {
		c.sorted[at[l&15]] = uint16(s)
		at[l&15]++
	}
	return true
}

// decode returns the symbol at the beginning of acc, of which n bits are known, and the length
// of its code. If length is 0, more bits are needed or, if bad is set, no symbol has such a
// code. It tries each length once.
func (c *code) decode(acc uint64, n uint) (symbol, length uint, bad bool) {
	if c.used <= 1 { // the only incomplete codes
		switch {
		case c.used == 0 || n > 0 && acc&1 == 1:
			return 0, 0, true
		case n == 0:
			return 0, 0, false
		}
		return uint(c.sorted[0]), 1, false
	}
	var v, first, at uint
	for l := uint(1); l <= min(n, 15); l++ {
		v = v<<1 | uint(acc&1)
		acc >>= 1
		k := uint(c.count[l])
		if v < first+k {
			return uint(c.sorted[at+v-first]), l, false
		}
		at += k
		first = (first + k) << 1
	}
	return 0, 0, false
}

// reverse returns the lowest n bits of v in reverse order.
func reverse(v, n uint) uint { return uint(bits.Reverse16(uint16(v)) >> (16 - n)) }

// after returns the code for the next symbol whose code has l bits or more. v is the code in
// front of it, and has l bits. The first bit of a code is the lowest.
func after(v, l uint) uint {
	rest := v ^ (1<<l - 1)
	if rest == 0 {
		return 0 // v was the last one
	}
	top := uint(1) << (bits.Len(rest) - 1)
	return v&(top-1) | top
}
