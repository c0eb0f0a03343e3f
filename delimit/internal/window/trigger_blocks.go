package window

import (
	"bytes"
	"math/bits"
)

// Plan: the window is searched for colons in pieces. Each piece takes two passes without
// branches that depend on the text. The processor would predict half of the branches "is
// there a colon?" wrongly, which costs more than the search itself.
//
//  1. ColonBlocks lists the blocks of 64 bytes that have colons, and counts the newlines,
//     which are needed for line numbers anyway.
//  2. NarrowBlocks makes a mask for each of these blocks, with the colons that may be
//     worthwhile by the bytes around them, and drops the blocks that have none.
//
// For the few colons that remain, Go code decides (Worthwhile). So the second pass may
// keep too many colons, but must not drop a worthwhile one. Near the edges of the window,
// where the second pass does not see enough bytes, it drops no colon. Without AVX2, bytes.IndexByte
// does the first pass, and the second drops none.

// Colon returns the position of the first worthwhile colon from i on, or -1.
func (w *Window) Colon(i int) int {
	for { // each iteration searches a piece
		if at := w.nextColon(i); at >= 0 {
			return at
		}
		if w.Piece.to == w.End {
			return -1
		}
		w.searchPiece()
	}
}

// searchPiece searches the next piece. There must be one.
func (w *Window) searchPiece() {
	p := &w.Piece
	w.count(p.to)
	p.From, p.to = p.to, min(w.End, p.to+PieceLen)
	p.lined = false
	n, newlines := ColonBlocks(w.Buf[p.From:p.to], p.At[:])
	if w.CountedTo > p.From {
		newlines -= bytes.Count(w.Buf[p.From:min(w.CountedTo, p.to)], Newline)
	}
	p.newlines = newlines
	p.Next, p.N = 0, NarrowBlocks(w.Buf[:w.End], p.From, p.At[:n], p.Masks[:n])
}

// ColonBlocks writes the offsets of the blocks of b that have colons to the slice at. It returns
// the number of these blocks and of all newlines in b. b is at most a piece, and the slice at has
// room for one offset more than b has blocks.
func ColonBlocks(b []byte, at []uint32) (n, newlines int) {
	i := 0
	if HasAVX2 {
		i = len(b) &^ (BlockLen - 1)
		n, newlines = colonBlocksAVX2(b[:i], at)
	}
	newlines += bytes.Count(b[i:], Newline)
	for i < len(b) { // each byte is searched once; up to 63 bytes after a colon are not searched
		k := bytes.IndexByte(b[i:], ':')
		if k < 0 {
			break
		}
		i = (i + k) &^ (BlockLen - 1)
		at[n] = uint32(i)
		n++
		i += BlockLen
	}
	return n, newlines
}

// NarrowBlocks removes colons that cannot be in a reference. The slice at has the offsets of
// blocks, relative to the offset from, and masks gets the remaining colons of each block. Blocks
// without any are removed from both lists; NarrowBlocks returns the number of the others. b is all
// of the window.
func NarrowBlocks(b []byte, from int, at []uint32, masks []uint64) int {
	lo, hi := 0, 0
	if HasAVX2 {
		hi = len(at)
	}
	for lo < hi && from+int(at[lo]) < blockBefore { // at most once
		lo++
	}
	for hi > lo && from+int(at[hi-1])+blockAfter > len(b) { // at most three times
		hi--
	}
	for k := range lo {
		masks[k] = colonMask(b[from+int(at[k]):])
	}
	for k := hi; k < len(at); k++ {
		masks[k] = colonMask(b[from+int(at[k]):])
	}
	if lo == hi {
		return len(at)
	}
	n := lo + narrowBlocksAVX2(b, from, at[lo:hi], masks[lo:hi], &Narrowing)
	if n == hi {
		return len(at)
	}
	copy(masks[n:], masks[hi:])
	return n + copy(at[n:], at[hi:])
}

// colonMask returns the mask of all colons in the block at the beginning of b.
func colonMask(b []byte) (mask uint64) {
	b = b[:min(len(b), BlockLen)]
	for i := 0; ; i++ { // each byte is searched once
		k := bytes.IndexByte(b[i:], ':')
		if k < 0 {
			return mask
		}
		i += k
		mask |= 1 << i
	}
}

// nextColon returns the position of the first worthwhile colon from Buf[i] on in the
// current piece, or -1. It returns the same position again until i is greater than that.
func (w *Window) nextColon(i int) int {
	p := &w.Piece
	for ; p.Next < p.N; p.Next++ { // each block is finished once
		block := p.From + int(p.At[p.Next])
		for m := p.Masks[p.Next]; m != 0; m &= m - 1 {
			if at := block + bits.TrailingZeros64(m); at >= i && Worthwhile(w.Buf[:w.End], w.Floor, at) {
				p.Masks[p.Next] = m
				return at
			}
		}
	}
	return -1
}
