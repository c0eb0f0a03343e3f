package redact

import "math/bits"

// The levels of a character are the escapes that were decoded to get it, the outermost first, in
// kindBits bits each. A character that is not escaped has 0. There are at most maxPasses+1 levels.
type levels uint64

// An escaping is a way to escape a character.
type escaping uint8

const (
	percent   escaping = iota + 1 // %3A
	entity                        // &#58; &#x3a; &colon;
	doubtful                      // an entity without its semicolon
	backslash                     // \u003a \x3a \072 \/
	defanged                      // [:]
	wide                          // a look-alike of a character, or more bytes of UTF-8 than it needs
	utf7Run                       // +ADo-
	quoted                        // =3A
)

const kindBits = 4

// size returns the number of levels, times kindBits.
func (l levels) size() int { return (bits.Len64(uint64(l)) + kindBits - 1) / kindBits * kindBits }

// under returns l with a level of kind k around it.
func (l levels) under(k escaping) levels { return l | levels(k)<<l.size() }

// has reports whether one of l is of kind k.
func (l levels) has(k escaping) bool {
	for ; l != 0; l >>= kindBits { // at most maxPasses+1
		if escaping(l&(1<<kindBits-1)) == k {
			return true
		}
	}
	return false
}

// within reports whether undoing the levels m in order also undoes l, that is, whether l
// is m with some levels left out. A program that undoes an entity without its semicolon
// also undoes one with it.
func (l levels) within(m levels) bool {
	for ; l != 0; m >>= kindBits { // at most as many as m has levels
		if m == 0 {
			return false
		}
		want, have := escaping(l&(1<<kindBits-1)), escaping(m&(1<<kindBits-1))
		if want == have || want == entity && have == doubtful {
			l >>= kindBits
		}
	}
	return true
}

// common returns the outermost levels that l and m share.
func (l levels) common(m levels) levels {
	if l == m {
		return l
	}
	same := bits.TrailingZeros64(uint64(l^m)) / kindBits * kindBits
	return l & (1<<same - 1)
}
