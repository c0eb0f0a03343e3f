package inflate

// order is the order in which the lengths of the code of code lengths are stored (RFC 1951,
// section 3.2.7).
var order = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// trialLen is how many bytes of a block are decoded before lit gets pairs.
const trialLen = 2 << 10

// codes are the codes of a compressed block that brings its own.
type codes struct {
	long   bool                      // the block before was long; kept for the next stream, which is probably similar
	inside int                       // bytes consumed of the current block by the fast loop
	lens   [maxLits + maxDists]uint8 // code lengths
	own    tables
	work   builder
}

// read reads the codes of a block (RFC 1951, section 3.2.7). It reports whether they are
// valid.
func (c *codes) read(r *bitReader) bool {
	if !r.need(14) {
		return false
	}
	lits, dists, used := r.take(5)+257, r.take(5)+1, r.take(4)+4
	if lits > maxLits || dists > maxDists {
		return false
	}
	var lens [19]uint8
	for _, s := range order[:used] {
		if !r.need(3) {
			return false
		}
		lens[s] = uint8(r.take(3))
	}
	var first [1 << 7]uint8 // symbol<<3 | length of its code; 0 for none
	if !prefixes(&first, &lens) || !c.readLens(r, &first, int(lits+dists)) {
		return false
	}
	c.inside = 0
	if !c.own.set(&c.work, c.lens[:lits], c.lens[lits:lits+dists]) {
		return false
	}
	c.own.buildLits(&c.work, c.long)
	return true
}

// trial returns the beginning of b that is to be decoded with tab next. The first bytes of a
// block are decoded without pairs; if more follow, tab gets pairs.
func (c *codes) trial(b []byte, tab *tables) []byte {
	if tab != &c.own || tab.pairs {
		return b
	}
	if c.inside >= trialLen {
		tab.buildLits(&c.work, true)
	} else if most := trialLen - c.inside + margin; len(b) > most {
		b = b[:most]
	}
	return b
}

// ended is called after a block. A block with fixed codes is short, and says nothing about
// other blocks.
func (c *codes) ended(tab *tables) {
	if tab == &c.own {
		c.long = c.inside > 2*trialLen
	}
}

// prefixes builds the lookup table first for the code that encodes code lengths; lens has its
// lengths. It reports whether they are a code, by the rules of [code.init].
func prefixes(first *[1 << 7]uint8, lens *[19]uint8) bool {
	var c code
	if !c.init(lens[:]) {
		return false
	}
	at, next := 0, uint(0)
	for l := uint(1); l <= 7; l++ {
		for range c.count[l] { // at most 19 times in all
			s := c.sorted[at]
			at++
			for i := reverse(next, l); i < 1<<7; i += 1 << l {
				first[i] = uint8(s)<<3 | uint8(l)
			}
			next++
		}
		next <<= 1
	}
	return true
}

// readLens reads n code lengths. Each iteration reads one or more.
func (c *codes) readLens(r *bitReader, first *[1 << 7]uint8, n int) bool {
	for i := 0; i < n; {
		e := first[r.acc&127]
		for r.n < uint(e&7) { // at most one byte each
			if !r.need(r.n + 1) {
				return false
			}
			e = first[r.acc&127]
		}
		if e == 0 {
			return false
		}
		r.take(uint(e & 7))
		s := e >> 3
		if s < 16 {
			c.lens[i] = s
			i++
			continue
		}
		var extra, least uint = 7, 11
		var v uint8
		switch s {
		case 16:
			if i == 0 {
				return false
			}
			extra, least, v = 2, 3, c.lens[i-1]
		case 17:
			extra, least = 3, 3
		}
		if !r.need(extra) {
			return false
		}
		to := i + int(least+r.take(extra))
		if to > n {
			return false
		}
		for ; i < to; i++ {
			c.lens[i] = v
		}
	}
	return true
}
