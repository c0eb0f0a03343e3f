//go:build !unix

package files

import (
	"io"
	"os"
	"syscall"
)

// statRegular returns the size of what is at path, and whether it is a regular file. It
// does not follow links.
func statRegular(path string) (size int64, regular bool, err error) {
	info, err := os.Lstat(path)
	if err != nil {
		return 0, false, err
	}
	return info.Size(), info.Mode().IsRegular(), nil
}

// openRegular opens the regular file at path. Something else may have taken its place
// since it was found, as a device that never ends. That is not read.
func openRegular(path string) (io.ReadCloser, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errNotRegular
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// A Prefetcher loads nothing here: each file is opened when its turn has come.
type Prefetcher struct{ Identify bool }

// Load does nothing.
func (*Prefetcher) Load([]*File, int, func() bool) {}

// Take returns false.
func (*Prefetcher) Take() (r io.ReadCloser, err error, ok bool) { return nil, nil, false }

// Clear does nothing.
func (*Prefetcher) Clear() {}

// Release does nothing.
func (*Prefetcher) Release() {}
