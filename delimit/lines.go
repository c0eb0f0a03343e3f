package delimit

import "math/bits"

// Lines of a piece. Where somebody asks for the line of a reference, the next one is
// often near, and each would have newlines counted from the last on. So the first who
// asks in a piece has all its newlines marked, and what stands before any byte is
// then two looks and no loop. Where there is no AVX2, window.count does it alone.

// A lineBlock is a block of a piece: its newlines, a bit each, and of what stands before
// it in the piece how many there are, and where behind the last of them its line begins,
// from the piece's beginning on; or 0.
type lineBlock struct {
	mask          uint64
	before, start uint32
}

// lines are those of a piece, with a block more for its end.
type lines [pieceBlocks + 1]lineBlock

// mark marks the newlines of b, a piece. It passes over b once.
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

// of returns how many newlines stand in the piece before its byte i, and where the
// line that holds that byte begins, or 0 if that is before the piece or with it.
func (l *lines) of(i int) (n, start int) {
	b := &l[i/blockLen]
	n, start = int(b.before), int(b.start)
	if m := b.mask & (1<<(i%blockLen) - 1); m != 0 {
		n += bits.OnesCount64(m)
		start = i&^(blockLen-1) + bits.Len64(m)
	}
	return n, start
}
