package delimit

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// A colon is searched for, and what it may be written as: &#58; &#x3a; &colon; \u003a \x3a (rules 28 and 29).
//
// Plan: nine of ten colons in mail and news cannot follow a scheme and are skipped: most by
// the search itself (narrowBlocks), the others are in worthwhile.

// worthwhile reports whether the colon b[i] needs to be examined. Most colons of
// running text do not: they follow a word that is not a scheme, and are followed by white
// space, a digit or another word.
func worthwhile(b []byte, floor, i int) bool {
	if b[i] != ':' {
		if i+2 < len(b) && !mayBeWritten(b[i+1], b[i+2]) {
			return false
		}
		_, _, v := colonAt(b, i, false)
		return v != no
	}
	if i < 3 || i+1 == len(b) {
		return true
	}
	// If a slash follows, the colon may begin "://". Otherwise three cases remain: an ending of a
	// scheme or prefix; a slash on the next line, in a wrapper; an experimental scheme, since these
	// cannot be listed. In front of "<", which ends every reference, a colon is never worthwhile.
	next := b[i+1]
	switch {
	case next == '/' || next == '\\':
		return true
	case isEnding(ending(b[i-3], b[i-2], b[i-1])) && mayEnd(b, floor, i):
	case roles[next].has(white):
		if !slashAhead(b, i+2) {
			return false
		}
	case roles[b[i-2]]&roles[b[i-3]]&inScheme == 0 || !experimental(b, floor, i):
		return false
	}
	return next != '<' && !prefixRun(b, i)
}

// mayBeWritten reports whether a written colon may have these two bytes after its first one.
func mayBeWritten(a, b byte) bool {
	switch a {
	case '#':
		return b == '5' || b == 'x' || b == 'X' || b == '0'
	case 'c':
		return b == 'o'
	case 'u':
		return b == '0'
	case 'x':
		return b == '3'
	}
	return false
}

// mayEnd reports whether the text in front of the colon b[i] ends like a prefix, or
// like a scheme that counts without "//". The three bytes in front of the colon are an ending.
func mayEnd(b []byte, floor, i int) bool {
	end := ending(b[i-3], b[i-2], b[i-1])
	// In mail, half of the colons that get here follow "Content-Type", which ends like
	// "skype", or "Message-ID", whose hyphen has the same low bits as the "m" of "mid".
	// The next two tests reject both.
	if !roles[b[i-3]].has(alnum) {
		end |= noLetter << 10
	}
	return isEnding(end) && (i == 3 || fourths[end%1024]>>(b[i-4]&31)&1 != 0) ||
		experimental(b, floor, i)
}

// slashAhead reports whether a slash follows in b from i on, after white space and
// marks of a quote prefix, or may still follow. Then a wrapper may have been broken
// between a colon and its slashes. It examines maxLead bytes.
func slashAhead(b []byte, i int) bool {
	for most := min(len(b), i+maxLead); i < most; i++ {
		if c := b[i]; !roles[c].has(white) && !isMark(c) {
			return c == '/'
		}
	}
	return i == len(b)
}

// experimental reports whether an "x-" scheme ends before the colon b[i].
func experimental(b []byte, floor, i int) bool {
	k := i
	for least := max(floor, i-maxScheme); k > least && roles[b[k-1]].has(inScheme); {
		k--
	}
	for ; i-k > 2; k++ {
		if roles[b[k]].has(alpha) {
			return lower(b[k]) == 'x' && b[k+1] == '-'
		}
	}
	return false
}

// prefixRun reports whether the colon b[i] belongs to a prefix that is neither the first nor the
// last in a run of prefixes, as the second URL: in "URL:URL:URL:http://a/". Of prefixes in a row,
// only the last counts. The byte after the next prefix's colon must be a letter or a digit.
func prefixRun(b []byte, i int) bool {
	const (
		alike = 0xFFDA_DFDF // the bits in which "URL:", "URI:" and their lower case are equal
		run   = 0x3A48_5255 // the values of these bits
		third = 1<<32 | 1   // L and I differ in two more bits, and each has exactly one of them
	)
	if i < 4 || i+5 >= len(b) {
		return false
	}
	x := binary.LittleEndian.Uint64(b[i-3:])
	return x&(alike<<32|alike) == run<<32|run && (x>>16^x>>18)&third == third &&
		b[i-4] == ':' && roles[b[i+5]].has(alnum)
}

const (
	// blockLen is the number of bytes in a block. Each byte has a bit in a uint64.
	blockLen = 64

	// pieceLen is the size of a piece. A piece stays in the nearest cache between the
	// passes, and until its colons are examined.
	pieceLen    = pieceBlocks * blockLen
	pieceBlocks = 192

	// How far narrowBlocks examines text, counted from the beginning of a block: back by
	// the length of the longest scheme, and ahead to maxLead bytes after the byte that
	// follows the block.
	blockBefore = maxScheme
	blockAfter  = blockLen + 2 + maxLead
)

// colons are the colons of a piece that were not examined yet: those of the blocks from Next up
// to, but not including, N. A mask has one bit for each of the 64 bytes of a block, the lowest
// for the first byte.
type colons struct {
	Next, N int
	At      [pieceBlocks + 1]uint32 // offset of each block in the piece
	Masks   [pieceBlocks + 1]uint64
}

