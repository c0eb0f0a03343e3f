package window

import "math/bits"

// This file finds the lines of bytes in a piece. A caller that needs the line of one
// reference needs the lines of the references after it, too. So the first request in a piece
// marks all newlines of the piece. After that, the line of any byte takes two lookups and no
// loop. Without AVX2, Window.count does all the counting.

// LineBlocks has the blocks of a piece, and one more for its end.
type LineBlocks [pieceBlocks + 1]LineBlock

// MarkNewlines marks the newlines of the piece b, in one pass.
func (l *LineBlocks) MarkNewlines(b []byte) {
	whole := len(b) &^ (BlockLen - 1)
	n, start := lineBlocksAVX2(b[:whole], (*[pieceBlocks + 1]LineBlock)(l))
	last := &l[whole/BlockLen]
	*last = LineBlock{0, n, start}
	for i, c := range b[whole:] { // less than a block
		if c == '\n' {
			last.Mask |= 1 << i
		}
	}
}

// Of returns how many newlines of the piece are in front of its byte i, and the offset
// in the piece at which the line of that byte begins. The offset is 0, too, if the line
// begins in front of the piece.
func (l *LineBlocks) Of(i int) (n, start int) {
	b := &l[i/BlockLen]
	n, start = int(b.Before), int(b.Start)
	if m := b.Mask & (1<<(i%BlockLen) - 1); m != 0 {
		n += bits.OnesCount64(m)
		start = i&^(BlockLen-1) + bits.Len64(m)
	}
	return n, start
}
