package delimit

import "math/bits"

// The lines of a piece. If the line of one reference is needed, that of the next one,
// often near, is needed too, and each would count newlines from the last one on. So the
// first request in a piece marks all its newlines; the line of any byte then takes two
// lookups and no loop. Without AVX2, window.count does all the counting.

// A lineBlock describes a block of a piece: a bit for each newline in it, the number of
// newlines in the piece in front of it, and the offset in the piece of the line that is
// open at its beginning, or 0.
type lineBlock struct {
	mask          uint64
	before, start uint32
}

// lines has the blocks of a piece, and one more for its end.
type lines [pieceBlocks + 1]lineBlock

// mark marks the newlines of the piece b, in one pass.
func (l *lines) mark(b []byte) {
	whole := len(b) &^ (blockLen - 1)
	n, start := lineBlocksAVX2(b[:whole], (*[pieceBlocks + 1]lineBlock)(l))
	last := &l[whole/blockLen]
	*last = lineBlock{0, n, start}
	for i, c := range b[whole:] { // less than a block
		if c == '\n' {
			last.mask |= 1 << i
		}
	}
}

// of returns how many newlines of the piece are in front of its byte i, and where the
// line of that byte begins, or 0 if it begins in front of the piece or with it.
func (l *lines) of(i int) (n, start int) {
	b := &l[i/blockLen]
	n, start = int(b.before), int(b.start)
	if m := b.mask & (1<<(i%blockLen) - 1); m != 0 {
		n += bits.OnesCount64(m)
		start = i&^(blockLen-1) + bits.Len64(m)
	}
	return n, start
}
