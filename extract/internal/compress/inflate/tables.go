package inflate

import "sync"

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
