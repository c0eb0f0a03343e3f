package bzip2

import "encoding/binary"

// decode reads a block, from the byte after its checksum on.
func (k *block) decode(b *bitReader) {
	if b.read(1) != 0 {
		b.fail("randomized block")
	}
	origin := int(b.read(24))
	n := k.readList(b)
	groups := k.readCodes(b, n+2)
	if b.err != nil {
		return
	}
	k.text.begin()
	k.symbols(b, n+1, groups)
	if b.err == nil && origin >= len(k.text.next) {
		b.fail("bad origin of a block")
	}
	if b.err == nil {
		k.text.invert(origin)
	}
}

// readList reads which bytes occur in the block, and returns their number.
func (k *block) readList(b *bitReader) (n int) {
	used := b.read(16)
	for i := range 16 {
		if used>>(15-i)&1 == 0 {
			continue
		}
		low := b.read(16)
		for j := range 16 {
			if low>>(15-j)&1 != 0 {
				k.list[n] = byte(16*i + j)
				n++
			}
		}
	}
	if n == 0 {
		b.fail("block without bytes")
	}
	return n
}

// readCodes reads the codes, each of n symbols, and the code that each group uses. It
// returns the number of groups.
func (k *block) readCodes(b *bitReader, n int) (groups int) {
	codes := int(b.read(3))
	groups = int(b.read(15))
	if codes < 2 || codes > maxCodes || groups == 0 {
		b.fail("bad number of codes")
		return 0
	}
	recent := [maxCodes]uint8{0, 1, 2, 3, 4, 5}
	for i := range groups {
		j := 0
		for b.read(1) != 0 {
			if j++; j == codes {
				b.fail("group uses a code that does not exist")
			}
		}
		if b.err != nil {
			return 0
		}
		c := recent[j]
		copy(recent[1:j+1], recent[:j])
		recent[0], k.selectors[i] = c, c
	}
	for i := range codes {
		length := int(b.read(5))
		for j := range n {
			for length >= 1 && length <= maxCode && b.read(1) != 0 {
				length += 1 - 2*int(b.read(1))
			}
			if length < 1 || length > maxCode {
				b.fail("bad length of a code")
				return 0
			}
			k.lengths[j] = uint8(length)
		}
		if b.err == nil && !k.codes[i].set(k.lengths[:n]) {
			b.fail("code lengths that form no code")
		}
	}
	return groups
}

const (
	maxCodes   = 6
	runA, runB = 0, 1 // digits of the number of repeats of the first byte in the list
)

// A block holds the state of the block that is being decoded.
type block struct {
	most      int // largest size of a block before the first run-length coding is undone
	codes     [maxCodes]code
	selectors [1 << 15]uint8 // the code of each group
	lengths   [maxSymbols]uint8
	list      [256]byte // the bytes that occur in the block, most recently used first
	text      text
}

// symbols reads symbols up to the one that ends the block, and writes the bytes that they
// encode. Each iteration reads the symbols of a group; the size of a block bounds the runs.
//
// Where enough is buffered, all Huffman codes of a group are read first, and then the
// symbols are executed. If the block ends in the group, or is damaged there, the symbols up
// to there are read again, one by one, so that nothing after them is consumed.
func (k *block) symbols(b *bitReader, endSymbol, groups int) {
	var syms [groupSymbols]uint16
	d := symbolDecoder{block: k, end: uint16(endSymbol), digit: 1}
	for g := range groups {
		c := &k.codes[k.selectors[g]]
		if n := d.group(b, c, &syms); n < groupSymbols {
			d.singly(b, c, groupSymbols-n)
		}
		if d.done || b.err != nil {
			return
		}
	}
	b.fail("block without end")
}

// A symbolDecoder executes symbols: it writes the bytes that they encode.
type symbolDecoder struct {
	*block
	end        uint16 // the symbol that ends a block
	run, digit int    // the number of repeats that is being read, and the value of its next digit
	done       bool
	wrong      string // what is wrong
}

// group reads the symbols of a group, or as many as its window has. It returns how many.
func (d *symbolDecoder) group(b *bitReader, c *code, syms *[groupSymbols]uint16) int {
	if b.buffered() < groupBytes {
		return 0
	}
	w := b.window()
	n := c.group(&w, syms)
	if executed := d.execute(syms[:n]); executed < n || d.done || d.wrong != "" {
		for range executed { // at most a group; their bits are buffered
			c.symbol(b)
		}
		if d.wrong != "" {
			b.fail(d.wrong)
		}
		return executed
	}
	b.advance(&w)
	return n
}

// singly reads n symbols, or up to the end of the block.
func (d *symbolDecoder) singly(b *bitReader, c *code, n int) {
	for range n {
		if d.done || b.err != nil {
			return
		}
		sym := [1]uint16{c.symbol(b)}
		if b.err != nil {
			return
		}
		if d.execute(sym[:]); d.wrong != "" {
			b.fail(d.wrong)
		}
	}
}

// execute executes syms. It stops after a symbol that ends the block or is wrong, and returns
// how many it executed.
func (d *symbolDecoder) execute(syms []uint16) int {
	const tooLong = "block is too long"
	t, list := &d.text, &d.list
	at := len(t.next)
	for i, sym := range syms {
		if sym <= runB {
			if d.run += d.digit << sym; d.run > d.most {
				d.wrong = tooLong
				return i + 1
			}
			d.digit <<= 1
			continue
		}
		if d.run > 0 {
			if at+d.run > d.most {
				d.wrong = tooLong
				return i + 1
			}
			t.add(list[0], d.run)
			at = len(t.next)
			d.run, d.digit = 0, 1
		}
		if sym == d.end {
			d.done = true
			return i + 1
		}
		if at == d.most {
			d.wrong = tooLong
			return i + 1
		}
		if at == cap(t.next) {
			t.grow(1)
		}
		v := toFront(list, uint(sym-1))
		t.next = t.next[:at+1]
		t.next[at] = uint32(v)
		t.count[v]++
		at++
	}
	return len(syms)
}

// toFront moves byte i of list to the front of list, and returns that byte. Most bytes are near the
// front.
func toFront(list *[256]byte, i uint) byte {
	v := list[i&255]
	carry := uint64(v)
	at := uint(0)
	for ; at+8 <= i && at < 248; at += 8 {
		word := list[at : at+8 : at+8]
		x := binary.LittleEndian.Uint64(word)
		binary.LittleEndian.PutUint64(word, x<<8|carry)
		carry = x >> 56
	}
	word := list[at : at+8 : at+8]
	x := binary.LittleEndian.Uint64(word)
	mask := uint64(1)<<(8*(i-at)+7)<<1 - 1 // bytes at to i
	binary.LittleEndian.PutUint64(word, x&^mask|(x<<8|carry)&mask)
	return v
}

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
// peek at more bits than it consumes.
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
// the symbol that ends the block. It returns how many symbols it has read.
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
// length, or 0 if there is no such code.
func (c *code) long(acc uint64) uint16 {
	for n := uint(shortBits + 1); n <= maxCode; n++ {
		if v := uint32(acc >> (64 - n)); v < c.limit[n] {
			return c.order[int(v)+c.base[n]]<<5 | uint16(n)
		}
	}
	return 0
}
