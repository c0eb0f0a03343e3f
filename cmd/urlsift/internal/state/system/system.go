// Package system has the functions of package state that differ among operating systems: which file
// is at a path, opening it only if it is a regular file, locks, which process has locked a file, and
// a temporary file that needs no cleaning up.
package system

import (
	"errors"
	"io/fs"
	"os"
)

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

// ErrIrregular is the error of a link, a folder, a pipe or a device.
var ErrIrregular = errors.New("it is no regular file")

// OpenRegular opens the regular file at path, and nothing else. It does not follow a symbolic link,
// and does not wait for the other end of a pipe.
func OpenRegular(path string, flag int) (*os.File, error) {
	if err := IsRegular(path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, flag|careful, 0)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() { // it was replaced in between
		f.Close()
		return nil, errors.Join(err, ErrIrregular)
	}
	return f, nil
}

// IsRegular returns ErrIrregular if there is something at path that is no regular file, and the
// error of the system if there is nothing.
func IsRegular(path string) error {
	info, err := os.Lstat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = ErrIrregular
	}
	return err
}

// IsAt reports whether the open file f is the one at path.
func IsAt(f *os.File, path string) bool {
	is, err := f.Stat()
	if err != nil {
		return false
	}
	at, err := os.Lstat(path)
	return err == nil && os.SameFile(is, at)
}

// CreateNew makes a file for this user alone. If a regular file is at path, it is removed first, so
// other names of that file keep their content. Anything else there is ErrIrregular.
func CreateNew(path string) (*os.File, error) {
	switch err := IsRegular(path); {
	case err == nil:
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
}
