// Package system has what package state asks of the system in another way on each: which file
// is at a path, which process has locked a file, and a temporary file that leaves nothing.
package system

import "os"

// An Identity is what a file is now.
type Identity struct {
	Device, Inode  uint64 // both 0 where the system has none
	Size, Modified int64  // in bytes, and in nanoseconds since 1970
}

// createTemp returns a temporary file, and a function for the time after it is closed.
func createTemp() (f *os.File, remove func(), err error) {
	if f, err = os.CreateTemp("", "urlsift-*.tmp"); err != nil {
		return nil, nil, err
	}
	if os.Remove(f.Name()) == nil {
		return f, func() {}, nil
	}
	return f, func() { _ = os.Remove(f.Name()) }, nil // a system that cannot remove an open file
}
