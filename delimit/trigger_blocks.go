package delimit

import (
	"bytes"
	"math/bits"
)

// Plan: the window is searched for colons in pieces. Each piece takes two steps without
// branches that depend on the text. The processor predicts half of the branches "is
// there a colon?" wrongly, and that costs more than the search itself.
//
//  1. colonBlocks lists the blocks of 64 bytes that have colons, and counts the
//     newlines, which line numbers need anyway.
//  2. narrowBlocks makes for each of these a mask of the colons that may be worth a
//     look, by what stands around them, and drops the blocks that have none.
//
// For the few colons that are left, Go code decides (worthwhile). So the second step may
// keep too many colons, but never drops one that matters. Near the edges of the window,
// where it cannot see far enough, it drops none. Without AVX2, bytes.IndexByte does the
// first step, and the second drops none.

const (
	blockLen = 64

	// pieceLen is how much is searched at once. A piece stays in the nearest
	// cache between the steps, and until its colons have been looked at.
	pieceLen    = pieceBlocks * blockLen
	pieceBlocks = 192

	// What narrowBlocks looks at, from the beginning of a block: as far as a
	// scheme reaches back from its first byte, and behind its last one the
	// colon's next byte and maxLead more.
	blockBefore = maxScheme
	blockBehind = blockLen + 2 + maxLead
)

// A piece is the part buf[from:to] of a window, the last that was searched.
type piece struct {
	from, to int
	newlines int // in it, behind the window's mark
	*colons
	lines *lines
	lined bool // lines are those of this piece

	passed int // then, newlines in it before the mark
}

// colons are those of a piece that have not been looked at: those of the blocks
// next to n. A block has a bit for each in 64 bytes, the lowest for the first.
type colons struct {
	next, n int
	at      [pieceBlocks + 1]uint32 // where each block begins, from the piece's beginning on
	masks   [pieceBlocks + 1]uint64
}

// searchPiece searches the piece behind the last one. There must be one.
func (w *window) searchPiece() {
	p := &w.piece
	w.count(p.to)
	p.from, p.to = p.to, min(w.end, p.to+pieceLen)
	p.lined = false
	n, newlines := colonBlocks(w.buf[p.from:p.to], p.at[:])
	if w.mark > p.from {
		newlines -= bytes.Count(w.buf[p.from:min(w.mark, p.to)], newline)
	}
	p.newlines = newlines
	p.next, p.n = 0, narrowBlocks(w.buf[:w.end], p.from, p.at[:n], p.masks[:n])
}

// colonBlocks lists in at where the blocks of b begin that have colons, and counts
// these and all newlines. b is a piece, or less; at has room for a block more.
func colonBlocks(b []byte, at []uint32) (n, newlines int) {
	i := 0
	if hasAVX2 {
		i = len(b) &^ (blockLen - 1)
		n, newlines = colonBlocksAVX2(b[:i], at)
	}
	newlines += bytes.Count(b[i:], newline)
	for i < len(b) { // each byte is searched once, and 63 behind a colon not at all
		k := bytes.IndexByte(b[i:], ':')
		if k < 0 {
			break
		}
		i = (i + k) &^ (blockLen - 1)
		at[n] = uint32(i)
		n++
		i += blockLen
	}
	return n, newlines
}

// narrowBlocks writes in masks the colons that may be worth a look of the blocks
// that begin at b[from:], from each of at on. It drops the blocks that have none
// from both lists, and returns how many are left. b is all that is there.
func narrowBlocks(b []byte, from int, at []uint32, masks []uint64) int {
	lo, hi := 0, 0
	if hasAVX2 {
		hi = len(at)
	}
	for lo < hi && from+int(at[lo]) < blockBefore { // one step at most
		lo++
	}
	for hi > lo && from+int(at[hi-1])+blockBehind > len(b) { // three
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
	n := lo + narrowBlocksAVX2(b, from, at[lo:hi], masks[lo:hi], &narrowing)
	if n == hi {
		return len(at)
	}
	copy(masks[n:], masks[hi:])
	return n + copy(at[n:], at[hi:])
}

// colonMask returns the mask of all colons in the block that b begins with.
func colonMask(b []byte) (mask uint64) {
	b = b[:min(len(b), blockLen)]
	for i := 0; ; i++ { // each byte is searched once
		k := bytes.IndexByte(b[i:], ':')
		if k < 0 {
			return mask
		}
		i += k
		mask |= 1 << i
	}
}

// nextColon returns where the first worthwhile colon from buf[i] on stands in what
// has been searched, or -1. It is found again until a later one is asked for.
func (s *Scanner) nextColon(i int) int {
	p := &s.piece
	for ; p.next < p.n; p.next++ { // each block is left once
		block := p.from + int(p.at[p.next])
		for m := p.masks[p.next]; m != 0; m &= m - 1 {
			if at := block + bits.TrailingZeros64(m); at >= i && s.worthwhile(at) {
				p.masks[p.next] = m
				return at
			}
		}
	}
	return -1
}

// endingTables say which three bytes before a colon may be an ending (see
// endings). Each holds, for each low half of a byte, twice, the groups of endings
// that have such a byte there: first of the third byte before the colon. The groups
// keep apart what would pass if each byte were asked alone. The last group is of
// the endings of two letters: the third byte is not asked there.
type endingTables [3][32]byte

var narrowing = func() (t endingTables) {
	const pairs = 7
	var groups [8][3]uint16 // in each group, the low halves, as bits
	size := func(g [3]uint16) int {
		return bits.OnesCount16(g[0]) * bits.OnesCount16(g[1]) * bits.OnesCount16(g[2])
	}
	for i, word := range endings {
		for ; word != 0; word &= word - 1 { // each ending in turn
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

// isPairEnding reports whether all endings are there that differ from e in the
// first byte.
func isPairEnding(e uint) bool {
	for first := range uint(32) {
		k := first<<10 | e&(1<<10-1)
		if endings[k/64]>>(k%64)&1 == 0 {
			return false
		}
	}
	return true
}
