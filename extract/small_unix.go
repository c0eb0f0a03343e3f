//go:build unix

package extract

import (
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/urlsift/urlsift/extract/internal/paths"
)

// A spool is a hundred thousand files of a few KiB, and to open, read and close one
// is a good part of the work on it. So such a file is read through its descriptor:
// an [os.File] would be offered to the poller, which wants no file, be given a
// finalizer, and be read once more to see its end.

// smallMost is the size in bytes up to which a file is read so.
var smallMost int64 = 256 << 10

// A smallFile is a regular file that was of that size when it was opened.
type smallFile struct {
	path     string
	fd       int // -1 if it is closed
	size, at int64
}

// openFlags are those with which files are opened.
const openFlags = syscall.O_RDONLY | syscall.O_NONBLOCK | syscall.O_CLOEXEC

// openRegular opens the file at path.
func openRegular(path string) (io.ReadCloser, error) {
	fd, size, err := openIn(-1, path, 0)
	if err != nil {
		return nil, err
	}
	return opened(fd, path, size), nil
}

// opened returns the file with that descriptor and size.
func opened(fd int, path string, size int64) io.ReadCloser {
	if size > smallMost {
		return os.NewFile(uintptr(fd), path)
	}
	return &smallFile{path: path, fd: fd, size: size}
}

// openIn opens the file at path, as openFile does, and tells its size. What has taken
// its place since it was met may be a FIFO, for whose writer an open waits, in the
// system and for ever, or a device that never ends: that is not opened.
func openIn(dir int, path string, base int) (fd int, size int64, err error) {
	if fd, err = openOnly(dir, path, base); err != nil {
		return -1, 0, err
	}
	size, err = statOpen(fd, path)
	return fd, size, err
}

// openOnly is openIn without a look at what was opened.
func openOnly(dir int, path string, base int) (fd int, err error) {
	err = uninterrupted(func() (err error) {
		fd, err = openFile(dir, path, base, openFlags)
		return err
	})
	if err != nil {
		return -1, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return fd, nil
}

// statOpen returns the size of the file that fd is, or closes it.
func statOpen(fd int, path string) (size int64, err error) {
	var info syscall.Stat_t
	err = uninterrupted(func() error { return syscall.Fstat(fd, &info) })
	switch {
	case err != nil:
		err = &fs.PathError{Op: "stat", Path: path, Err: err}
	case info.Mode&syscall.S_IFMT != syscall.S_IFREG:
		err = plainError("is no longer a file")
	default:
		return int64(info.Size), nil
	}
	_ = syscall.Close(fd)
	return 0, err
}

// statRegular returns the size of the file at path, of which links are not followed,
// and whether it is a regular one, as [os.Lstat] would, and allocates nothing.
func statRegular(path string) (size int64, regular bool, err error) {
	var info syscall.Stat_t
	switch err = uninterrupted(func() error { return syscall.Lstat(path, &info) }); {
	case err == syscall.ENAMETOOLONG:
		long, err := paths.Lstat(path)
		if err != nil {
			return 0, false, err
		}
		return long.Size(), long.Mode().IsRegular(), nil
	case err != nil:
		return 0, false, &fs.PathError{Op: "lstat", Path: path, Err: err}
	}
	return int64(info.Size), info.Mode&syscall.S_IFMT == syscall.S_IFREG, nil
}

// Read is that of a file, and tells the end with the last bytes, if that is where
// the end was when the file was opened. A file that has grown since is read on; and
// one that says it has no bytes is asked for some, as those of a /proc are.
func (f *smallFile) Read(p []byte) (n int, err error) {
	err = uninterrupted(func() (err error) {
		n, err = syscall.Read(f.fd, p)
		return err
	})
	switch {
	case err != nil:
		return 0, &fs.PathError{Op: "read", Path: f.path, Err: err}
	case n == 0 && len(p) > 0:
		return 0, endOf(f.at, f.size, f.sizeNow)
	}
	if f.at += int64(n); n > 0 && n < len(p) && f.at == f.size {
		return n, io.EOF
	}
	return n, nil
}

// sizeNow returns the size that the file has.
func (f *smallFile) sizeNow() (int64, error) {
	var info syscall.Stat_t
	err := uninterrupted(func() error { return syscall.Fstat(f.fd, &info) })
	return int64(info.Size), err
}

// descriptor returns that of the file.
func (f *smallFile) descriptor() int { return f.fd }

// Stat returns what the file is.
func (f *smallFile) Stat() (fs.FileInfo, error) {
	fd, err := syscall.Dup(f.fd)
	if err != nil {
		return nil, err
	}
	again := os.NewFile(uintptr(fd), f.path)
	defer again.Close()
	return again.Stat()
}

// stored returns the size that the file had when it was opened.
func (f *smallFile) stored() int64 { return f.size }

// Close gives the descriptor back, once.
func (f *smallFile) Close() error {
	fd := f.fd
	if f.fd = -1; fd < 0 {
		return fs.ErrClosed
	}
	return syscall.Close(fd)
}

// uninterrupted calls f until no signal has cut it short.
func uninterrupted(f func() error) error {
	for {
		if err := f(); err != syscall.EINTR {
			return err
		}
	}
}
