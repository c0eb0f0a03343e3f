package delimit

import (
	"bytes"
	"math/bits"
)

// Plan: the window is searched for colons a piece at a time, in two steps that
// have no branches which the text could upset: half the branches that ask "is
// there a colon?" are foretold wrong, and that costs more than the search.
//
//  1. colonBlocks lists the blocks of 64 bytes that have colons, and counts the
//     newlines, which whoever asks for a line's number needs anyway.
//  2. narrowBlocks takes from these the colons that are not worth a look, by what
//     stands around them, and the blocks that have no other.
//
// What is left is little, and is asked in Go (worthwhile), which decides. So the
// second step may leave too many, and never takes one too much; a block at an
// edge of what is there is left as it is. Where there is no AVX2, the first step is
// left to bytes.IndexByte, and the second left out.

const (
	blockLen = 64

	// pieceLen is how much is searched at once. A piece stays in the nearest
	// cache between the steps, and until its colons have been looked at.
	pieceLen = 128 * blockLen

	// What narrowBlocks looks at, from the beginning of a block: as far as a
	// scheme reaches back from its first byte, and behind its last one the
	// colon's next byte and maxLead more, and the same for one that follows.
	blockBefore = maxScheme
	blockBehind = blockLen + 2 + maxLead
)

// A block has a bit for each colon in 64 bytes, the lowest for the first byte, and
// where in its piece these bytes begin. (The kernels, delimit/asm, know this layout.)
type block = struct {
	mask uint64
	at   int
}

// A piece is the part buf[from:to] of a window, the last that was searched.
type piece struct {
	from, to int
	newlines int     // behind the window's mark
	blocks   []block // with colons that have not been looked at
	room     []block // the memory for these
}

// searchPiece searches the piece behind the last one. There must be one.
func (w *window) searchPiece() {
	p := &w.piece
	w.count(p.to)
	p.from, p.to = p.to, min(w.end, p.to+pieceLen)
	n, newlines := colonBlocks(w.buf[p.from:p.to], p.room)
	if w.mark > p.from {
		newlines -= bytes.Count(w.buf[p.from:min(w.mark, p.to)], newline)
	}
	p.newlines = newlines
	p.blocks = narrowBlocks(w.buf[:w.end], p.from, p.room[:n])
}

// colonBlocks lists in out the blocks of b, from its first byte on, that have
// colons, and counts these blocks and all newlines. out needs room for one block
// more than b has. b is a piece, or less.
func colonBlocks(b []byte, out []block) (n, newlines int) {
	i := 0
	if hasAVX2 {
		i = len(b) &^ (blockLen - 1)
		n, newlines = colonBlocksAVX2(b[:i], out)
	}
	newlines += bytes.Count(b[i:], newline)
	for { // each byte is searched once
		k := bytes.IndexByte(b[i:], ':')
		if k < 0 {
			return n, newlines
		}
		i += k
		at := i &^ (blockLen - 1)
		if n == 0 || out[n-1].at != at {
			out[n] = block{at: at}
			n++
		}
		out[n-1].mask |= 1 << (i - at)
		i++
	}
}

// narrowBlocks takes from blocks, which are of the piece that begins at b[from],
// colons that are not worthwhile, and returns what is left of them, in their
// memory. b is all that is there of the window.
func narrowBlocks(b []byte, from int, blocks []block) []block {
	if !hasAVX2 {
		return blocks
	}
	lo, hi := 0, len(blocks) // one step in front, and three behind, at most
	for lo < hi && from+blocks[lo].at < blockBefore {
		lo++
	}
	for hi > lo && from+blocks[hi-1].at+blockBehind > len(b) {
		hi--
	}
	n := lo + narrowBlocksAVX2(b, from, blocks[lo:hi], &narrowing)
	n += copy(blocks[n:], blocks[hi:])
	return blocks[:n]
}

// nextColon returns where the first worthwhile colon from buf[i] on stands in what
// has been searched, or -1. It is found again until a later one is asked for.
func (s *Scanner) nextColon(i int) int {
	p := &s.piece
	for len(p.blocks) > 0 { // each block is left once
		b := &p.blocks[0]
		for m := b.mask; m != 0; m &= m - 1 {
			if at := p.from + b.at + bits.TrailingZeros64(m); at >= i && s.worthwhile(at) {
				b.mask = m
				return at
			}
		}
		p.blocks = p.blocks[1:]
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
	for e := range uint(len(endings) * 64) {
		if endings[e/64]>>(e%64)&1 == 0 {
			continue
		}
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
