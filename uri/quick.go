package uri

import (
	"math/bits"
	"strings"
)

// Most references of running text are "http://name/path?query" of plain
// bytes, and for these there is a short way through [Split] and [Accepts]. One
// pass, eight bytes at a time, finds where the parts lie and notes in the Parts
// what else it has seen: that name and path are of bytes that every grammar has in
// both, so that Accepts need not look at them again. What the short way cannot say
// is left to the long one, so that it may leave out whatever is rare. It knows
// nothing that rows and forms do not; tests hold it to them.

// Marks that Parts have beside the offsets.
const (
	plainHTTP = 1 << iota // http or https, a name with a letter first, a plain path; nothing between but "://"
	slashPair             // two slashes stand in a row in that path
)

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

// splitHTTP is split for what begins with "http://" or "https://", which is lo
// bytes long. It gives up where a byte that is not plain might end a user or a
// host.
func splitHTTP(s string, lo int) Parts {
	if len(s) == lo || !isAlpha(s[lo]) {
		return splitAny(s)
	}
	path, at := 0, lo
	var x, odd uint64    // a word of s, and what in it is not plain
	var last, two uint64 // slashes of the word before; those behind another
	for ; at+8 <= len(s); at += 8 {
		x = word(s, at)
		if odd = notPlain(x); odd != 0 {
			break
		}
		slash := slashes(x)
		if path == 0 && slash != 0 {
			path = at + bits.TrailingZeros64(slash)/8
		}
		two |= slash & (slash<<8 | last>>56)
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
		two |= slash & (slash<<8 | last>>56)
		at += bits.TrailingZeros64(odd) / 8
	}
	marks := uint32(plainHTTP)
	if two != 0 {
		marks |= slashPair
	}
	query, frag := at, len(s)
	switch {
	case at >= len(s):
		query = len(s)
	case s[at] == '#':
		frag = at
	case s[at] != '?' && path == 0:
		return splitAny(s)
	default:
		if n := hashFrom(s, at); n >= 0 {
			frag = n
		}
		if s[at] != '?' { // the path goes on, and is not plain
			marks, query = 0, frag
			if n := strings.IndexByte(s[at:frag], '?'); n >= 0 {
				query = at + n
			}
		}
	}
	if path == 0 {
		path = query
	}
	return packed(lo-3, lo, path, path, query, frag, len(s), marks)
}

// hashFrom returns where the first '#' of s[at:] is in s, or -1. What is left of s
// is often a few bytes, for which IndexByte takes long. s has eight bytes or more.
func hashFrom(s string, at int) int {
	if at+8 < len(s) {
		if n := strings.IndexByte(s[at:], '#'); n >= 0 {
			return at + n
		}
		return -1
	}
	x := word(s, len(s)-8)>>(8*(at+8-len(s))&63) ^ '#'*ones
	if m := (x - ones) &^ x & tops; m != 0 { // the lowest mark is right
		return at + bits.TrailingZeros64(m)/8
	}
	return -1
}

// quick returns those of set that take s, if all do that have its scheme, and
// whether it knows. The set must have a member.
func quick(s string, p Parts, set Grammar) (Grammar, bool) {
	marks, query, frag := uint32(p.d>>32), uint32(p.c), uint32(p.c>>32)
	if marks&plainHTTP == 0 || frag != uint32(p.d) {
		return 0, false
	}
	if uint32(p.a) != uint32(len("http")) { // https, which those that go by schemes have not
		if set &^= perScheme; set == 0 {
			return 0, false
		}
	}
	if marks&slashPair != 0 && set&perScheme != 0 { // which have no empty segment
		return 0, false
	}
	if query == frag {
		return set, true
	}
	at, part := &allowed[inQuery], s[query+1:frag]
	have := set | noEscape
	if set&perScheme != 0 { // words are parted as in searchFault
		before := byte('+')
		for i := range len(part) {
			b := part[i]
			if b == '+' && before == '+' {
				return 0, false
			}
			have &= at[b]
			before = b
		}
		return set, have == set|noEscape && before != '+'
	}
	for len(part) >= 8 {
		have &= at[part[0]] & at[part[1]] & at[part[2]] & at[part[3]] &
			at[part[4]] & at[part[5]] & at[part[6]] & at[part[7]]
		part = part[8:]
	}
	for i := range len(part) {
		have &= at[part[i]]
	}
	return set, have == set|noEscape
}
