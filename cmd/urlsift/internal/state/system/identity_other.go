//go:build !unix

package system

import "os"

// Identify returns the identity of the regular file at path; links are followed. It has no inode,
// so files are recognised by name and content.
func Identify(path string) (id Identity, ok bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return id, false
	}
	return Identity{Size: info.Size(), Modified: info.ModTime().UnixNano()}, true
}
