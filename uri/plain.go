package uri

import "math/bits"

// The walk through the plain bytes that a text begins with, for quick.go. Where the
// processor has AVX2, a kernel looks at the first 64 bytes at once, which is all of
// most texts: it marks with a bit each what is not plain and what is a slash. The rest,
// and elsewhere all, is eight bytes a turn.

// headLen is how many bytes of a text the kernel looks at.
const headLen = 64

// Numbers for eight bytes at once: adding what a bound lacks to 0x80 sets the top
// bit of those bytes that reach it, as long as no byte had it before.
const (
	ones = 0x0101010101010101
	tops = 0x8080808080808080
)

// word returns eight bytes of s, the first lowest.
func word(s string, at int) uint64 {
	w := s[at : at+8]
	return uint64(w[0]) | uint64(w[1])<<8 | uint64(w[2])<<16 | uint64(w[3])<<24 |
		uint64(w[4])<<32 | uint64(w[5])<<40 | uint64(w[6])<<48 | uint64(w[7])<<56
}

// notPlain marks the top bits of those bytes that are neither letters nor digits
// nor one of "-./_". A byte beyond ASCII spoils those above it, but is itself
// marked; and those below it are right.
func notPlain(x uint64) uint64 {
	low := x | 0x20*ones // which makes no letter of anything else
	good := (x + (0x80-'-')*ones) &^ (x + (0x7f-'9')*ones)
	good |= (low + (0x80-'a')*ones) &^ (low + (0x7f-'z')*ones)
	good |= tops - (x ^ '_'*ones)
	return (^good | x) & tops
}

// slashes marks the top bits of those bytes that are slashes, in a word of ASCII.
func slashes(x uint64) uint64 { return (tops - (x ^ '/'*ones)) & tops }

// headMarks returns where the plain bytes of s[lo:] end, or headLen if that comes
// first, and the first slash among them, or 0. The marks are those of a text that has
// no others.
func headMarks(s string, lo int) (at, path int, marks uint32) {
	odd, slash := headAVX2(s)
	at = headLen
	if len(s) < headLen { // behind the end is nothing that is plain
		odd |= ^uint64(0) << (len(s) & 63)
	}
	before := uint64(1)<<(lo&63) - 1
	if odd &^= before; odd != 0 {
		at = bits.TrailingZeros64(odd)
		slash &= odd - 1&^odd
	}
	marks = plainHTTP
	if slash &^= before; slash != 0 {
		path = bits.TrailingZeros64(slash)
		if slash&(slash<<1) != 0 {
			marks |= slashPair
		}
	}
	return at, path, marks
}

// plainRun returns where the plain bytes of s[at:] end. Path is the first slash of
// those before, or 0, and is that of all as it comes back; so are the marks. It takes
// eight bytes a turn. s has as many.
func plainRun(s string, at, path int, marks uint32) (end, first int, all uint32) {
	var x, odd uint64 // a word of s, and what in it is not plain
	var last uint64   // slashes of the word before
	if s[at-1] == '/' && path != 0 {
		last = 1 << 63
	}
	for ; at+8 <= len(s); at += 8 {
		x = word(s, at)
		if odd = notPlain(x); odd != 0 {
			break
		}
		slash := slashes(x)
		if path == 0 && slash != 0 {
			path = at + bits.TrailingZeros64(slash)/8
		}
		if slash&(slash<<8|last>>56) != 0 {
			marks |= slashPair
		}
		last = slash
	}
	if odd == 0 && at < len(s) { // behind the end come nulls, which are not plain
		x = word(s, len(s)-8) >> (8 * (at + 8 - len(s)) & 63)
		odd = notPlain(x)
	}
	if odd != 0 { // its lowest mark is where the plain bytes end
		slash := slashes(x) & (odd - 1) &^ odd
		if path == 0 && slash != 0 {
			path = at + bits.TrailingZeros64(slash)/8
		}
		if slash&(slash<<8|last>>56) != 0 {
			marks |= slashPair
		}
		at += bits.TrailingZeros64(odd) / 8
	}
	return at, path, marks
}
