// Package system has the functions of package state that differ among operating systems: which file
// is at a path, which process has locked a file, and a temporary file that needs no cleaning up.
package system

import "os"

// An Identity identifies a file, and its state when Identify was called.
type Identity struct {
	Device, Inode  uint64 // both 0 where the system has none
	Size, Modified int64  // in bytes, and in nanoseconds since 1970
}

// createTemp returns a temporary file, and a function to call after it is closed.
func createTemp() (f *os.File, remove func(), err error) {
	if f, err = os.CreateTemp("", "urlsift-*.tmp"); err != nil {
		return nil, nil, err
	}
	if os.Remove(f.Name()) == nil {
		return f, func() {}, nil
	}
	return f, func() { _ = os.Remove(f.Name()) }, nil // a system that cannot remove an open file
}
