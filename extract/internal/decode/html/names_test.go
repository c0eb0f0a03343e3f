package html

import "testing"

// TestNameTables checks that each name is found in few steps, and that no other string is found.
func TestNameTables(t *testing.T) {
	soon := func(table string, name string, at func([]byte) string) {
		if got := at([]byte(name)); got != name {
			t.Errorf("%s: %q gives %q", table, name, got)
		}
		for _, other := range []string{"", name + "x", name[:len(name)-1] + "\x00", "x" + name} {
			if got := at([]byte(other)); got == name {
				t.Errorf("%s: %q gives %q", table, other, got)
			}
		}
	}
	for name := range makeTags() {
		soon("tags", name, func(b []byte) string {
			if i := find(htmlNames().tags, b); i != nil {
				return i.name
			}
			return ""
		})
	}
	for name := range makeAttrs() {
		soon("attrs", name, func(b []byte) string {
			if i := find(htmlNames().attrs, b); i != nil {
				return i.name
			}
			return ""
		})
	}
	if n := crowd(htmlNames().tags); n > 12 {
		t.Errorf("tags: %d in one another's way", n)
	}
	if n := crowd(htmlNames().attrs); n > 12 {
		t.Errorf("attributes: %d in one another's way", n)
	}
}

func find[T any](t *nameTable[T], name []byte) T {
	var b [nameCap]byte
	return t.get(&b, copy(b[:], name))
}

// crowd returns the length of the longest run of used slots.
func crowd[T any](n *nameTable[T]) (most int) {
	row := 0
	for i := range 2 * nameSlots {
		if row++; n.slots[i%nameSlots].first == 0 {
			row = 0
		}
		most = max(most, row)
	}
	return most
}
