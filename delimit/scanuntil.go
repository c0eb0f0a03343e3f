package delimit

import (
	"bytes"
	"encoding/binary"
)

// The walk through a reference on the fast path. It is the one loop there that
// looks at each byte, so it answers all questions at once: where the reference ends,
// and whether a byte before that asks for a closer look. A table has the answers for
// each byte. Where the processor has AVX2, a kernel looks at 32 bytes a turn: which
// ends a byte is one of depends on its two halves, so two tables of sixteen entries
// hold the same (stopTables). Elsewhere, and for the last bytes, it is eight a turn.

// An ask is what a byte of a reference asks for. Asks combine as bits.
type ask uint8

const (
	askHost   ask = 1 << 6 // a look at the host, which may stand behind it
	askEntity ask = 1 << 7 // a look whether it begins "&amp;"
)

// A stop is a set of bytes that end a walk. Of asks, it is the bit 1<<stop.
type stop uint8

const (
	stopWrapped stop = iota // what shuts a wrapper, or shows that it holds more than a reference
	stopBare                // what ends a bare reference, or may do so
	stopNested              // likewise behind "(", where its partner does too
	numStops
)

// asks holds what each byte asks for. The special ones that are not in stopBare change
// nothing in a bare reference while no bracket is open in it.
var asks = func() (t [256]ask) {
	for c, r := range roles {
		if r.has(halts) {
			t[c] |= 1 << stopWrapped
		}
		if r.has(ends|special) && bytes.IndexByte([]byte("/?#()"), byte(c)) < 0 {
			t[c] |= 1<<stopBare | 1<<stopNested
		}
	}
	t['('] |= 1 << stopNested
	t[')'] |= 1 << stopNested
	t['@'] |= askHost
	t['&'] |= askEntity
	return t
}()

// scanUntil returns the index of the first byte of b from i on that is one of until, or
// len(b), and what the bytes before it ask for beside.
func scanUntil(b []byte, i int, until stop) (end int, met ask) {
	if hasAVX2 {
		if i, met = scanUntilAVX2(b, i, &stopTables[until]); i <= len(b)-lane {
			return i, met // only at an end does it leave a whole lane
		}
	}
	end, more := scanUntilGo(b, i, until)
	return end, met | more
}

// scanUntilGo is scanUntil in Go alone.
func scanUntilGo(b []byte, i int, until stop) (end int, met ask) {
	for ; i+8 <= len(b); i += 8 { // eight steps forward each time
		x := binary.LittleEndian.Uint64(b[i:])
		m := asks[byte(x)] | asks[byte(x>>8)] | asks[byte(x>>16)] | asks[byte(x>>24)] |
			asks[byte(x>>32)] | asks[byte(x>>40)] | asks[byte(x>>48)] | asks[byte(x>>56)]
		if m>>until&1 != 0 {
			break
		}
		met |= m
	}
	for ; i < len(b); i++ { // eight at most
		m := asks[b[i]]
		if m>>until&1 != 0 {
			break
		}
		met |= m
	}
	return i, met & (askHost | askEntity)
}

// lane is how many bytes the kernel looks at in a turn.
const lane = 32

// A stopTable holds for the lower and the upper half of a byte a set of bits, twice
// for the two halves of a register. What the halves have in common is what the byte
// asks for; below the bits of askHost and askEntity, any bit is an end.
type stopTable = [2][lane]byte

var stopTables = [numStops]stopTable{
	stopTableOf(1 << stopWrapped), stopTableOf(1 << stopBare), stopTableOf(1 << stopNested),
}

// stopTableOf returns the table that ends a walk at the bytes that ask for until.
// Upper halves with which the same lower ones make an end share a bit; six bits are
// enough, as a test holds.
func stopTableOf(until ask) (t stopTable) {
	var rows [16]uint16 // for each upper half, the lower halves that make an end
	bit := byte(1)
	set := func(high, low int, bits byte) {
		for half := 0; half < lane; half += lane / 2 {
			t[0][half+low] |= bits
			t[1][half+high] |= bits
		}
	}
	for high := range rows {
		for low := range 16 {
			if asks[high<<4|low]&until != 0 {
				rows[high] |= 1 << low
			}
		}
		is := bit
		for above := range high {
			if rows[above] == rows[high] {
				is = t[1][above]
			}
		}
		for low := range 16 {
			if rows[high]>>low&1 != 0 {
				set(high, low, is)
			}
		}
		if t[1][high] == bit {
			bit <<= 1
		}
	}
	set('@'>>4, '@'&15, byte(askHost))
	set('&'>>4, '&'&15, byte(askEntity))
	return t
}
