package window

import (
	"math/bits"

	"github.com/urlsift/urlsift/delimit/internal/schemes"
)

// endingTables say which three bytes in front of a colon may be an ending (see
// schemes.Endings). There is a table for each of the three bytes, in the order of the text. The
// index of a table is the low four bits of its byte. The endings are divided into eight groups, and
// an entry has a bit for each group in which some ending has such a byte at that place. Three bytes
// pass if their three entries have a bit in common. With a single group, more combinations would
// pass. The last group has the endings of two letters, where the first of the three bytes may be
// any byte. The sixteen entries of a table are repeated, for the two halves of a register.
type endingTables [3][32]byte

// Narrowing has the tables of schemes.Endings. Each ending is added to the group in which the
// number of combinations that pass grows least.
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

// isPairEnding reports whether e is an ending of two letters: e with any other first byte is an
// ending, too.
func isPairEnding(e uint) bool {
	for first := range uint(32) {
		k := first<<10 | e&(1<<10-1)
		if schemes.Endings[k/64]>>(k%64)&1 == 0 {
			return false
		}
	}
	return true
}
