package delimit

import (
	"bytes"
	"math/bits"
)

// Plan: the window is searched for colons in pieces. Each piece takes two passes without
// branches that depend on the text. The processor would predict half of the branches "is
// there a colon?" wrongly, which costs more than the search itself.
//
//  1. colonBlocks lists the blocks of 64 bytes that have colons, and counts the newlines,
//     which are needed for line numbers anyway.
//  2. narrowBlocks makes a mask for each of these blocks, with the colons that may be
//     worthwhile by the bytes around them, and drops the blocks that have none.
//
// For the few colons that remain, Go code decides (worthwhile). So the second pass may
// keep too many colons, but must not drop a worthwhile one. Near the edges of the window,
// where it does not see enough bytes, it drops none. Without AVX2, bytes.IndexByte does
// the first pass, and the second drops none.

const (
	blockLen = 64

	// pieceLen is the size of a piece. A piece stays in the nearest cache between the
	// passes, and until its colons are examined.
	pieceLen    = pieceBlocks * blockLen
	pieceBlocks = 192

	// What narrowBlocks examines, from the beginning of a block: in front of it as much
	// as a scheme may have, and after its last byte the next byte and maxLead more.
	blockBefore = maxScheme
	blockBehind = blockLen + 2 + maxLead
)

// A piece is the part buf[from:to] of a window that was searched last.
type piece struct {
	from, to int
	newlines int // newlines in it after the window's mark
	*colons
	lines *lines
	lined bool // lines are those of this piece

	passed int // if lined: newlines in the piece in front of the mark
}

// colons are the colons of a piece that were not examined: those of the blocks next to n.
// A block has one bit for each of its 64 bytes, the lowest for the first byte.
type colons struct {
	next, n int
	at      [pieceBlocks + 1]uint32 // offset of each block in the piece
	masks   [pieceBlocks + 1]uint64
}

// searchPiece searches the next piece. There must be one.
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

// colonBlocks lists in at the offsets of the blocks of b that have colons, and counts the
// blocks and all newlines. b is at most a piece. at has room for one more block.
func colonBlocks(b []byte, at []uint32) (n, newlines int) {
	i := 0
	if hasAVX2 {
		i = len(b) &^ (blockLen - 1)
		n, newlines = colonBlocksAVX2(b[:i], at)
	}
	newlines += bytes.Count(b[i:], newline)
	for i < len(b) { // each byte is searched once; up to 63 bytes after a colon are not searched
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

// narrowBlocks writes to masks the possibly worthwhile colons of the blocks that begin at
// b[from:] plus each offset of at. It drops the blocks without any from both lists, and
// returns how many are left. b is all of the window.
func narrowBlocks(b []byte, from int, at []uint32, masks []uint64) int {
	lo, hi := 0, 0
	if hasAVX2 {
		hi = len(at)
	}
	for lo < hi && from+int(at[lo]) < blockBefore { // at most once
		lo++
	}
	for hi > lo && from+int(at[hi-1])+blockBehind > len(b) { // at most three times
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

// colonMask returns the mask of all colons in the block at the beginning of b.
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

// nextColon returns the position of the first worthwhile colon from buf[i] on in the
// current piece, or -1. It returns the same one again until i is greater.
func (w *window) nextColon(i int) int {
	p := &w.piece
	for ; p.next < p.n; p.next++ { // each block is finished once
		block := p.from + int(p.at[p.next])
		for m := p.masks[p.next]; m != 0; m &= m - 1 {
			if at := block + bits.TrailingZeros64(m); at >= i && worthwhile(w.buf[:w.end], w.floor, at) {
				p.masks[p.next] = m
				return at
			}
		}
	}
	return -1
}

// endingTables say which three bytes in front of a colon may be an ending (see endings).
// Each table has, for each low half of a byte, repeated twice, the groups of endings with
// such a byte there; the first table is for the third byte in front of the colon. Without
// groups, more combinations would pass. In the last group are the endings of two letters,
// for which the third byte is not examined.
type endingTables [3][32]byte

var narrowing = func() (t endingTables) {
	const pairs = 7
	var groups [8][3]uint16 // in each group, the low halves, as bits
	size := func(g [3]uint16) int {
		return bits.OnesCount16(g[0]) * bits.OnesCount16(g[1]) * bits.OnesCount16(g[2])
	}
	for i, word := range endings {
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
		if endings[k/64]>>(k%64)&1 == 0 {
			return false
		}
	}
	return true
}
