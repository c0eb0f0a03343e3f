package uri

import "math/bits"

// The plain bytes at the beginning of a reference are letters, digits and "-./_", which every grammar
// allows in host and path. With AVX2, a kernel scans the first 64 bytes at once; most texts are not
// longer. The kernel returns a bit for each byte that is not plain, and a bit for each slash. The rest
// of a text, and all of it without AVX2, is scanned eight bytes at a time. The fast paths of [Split],
// [Accepts] and [Warnings] begin with that.

// Marks in [Parts]: properties that a scan has found.
const (
	plainHTTP = 1 << iota // http or https, "://", and a host alone: plain bytes with a letter first, or four numbers
	slashPair             // there is "//" in the path, in front of the first byte that is not plain
	oddPath               // the path has a byte that is not plain
	plainMail             // mailto, a plain mailbox, and no fragment: see fastAcceptsMail
)

// headLen is the number of bytes that the kernel scans.
const headLen = 64

// Constants for eight bytes at once. Adding 0x80 minus a bound to each byte sets the top
// bit of the bytes that reach the bound, if no byte had its top bit set before.
const (
	ones = 0x0101010101010101
	tops = 0x8080808080808080
)

// word returns the eight bytes of s at offset at, the first one lowest.
func word(s string, at int) uint64 {
	w := s[at : at+8]
	return uint64(w[0]) | uint64(w[1])<<8 | uint64(w[2])<<16 | uint64(w[3])<<24 |
		uint64(w[4])<<32 | uint64(w[5])<<40 | uint64(w[6])<<48 | uint64(w[7])<<56
}

// notPlain returns a word with the top bit set in each byte that is not plain: not a
// letter, a digit or one of "-./_". A non-ASCII byte is marked, and makes the marks of
// the bytes above it wrong. The marks below it are right.
func notPlain(x uint64) uint64 {
	low := x | 0x20*ones // letters in lower case; no other byte becomes a letter
	good := (x + (0x80-'-')*ones) &^ (x + (0x7f-'9')*ones)
	good |= (low + (0x80-'a')*ones) &^ (low + (0x7f-'z')*ones)
	good |= tops - (x ^ '_'*ones)
	return (^good | x) & tops
}

// slashes returns a word with the top bit set in each byte that is a slash. x is ASCII.
func slashes(x uint64) uint64 { return (tops - (x ^ '/'*ones)) & tops }

// headMarks scans the plain bytes at s[lo:]. at is where they end, at most headLen. path
// is the offset of the first slash among them, or 0. marks are the marks of a text of
// these bytes.
func headMarks(s string, lo int) (at, path int, marks uint32) {
	odd, slash := headAVX2(s)
	at = headLen
	if len(s) < headLen { // after the end no byte is plain
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

// plainRun returns the end of the plain bytes at s[at:]. path is the offset of the first
// slash in front of at, or 0, and marks are the marks of the bytes in front of at.
// The results first and all are the same for the bytes in front of end. s has at least eight bytes.
func plainRun(s string, at, path int, marks uint32) (end, first int, all uint32) {
	var x, odd uint64 // a word of s, and the marks of its bytes that are not plain
	var last uint64   // the slashes of the previous word
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
	if odd == 0 && at < len(s) { // the last bytes, followed by nulls, which are not plain
		x = word(s, len(s)-8) >> (8 * (at + 8 - len(s)) & 63)
		odd = notPlain(x)
	}
	if odd != 0 { // the plain bytes end at its lowest mark
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
