package extract

import (
	"cmp"
	"encoding/binary"
	"io/fs"
	"slices"
	"strings"
)

// How a directory is listed: as [os.ReadDir] does, but of an entry no more is kept than
// its name and type, and names are compared eight bytes at a time.

// A dirent is something in a directory, and key the beginning of its name, as a number.
type dirent struct {
	key  uint64
	name string
	typ  fs.FileMode // its type bits
}

// listing returns what is in the directory at path, in the order of the names; with an
// error, what was read before it.
func listing(path string) ([]dirent, error) {
	list, err := readListing(path)
	return sorted(list), err
}

// sorted returns what is in list in the order of the names, and may use its memory. It
// goes over a long list once for each byte in which keys differ, from the last to the
// first, and puts those with the same byte behind one another; names that begin alike are
// then compared.
func sorted(list []dirent) []dirent {
	differ := uint64(0)
	for i := range list {
		list[i].key = keyOf(list[i].name)
		differ |= list[i].key ^ list[0].key
	}
	if len(list) < 64 {
		slices.SortFunc(list, byName)
		return list
	}
	to := make([]dirent, len(list))
	for shift := 0; shift < 64; shift += 8 {
		if differ>>shift&0xff == 0 {
			continue
		}
		var next [256]int // where the next with that byte belongs
		for i := range list {
			next[list[i].key>>shift&0xff]++
		}
		sum := 0
		for b, n := range next {
			next[b] = sum
			sum += n
		}
		for i := range list {
			at := &next[list[i].key>>shift&0xff]
			to[*at] = list[i]
			*at++
		}
		list, to = to, list
	}
	for i := 0; i < len(list); { // each turn takes those with one key
		n := 1
		for i+n < len(list) && list[i+n].key == list[i].key {
			n++
		}
		if n > 1 {
			slices.SortFunc(list[i:i+n], byName)
		}
		i += n
	}
	return list
}

// byName compares two by their names.
func byName(a, b dirent) int {
	if a.key != b.key {
		return cmp.Compare(a.key, b.key)
	}
	return strings.Compare(a.name, b.name)
}

// keyOf returns a number for name that is less than another's only if the name is.
func keyOf(name string) uint64 {
	var first [8]byte
	copy(first[:], name)
	return binary.BigEndian.Uint64(first[:])
}