// A lineBlock describes a block of a piece: a bit for each newline in it, the number of
// newlines in the piece in front of it, and the offset in the piece of the line in
// which the block begins. The offset is 0 if that line begins in front of the piece.
type lineBlock struct {
	Mask          uint64
	Before, Start uint32
}

// Plan: the window is searched for colons in pieces. Each piece takes two passes without
// branches that depend on the text. The processor would predict half of the branches "is
// there a colon?" wrongly, which costs more than the search itself.
//
//  1. colonBlocks lists the blocks of 64 bytes that have colons or may have written ones, and counts the newlines,
//     which are needed for line numbers anyway.
//  2. narrowBlocks makes a mask for each of these blocks, with the colons that may be
//     worthwhile by the bytes around them, and drops the blocks that have none.
//
// For the few colons that remain, Go code decides (worthwhile). So the second pass may
// keep too many colons, but must not drop a worthwhile one. Near the edges of the window,
// where the second pass does not see enough bytes, it drops no colon. Without AVX2, bytes.IndexByte
// does the first pass, and the second drops none.

// colonBlocks writes the offsets of the blocks of b that have colons to the slice at. It returns
// the number of these blocks and of all newlines in b. b is at most a piece, and the slice at has
// room for one offset more than b has blocks.
func colonBlocks(b []byte, at []uint32) (n, newlines int) {
	i := 0
	if hasAVX2 {
		i = len(b) &^ (blockLen - 1)
		n, newlines = colonBlocksAVX2(b[:i], at)
		if i == len(b) {
			return n, newlines
		}
		last := padded(b[i:])
		colons, feeds := blockMasksAVX2(&last)
		if colons != 0 {
			at[n] = uint32(i)
			n++
		}
		return n, newlines + bits.OnesCount64(feeds)
	}
	newlines = bytes.Count(b, newline)
	next := nextWriters{-1, -1, -1}
	for i < len(b) { // each byte is searched once; up to 63 bytes after a colon are not searched
		k := next.after(b, i)
		if k == len(b) {
			break
		}
		i = k &^ (blockLen - 1)
		at[n] = uint32(i)
		n++
		i += blockLen
	}
	return n, newlines
}

// writers are the bytes with which a colon begins, plain or written.
var writers = [...]byte{':', '&', '\\'}

// nextWriters has, for each of writers, the next place where it is, as far as known.
type nextWriters [len(writers)]int

// after returns the place of the first of writers in b from i on, or len(b). i does not decrease.
func (n *nextWriters) after(b []byte, i int) int {
	first := len(b)
	for k, c := range writers {
		if n[k] < i {
			if n[k] = bytes.IndexByte(b[i:], c); n[k] < 0 {
				n[k] = len(b)
			} else {
				n[k] += i
			}
		}
		first = min(first, n[k])
	}
	return first
}

// narrowBlocks removes colons that cannot be in a reference. The slice at has the offsets of
// blocks, relative to the offset from, and masks gets the remaining colons of each block. Blocks
// without any are removed from both lists; narrowBlocks returns the number of the others. b is all
// of the window.
func narrowBlocks(b []byte, from int, at []uint32, masks []uint64) int {
	lo, hi := 0, 0
	if hasAVX2 {
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
	n := lo + narrowBlocksAVX2(b, from, at[lo:hi], masks[lo:hi], &narrowing)
	if n == hi {
		return len(at)
	}
	copy(masks[n:], masks[hi:])
	return n + copy(at[n:], at[hi:])
}

// padded returns the block b, with zeros after it if it is shorter than others.
func padded(b []byte) (block [blockLen]byte) {
	copy(block[:], b)
	return block
}

// colonMask returns the mask of all writers of colons in the block at the beginning of b.
func colonMask(b []byte) (mask uint64) {
	if hasAVX2 {
		if len(b) >= blockLen {
			mask, _ = blockMasksAVX2((*[blockLen]byte)(b))
			return mask
		}
		last := padded(b)
		mask, _ = blockMasksAVX2(&last)
		return mask
	}
	b = b[:min(len(b), blockLen)]
	next := nextWriters{-1, -1, -1}
	for i := 0; ; i++ { // each byte is searched once
		if i = next.after(b, i); i == len(b) {
			return mask
		}
		mask |= 1 << i
	}
}

// endingTables say which three bytes in front of a colon may be an ending (see
// endings). There is a table for each of the three bytes, in the order of the text. The
// index of a table is the low four bits of its byte. The endings are divided into eight groups, and
// an entry has a bit for each group in which some ending has such a byte at that place. Three bytes
// pass if their three entries have a bit in common. With a single group, more combinations would
// pass. The last group has the endings of two letters, where the first of the three bytes may be
// any byte. The sixteen entries of a table are repeated, for the two halves of a register.
type endingTables [3][32]byte

// narrowing has the tables of endings. Each ending is added to the group in which the
// number of combinations that pass grows least.
var narrowing = func() (t endingTables) {
	const pairs = 7
	var groups [8][3]uint16 // in each group, the low halves, as bits
	size := func(g [3]uint16) int {
		return bits.OnesCount16(g[0]) * bits.OnesCount16(g[1]) * bits.OnesCount16(g[2])
	}
	for i, word := range endings {
		for ; word != 0; word &= word - 1 {
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

// isPairEnding reports whether e is an ending of two letters: e with any other first byte is an
// ending, too.
func isPairEnding(e uint) bool {
	for first := range uint(32) {
		k := first<<10 | e&(1<<10-1)
		if !isEnding(k) {
			return false
		}
	}
	return true
}
