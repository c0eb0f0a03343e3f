package delimit

// A class is a set of ASCII bytes, by what stands for the low half of a byte and
// for its high half: a byte is in the class if these have a bit in common. There is
// a bit for each high half that ASCII has, so that any set can be written.
type class struct {
	halves [2][16]byte
}

// classOf returns the class of the bytes for which is holds. Bytes beyond ASCII are
// in no class.
func classOf(is func(c byte) bool) *class {
	k := new(class)
	for high := range byte(8) {
		k.halves[1][high] = 1 << high
		for low := range byte(16) {
			if is(high<<4 | low) {
				k.halves[0][low] |= 1 << high
			}
		}
	}
	return k
}

// prefix returns how many bytes b has before the first that is not in the class. It
// looks no further than 32 bytes behind that. A call costs about as much as looking
// at eight bytes one by one.
func (k *class) prefix(b []byte) int {
	if hasAVX2 {
		return classPrefixAVX2(b, &k.halves)
	}
	return k.slowPrefix(b)
}

// slowPrefix is prefix, byte by byte.
func (k *class) slowPrefix(b []byte) int {
	for i, c := range b {
		if k.halves[0][c&15]&k.halves[1][c>>4] == 0 {
			return i
		}
	}
	return len(b)
}
