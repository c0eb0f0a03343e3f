//go:build !linux

package extract

import "os"

// readListing lists the directory at path.
func readListing(path string) ([]dirent, error) {
	entries, err := os.ReadDir(path)
	list := make([]dirent, len(entries))
	for i, e := range entries {
		list[i] = dirent{name: e.Name(), typ: e.Type()}
	}
	return list, err
}
