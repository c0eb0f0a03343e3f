package html

// A nameTable finds what is known of a name: of an element, an attribute, a field.
// There are a few hundred names, which are all known beforehand, and mail has a tag
// or a field every few dozen bytes; so it is a table whose hash examines three
// bytes and the length. It is not changed once it is made.
type nameTable[T any] struct {
	slots [nameSlots]nameSlot[T]
}

// nameSlots is a power of two, and more than twice the names that any table has.
const nameSlots = 512

type nameSlot[T any] struct {
	name string // "" if the slot is free
	val  T
}

// newNames makes a table of all, in which no name is empty.
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

// nameHash returns where a name belongs. It tells all names apart that differ in
// length, at an end or in the middle.
func nameHash(name []byte) uint {
	if len(name) == 0 {
		return 0
	}
	n := len(name)
	h := uint(n)*0x9E5 ^ uint(name[0])*0x1F35 ^ uint(name[n/2])*0x2B1 ^ uint(name[n-1])*0x4D7
	return (h ^ h>>9) % nameSlots
}

// get returns what is known of name, the zero T if nothing is. As half of the slots
// are free at least, its loop makes few iterations: as many as names lie in one another's
// way, which the text has no influence on.
func (t *nameTable[T]) get(name []byte) (val T) {
	for i := nameHash(name); t.slots[i].name != ""; i = (i + 1) % nameSlots {
		if t.slots[i].name == string(name) {
			return t.slots[i].val
		}
	}
	return val
}
