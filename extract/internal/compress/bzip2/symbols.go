package bzip2

import "encoding/binary"

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
// front. Each iteration moves 8 bytes.
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
