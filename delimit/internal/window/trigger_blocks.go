package window

import (
	"bytes"
	"math/bits"

	"github.com/urlsift/urlsift/delimit/internal/lex"
	"github.com/urlsift/urlsift/delimit/internal/schemes"
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
// where it does not see enough bytes, it drops none. Without AVX2, bytes.IndexByte does
// the first pass, and the second drops none.

const (
	BlockLen = 64

	// PieceLen is the size of a piece. A piece stays in the nearest cache between the
	// passes, and until its colons are examined.
	PieceLen    = pieceBlocks * BlockLen
	pieceBlocks = 192

	// How far NarrowBlocks examines text, counted from the beginning of a block: back by
	// the length of the longest scheme, and ahead to lex.MaxLead bytes after the byte that
	// follows the block.
	blockBefore = lex.MaxScheme
	blockAfter  = BlockLen + 2 + lex.MaxLead
)

// A piece is the part Buf[from:to] of a window that was searched last.
type piece struct {
	From, to int
	newlines int // newlines in it after Window.Mark
	*colons
	lines *LineBlocks
	lined bool // lines are those of this piece

	passed int // if lined: newlines in the piece in front of Window.Mark
}

// colons are the colons of a piece that were not examined yet: those of the blocks Next to N.
// A block has one bit for each of its 64 bytes, the lowest for the first byte.
type colons struct {
	Next, N int
	At      [pieceBlocks + 1]uint32 // offset of each block in the piece
	Masks   [pieceBlocks + 1]uint64
}

// searchPiece searches the next piece. There must be one.
func (w *Window) searchPiece() {
	p := &w.Piece
	w.count(p.to)
	p.From, p.to = p.to, min(w.End, p.to+PieceLen)
	p.lined = false
	n, newlines := ColonBlocks(w.Buf[p.From:p.to], p.At[:])
	if w.Mark > p.From {
		newlines -= bytes.Count(w.Buf[p.From:min(w.Mark, p.to)], Newline)
	}
	p.newlines = newlines
	p.Next, p.N = 0, NarrowBlocks(w.Buf[:w.End], p.From, p.At[:n], p.Masks[:n])
}

// ColonBlocks lists in at the offsets of the blocks of b that have colons, and counts the
// blocks and all newlines. b is at most a piece. at has room for one more block.
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

// NarrowBlocks removes colons that cannot be in a reference. at has the offsets of blocks,
// relative to from, and masks gets the remaining colons of each. Blocks without any are removed
// from both lists; NarrowBlocks returns the number of the others. b is all of the window.
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
// current piece, or -1. It returns the same one again until i is greater.
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

// endingTables say which three bytes in front of a colon may be an ending (see
// schemes.Endings). The first table is for the third byte in front of the colon. A table is
// indexed by the low half of the byte. An entry is a set of groups of endings, one bit for each
// group: those that have such a byte there. The sixteen entries are repeated, for the two
// halves of a register. Three bytes pass if one group is in their three entries; with a single
// group, more combinations would pass. The last group has the endings of two letters, for which
// the third byte may be any.
type endingTables [3][32]byte

// Narrowing has the tables of schemes.Endings. Each ending is added to the group that grows
// least.
var Narrowing = func() (t endingTables) {
	const pairs = 7
	var groups [8][3]uint16 // in each group, the low halves, as bits
	size := func(g [3]uint16) int {
		return bits.OnesCount16(g[0]) * bits.OnesCount16(g[1]) * bits.OnesCount16(g[2])
	}
	for i, word := range schemes.Endings {
		for ; word != 0; word &= word - 1 { // one ending in each iteration
			e := uint(i*64 + bits.TrailingZeros64(word))
			one := [3]uint16{1 << (e >> 10 & 15), 1 << (e >> 5 & 15), 1 << (e & 15)}
			best, least := pairs, 1<<12
			if !isPairEnding(e) {
				for i, g := range groups[:pairs] {
					all := [3]uint16{g[0] | one[0], g[1] | one[1], g[2] | one[2]}
					if grows := size(all) - size(g); grows < least {
						best, least = i, grows
					}
				}
			}
			for k := range one {
				groups[best][k] |= one[k]
			}
		}
	}
	for i, g := range groups {
		for k := range g {
			for half := range 16 {
				bit := byte(g[k] >> half & 1 << i)
				t[k][half] |= bit
				t[k][half+16] |= bit
			}
		}
	}
	return t
}()

// isPairEnding reports whether all endings exist that differ from e only in the first
// byte.
func isPairEnding(e uint) bool {
	for first := range uint(32) {
		k := first<<10 | e&(1<<10-1)
		if schemes.Endings[k/64]>>(k%64)&1 == 0 {
			return false
		}
	}
	return true
}
