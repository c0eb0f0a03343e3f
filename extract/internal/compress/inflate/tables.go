package inflate

import (
	"math/bits"
	"sync"
)

// order is the order in which the lengths of the code of code lengths are stored (RFC 1951,
// section 3.2.7).
var order = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// trialLen is how many bytes of a block are decoded before lit gets pairs.
const trialLen = 2 << 10

// codes are the codes of a compressed block that brings its own.
type codes struct {
	long   bool                        // the block before was long; kept for the next stream, which is probably similar
	inside int                         // bytes consumed of the current block by the fast loop
	lens   [maxLits + maxDists64]uint8 // code lengths
	own    tables
	work   builder
}

// read reads the codes of a block (RFC 1951, section 3.2.7). It reports whether they are
// valid.
func (c *codes) read(r *bitReader) bool {
	lits, dists, ok := c.readAll(r, maxDists)
	if !ok {
		return false
	}
	c.inside = 0
	if !c.own.set(&c.work, lits, dists) {
		return false
	}
	c.own.buildLits(&c.work, c.long)
	return true
}

// readAll reads the lengths of both codes of a block. There are at most mostDists distances.
func (c *codes) readAll(r *bitReader, mostDists uint) (lits, dists []uint8, ok bool) {
	if !r.need(14) {
		return nil, nil, false
	}
	nLits, nDists, used := r.take(5)+257, r.take(5)+1, r.take(4)+4
	if nLits > maxLits || nDists > mostDists {
		return nil, nil, false
	}
	var lens [19]uint8
	for _, s := range order[:used] {
		if !r.need(3) {
			return nil, nil, false
		}
		lens[s] = uint8(r.take(3))
	}
	var first [1 << 7]uint8 // symbol<<3 | length of its code; 0 for none
	if !prefixes(&first, &lens) || !c.readLens(r, &first, int(nLits+nDists)) {
		return nil, nil, false
	}
	return c.lens[:nLits], c.lens[nLits : nLits+nDists], true
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

// readLens reads n code lengths.
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

// The fast loops use these tables. The next bits of the stream are the index.
//
// An entry of lit says what literals come next, and perhaps a match after them:
//
//	bits 0-5    bits of the stream that the entry stands for
//	bits 6-7    number of literals, 0 to 2
//	bits 8-23   the literals
//	bits 24-31  if not 0, a match follows, with this length - 2
//
// If there is neither a literal nor a match, the entry is special:
//
//	bits 0-5    length of the code; of a link, the index bits of the table that it leads to
//	bits 8-10   what it is
//	bits 11-23  the literal; the least length, and from bit 20 the number of extra bits; or
//	            the index of the table
//
// An entry of dist:
//
//	bits 0-5    length of the code and number of extra bits; of a link, the index bits of dist
//	bit 6       it is a link
//	bit 7       no symbol has such a code
//	bits 8-11   length of the code; of a link, index bits of the table that it leads to
//	bits 16-31  the least distance, or the index of the table
const (
	countShift  = 6
	matchShift  = 24
	isMatch     = 1 << matchShift
	kindShift   = 8
	valueShift  = 11
	extraShift  = 20
	baseShift   = 16 // in dist
	codeShift   = 8  // in dist
	distLink    = 1 << 6
	distBad     = 1 << 7
	distSpecial = distLink | distBad
)

// The kinds of special entries.
const (
	kindBad     = iota << kindShift // no symbol has such a code, or the symbol is not used
	kindEnd                         // the end of the block
	kindLiteral                     // with a long code
	kindLength                      // of which the extra bits are not in the index
	kindLink                        // the code is longer than the index
	kindMask    = 7 << kindShift
)

const (
	singleBits = 10 // index bits of lit without pairs
	pairBits   = 12 // index bits of lit with pairs
	distBits   = 9  // index bits of dist

	// A table that a link leads to has at least two symbols.
	litSize  = 1<<singleBits + 288/2<<(15-singleBits)
	distSize = 1<<distBits + 32/2<<(15-distBits)
)

// lengthOf and distOf have for each symbol the least value and the number of extra bits.
var (
	lengthOf [29]extra
	distOf   [30]extra
)

type extra struct{ base, bits uint16 }

func init() {
	for i := range lengthOf {
		lengthOf[i] = extra{uint16(3 + i), 0}
		if i >= 8 {
			n := i/4 - 1
			lengthOf[i] = extra{uint16(3 + (4+i%4)<<n), uint16(n)}
		}
	}
	lengthOf[28] = extra{258, 0}
	for i := range distOf {
		distOf[i] = extra{uint16(1 + i), 0}
		if i >= 4 {
			n := i/2 - 1
			distOf[i] = extra{uint16(1 + (2+i%2)<<n), uint16(n)}
		}
	}
}

// tables are what a block is decoded with.
type tables struct {
	litCode, distCode code

	pairs   bool // lit has entries of two items
	litBits uint // index bits of lit
	lit     [litSize]uint32
	dist    [distSize]uint32
}

// A builder has what is needed to build the table of literals and lengths: the items that
// may come next in the stream, by the number of bits that they take.
type builder struct {
	lits    [256]literalOrMatch
	litAt   [17]uint16 // those of l bits are lits[litAt[l]:litAt[l+1]]
	matches [256]literalOrMatch
	matchAt [pairBits + 2]uint16 // the same for matches, with their extra bits
	others  [32]other            // symbols that are not literals, shortest code first
	used    int                  // number of others
}

// A literalOrMatch is one or the other, with its code.
type literalOrMatch struct {
	code  uint16 // bits of the stream; the first is the lowest
	value uint16 // the literal, or the length of the match - 2
}

// An other is a symbol that is not a literal.
type other struct {
	symbol uint16
	code   uint16
	bits   uint8 // of the code
	total  uint8 // bits including the extra bits; 0 if the symbol is not in matches
}

// set sets t to the codes of these lengths and builds dist. It fills w, from which buildLits
// builds lit. It reports whether the lengths are those of codes.
func (t *tables) set(w *builder, lits, dists []uint8) bool {
	if !t.litCode.init(lits) || !t.distCode.init(dists) {
		return false
	}
	w.collect(&t.litCode)
	t.buildDists()
	return true
}

// fixed returns the tables of blocks with fixed codes (RFC 1951, section 3.2.6). Two of these
// codes never fit into an index, so there are no pairs.
var fixed = sync.OnceValue(func() *tables {
	var lens [288 + 32]uint8
	for i := range lens {
		switch {
		case i < 144:
			lens[i] = 8
		case i < 256:
			lens[i] = 9
		case i < 280:
			lens[i] = 7
		case i < 288:
			lens[i] = 8
		default:
			lens[i] = 5
		}
	}
	t, w := new(tables), new(builder)
	t.set(w, lens[:288], lens[288:])
	t.buildLits(w, false)
	return t
})

// collect sorts the symbols of c into w.lits and w.others, in order of length.
func (w *builder) collect(c *code) {
	w.used = 0
	var total [pairBits + 1]uint16 // total[n] is the number of matches of n bits
	next, at, n := uint(0), 0, uint16(0)
	for l := uint(1); l < 16; l++ {
		w.litAt[l] = n
		for range c.count[l] {
			s, r := c.sorted[at], uint16(next)
			at++
			next = after(next, l)
			if s < 256 {
				w.lits[n&255] = literalOrMatch{r, s}
				n++
				continue
			}
			o := other{symbol: s, code: r, bits: uint8(l)}
			if s > 256 && s < 284 { // 284 and 285 may stand for 258, for which an entry has no room
				if x := lengthOf[s-257].bits; l+uint(x) <= pairBits {
					o.total = uint8(l + uint(x))
					total[o.total] += 1 << x
				}
			}
			w.others[w.used&31] = o
			w.used++
		}
	}
	w.litAt[16] = n
	w.collectMatches(&total)
}

// collectMatches fills matches. total has how many there are of each number of bits.
func (w *builder) collectMatches(total *[pairBits + 1]uint16) {
	sum := uint16(0)
	for l, n := range total {
		w.matchAt[l] = sum
		sum += n
	}
	w.matchAt[len(total)] = sum
	at := w.matchAt
	for i := range w.others[:w.used] {
		o := &w.others[i]
		if o.total == 0 {
			continue
		}
		x := lengthOf[o.symbol-257]
		for e := uint16(0); e < 1<<x.bits; e++ {
			w.matches[at[o.total]&255] = literalOrMatch{o.code | e<<o.bits, x.base + e - 2}
			at[o.total]++
		}
	}
}

// buildLits builds lit, with pairs or without. It begins with an index of 0 bits. For each n from
// 1, the table is doubled, and the entries of n bits are entered. An entry of n bits replaces any
// entry of fewer bits with which it begins.
func (t *tables) buildLits(w *builder, pairs bool) {
	tab := &t.lit
	t.pairs, t.litBits = pairs, singleBits
	if pairs {
		t.litBits = pairBits
	}
	tab[0] = kindBad
	size := 1
	for l := uint(1); l <= t.litBits; l++ {
		copy(tab[size:], tab[:size])
		size <<= 1
		for _, a := range w.lits[w.litAt[l]:w.litAt[l+1]] {
			tab[a.code&(1<<pairBits-1)] = uint32(l) | 1<<countShift | uint32(a.value)<<8
		}
		for _, m := range w.matches[w.matchAt[l]:w.matchAt[l+1]] {
			tab[m.code&(1<<pairBits-1)] = uint32(l) | uint32(m.value)<<matchShift
		}
		if pairs {
			w.pairs(tab, l)
		}
	}
	t.buildSpecial(w, size)
}

// pairs enters the entries of l bits that stand for two literals, or for a literal and a match.
func (w *builder) pairs(tab *[litSize]uint32, l uint) {
	for l1 := uint(1); l1 < l; l1++ {
		l2 := l - l1
		lits := w.lits[w.litAt[l2]:w.litAt[l2+1]]
		matches := w.matches[w.matchAt[l2]:w.matchAt[l2+1]]
		if len(lits)+len(matches) == 0 {
			continue
		}
		for _, a := range w.lits[w.litAt[l1]:w.litAt[l1+1]] {
			e := uint32(l) | 2<<countShift | uint32(a.value)<<8
			for _, b := range lits {
				tab[(a.code|b.code<<l1)&(1<<pairBits-1)] = e | uint32(b.value)<<16
			}
			e -= 1 << countShift
			for _, m := range matches {
				tab[(a.code|m.code<<l1)&(1<<pairBits-1)] = e | uint32(m.value)<<matchShift
			}
		}
	}
}

// entry returns the special entry of a symbol with a code of l bits.
func entry(symbol uint16, l uint) uint32 {
	switch {
	case symbol < 256:
		return uint32(l) | kindLiteral | uint32(symbol)<<valueShift
	case symbol == 256:
		return uint32(l) | kindEnd
	case symbol > 285:
		return kindBad
	}
	x := lengthOf[symbol-257]
	return uint32(l) | kindLength | uint32(x.base)<<valueShift | uint32(x.bits)<<extraShift
}

// buildSpecial adds the special entries. Codes that are longer than the index go into further
// tables, one for each index that such codes begin with. The first of these tables begins at size.
func (t *tables) buildSpecial(w *builder, size int) {
	for _, o := range w.others[:w.used] {
		l := uint(o.bits)
		if l > t.litBits {
			break
		}
		if o.total != 0 && uint(o.total) <= t.litBits {
			continue
		}
		e := entry(o.symbol, l)
		for i := int(o.code); i < size; i += 1 << l {
			t.lit[i] = e
		}
	}
	_ = t.litCode.long(t.lit[:], t.litBits, entry, func(at int, bits uint) uint32 {
		return uint32(bits) | kindLink | uint32(at)<<valueShift
	})
}

// buildDists builds dist, in the same way as buildLits builds lit.
func (t *tables) buildDists() {
	c, tab := &t.distCode, &t.dist
	tab[0] = distBad
	size, at, next := 1, 0, uint(0)
	for l := uint(1); l <= distBits; l++ {
		copy(tab[size:], tab[:size])
		size <<= 1
		for range c.count[l] {
			tab[next&(1<<distBits-1)] = distEntry(c.sorted[at], l)
			at++
			next = after(next, l)
		}
	}
	_ = c.long(tab[:], distBits, distEntry, func(at int, bits uint) uint32 {
		return distLink | uint32(distBits) | uint32(bits)<<codeShift | uint32(at)<<baseShift
	})
}

// distEntry returns the entry of a distance with a code of l bits.
func distEntry(symbol uint16, l uint) uint32 {
	if symbol >= maxDists {
		return distBad
	}
	x := distOf[symbol]
	return uint32(l+uint(x.bits)) | uint32(l)<<codeShift | uint32(x.base)<<baseShift
}

// long enters the codes with more bits than index into further tables, which follow the first
// one. link makes the entry of the first table that leads to such a table. long returns the index
// at which the last table ends.
func (c *code) long(tab []uint32, index uint, entry func(symbol uint16, l uint) uint32, link func(at int, bits uint) uint32) int {
	end := 1 << index
	longest := uint(15)
	for longest > index && c.count[longest] == 0 {
		longest--
	}
	if longest == index {
		return end
	}
	at, next := 0, uint(0)
	for l := uint(1); l <= index; l++ {
		at += int(c.count[l])
		next = (next + uint(c.count[l])) << 1
	}
	more := longest - index
	prefix, table := -1, 0
	for l := index + 1; l <= longest; l++ {
		for range c.count[l] {
			r := int(reverse(next, l))
			if p := r & (1<<index - 1); p != prefix {
				prefix, table = p, end
				tab[p] = link(table, more)
				end += 1 << more
			}
			e := entry(c.sorted[at], l)
			for i := r >> index; i < 1<<more; i += 1 << (l - index) {
				tab[table+i] = e
			}
			at++
			next++
		}
		next <<= 1
	}
	return end
}
