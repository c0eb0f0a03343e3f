package inflate

// The fast loops use these tables. The next bits of the stream are the index.
//
// An entry of lit says what literals come next, and perhaps a match after them:
//
//	bits 0-5    bits of the stream that the entry stands for
//	bits 6-7    number of literals, 0 to 2
//	bits 8-23   the literals
//	bits 24-31  if not 0, a match follows, with this length - 2
//
// If there is neither a literal nor a match, the entry is special:
//
//	bits 0-5    length of the code; of a link, the index bits of the table that it leads to
//	bits 8-10   what it is
//	bits 11-23  the literal; the least length, and from bit 20 the number of extra bits; or
//	            the index of the table
//
// An entry of dist:
//
//	bits 0-5    length of the code and number of extra bits; of a link, the index bits of dist
//	bit 6       it is a link
//	bit 7       no symbol has such a code
//	bits 8-11   length of the code; of a link, index bits of the table that it leads to
//	bits 16-31  the least distance, or the index of the table
const (
	countShift  = 6
	matchShift  = 24
	isMatch     = 1 << matchShift
	kindShift   = 8
	valueShift  = 11
	extraShift  = 20
	baseShift   = 16 // in dist
	codeShift   = 8  // in dist
	distLink    = 1 << 6
	distBad     = 1 << 7
	distSpecial = distLink | distBad
)

// The kinds of special entries.
const (
	kindBad     = iota << kindShift // no symbol has such a code, or the symbol is not used
	kindEnd                         // the end of the block
	kindLiteral                     // with a long code
	kindLength                      // of which the extra bits are not in the index
	kindLink                        // the code is longer than the index
	kindMask    = 7 << kindShift
)

const (
	singleBits = 10 // index bits of lit without pairs
	pairBits   = 12 // index bits of lit with pairs
	distBits   = 9  // index bits of dist

	// A table that a link leads to has at least two symbols.
	litSize  = 1<<singleBits + 288/2<<(15-singleBits)
	distSize = 1<<distBits + 32/2<<(15-distBits)
)

// lengthOf and distOf have for each symbol the least value and the number of extra bits.
var (
	lengthOf [29]extra
	distOf   [30]extra
)

type extra struct{ base, bits uint16 }

func init() {
	for i := range lengthOf {
		lengthOf[i] = extra{uint16(3 + i), 0}
		if i >= 8 {
			n := i/4 - 1
			lengthOf[i] = extra{uint16(3 + (4+i%4)<<n), uint16(n)}
		}
	}
	lengthOf[28] = extra{258, 0}
	for i := range distOf {
		distOf[i] = extra{uint16(1 + i), 0}
		if i >= 4 {
			n := i/2 - 1
			distOf[i] = extra{uint16(1 + (2+i%2)<<n), uint16(n)}
		}
	}
}

// tables are what a block is decoded with.
type tables struct {
	litCode, distCode code

	pairs   bool // lit has entries of two items
	litBits uint // index bits of lit
	lit     [litSize]uint32
	dist    [distSize]uint32
}
