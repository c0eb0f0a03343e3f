package redact

// layers counts, for each kind of escape, how often it was undone to get a character.
// Each count has a field of fieldBits bits, of which the top one is free: no count gets
// larger than maxPasses+1.
type layers uint32

const fieldBits = 6

const (
	percent   layers = 1 << (fieldBits * iota) // %3A
	entity                                     // &#58; &#x3a; &colon;
	backslash                                  // \u003a \x3a \/
	defanged                                   // [:]
	doubtful                                   // an entity without its semicolon
)

// fieldTops are the free bits.
const fieldTops = (percent | entity | backslash | defanged | doubtful) << (fieldBits - 1)

// within reports whether no count of l is above that of m.
func (l layers) within(m layers) bool { return ((m|fieldTops)-l)&fieldTops == fieldTops }

// most returns the greater count of each kind.
func (l layers) most(m layers) (some layers) {
	for field := percent<<fieldBits - 1; field&fieldTops != 0; field <<= fieldBits { // five kinds
		some |= max(l&field, m&field)
	}
	return some
}

// least returns the smaller count of each kind.
func (l layers) least(m layers) (some layers) {
	for field := percent<<fieldBits - 1; field&fieldTops != 0; field <<= fieldBits { // five kinds
		some |= min(l&field, m&field)
	}
	return some
}
