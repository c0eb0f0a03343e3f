//go:build !unix

package state

import "os"

// identify returns the identity of the regular file at path; links are followed. It has no
// inode: files are known by their names and by what is in them.
func identify(path string) (id identity, ok bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return id, false
	}
	return identity{size: info.Size(), modified: info.ModTime().UnixNano()}, true
}
