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
	for i := range list {
		list[i].key = keyOf(list[i].name)
	}
	slices.SortFunc(list, func(a, b dirent) int {
		if a.key != b.key {
			return cmp.Compare(a.key, b.key)
		}
		return strings.Compare(a.name, b.name)
	})
	return list, err
}

// keyOf returns a number for name that is less than another's only if the name is.
func keyOf(name string) uint64 {
	var first [8]byte
	copy(first[:], name)
	return binary.BigEndian.Uint64(first[:])
}
