//go:build !unix

package system

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"time"
)

// MaxOpen returns 0: each file is opened when its turn has come, and the functions below for
// Directories and descriptors are not called.
func MaxOpen() int { return 0 }

// IDOf returns the ID of the file of info. The ID has no inode, so the file is recognised by its
// content.
func IDOf(info fs.FileInfo) ID {
	return ID{Size: info.Size(), Modified: info.ModTime().UnixNano()}
}

// Identify returns false: there are no small files.
func Identify(io.Reader) (Seekable, ID, bool) { return nil, ID{}, false }

// Opened returns false, too.
func Opened(io.Reader) (fd int, size int64, ok bool) { return -1, 0, false }

// Stat returns the size of what is at path, and whether it is a regular file. It does not
// follow links.
func Stat(path string) (size int64, regular bool, err error) {
	info, err := os.Lstat(path)
	if err != nil {
		return 0, false, err
	}
	return info.Size(), info.Mode().IsRegular(), nil
}

// Open opens the regular file at path. If it was replaced since the walk, for example by a device
// that never ends, Open returns an error.
func Open(path string) (io.ReadCloser, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|NonBlock, 0)
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

// WaitReadable sleeps for most, because package syscall cannot wait for a file on this system.
func WaitReadable(_ int, most time.Duration) { time.Sleep(most) }

// Polls says that Readable does not know.
const Polls = false

// Readable returns false: package syscall cannot ask on this system.
func Readable(int) bool { return false }

// A Directory opens nothing.
type Directory struct{}

// Enter does nothing.
func (*Directory) Enter(string) {}

// Open returns an error.
func (*Directory) Open(string, int) (fd int, regular bool, err error) {
	return -1, false, errors.ErrUnsupported
}

// Leave does nothing.
func (*Directory) Leave() {}

// ReadStart returns an error: no file is open as a descriptor.
func ReadStart(int, []byte) (int, error) { return 0, errors.ErrUnsupported }

// IdentifyOpen returns an error, too.
func IdentifyOpen(int, string) (ID, error) { return ID{}, errors.ErrUnsupported }

// FromDescriptor returns the file that is open as fd.
func FromDescriptor(fd int, path string, _ int64) io.ReadCloser {
	return os.NewFile(uintptr(fd), path)
}

// Close does nothing.
func Close(int) {}

// CloseRange does nothing.
func CloseRange(int, int) {}

// GrowPipe does nothing.
func GrowPipe(int, int) {}
