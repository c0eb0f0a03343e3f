package schemes

// Endings is a filter for colons that no slash follows. It knows with which three bytes a prefix,
// or a scheme that counts without "//", may end. It has a bit for each such ending, at the index
// that Ending returns. A colon after any other ending is text.
var Endings = func() (t [1 << 15 / 64]uint64) {
	add := func(a, b, c byte) {
		k := Ending(a, b, c)
		t[k/64] |= 1 << (k % 64)
	}
	for name, h := range Lookup {
		n := len(name)
		switch {
		case h&Opaque == 0:
		case n > 2:
			add(name[n-3], name[n-2], name[n-1])
		default: // any byte may precede two letters
			for first := range byte(32) {
				add(first, name[0], name[1])
			}
		}
	}
	add('u', 'r', 'l')
	add('u', 'r', 'i')
	return t
}()

// Fourths is a filter for the fourth byte in front of a colon. Its index is made of the low five
// bits of the two bytes directly in front of the colon. An entry has a bit for each fourth byte
// that may precede an ending with these two bytes.
var Fourths = func() (t [1 << 10]uint32) {
	add := func(name string, most uint32) {
		n := len(name)
		if n > 3 {
			most = 1 << (name[n-4] & 31)
		}
		t[Ending(0, name[n-2], name[n-1])] |= most
	}
	for name, h := range Lookup {
		if h&Opaque != 0 {
			add(name, 1<<32-1) // any byte may precede three letters
		}
	}
	add("url", 1<<32-1)
	add("uri", 1<<32-1)
	return t
}()

// NoLetter represents a byte in an ending that is neither letter nor digit.
const NoLetter = 31

// Ending returns the index in Endings of three bytes: the low five bits of each. They are the same
// for capital and small letters.
func Ending(a, b, c byte) uint { return uint(a&31)<<10 | uint(b&31)<<5 | uint(c&31) }
