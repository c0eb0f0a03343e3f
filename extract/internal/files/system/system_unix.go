//go:build unix

package system

import (
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/urlsift/urlsift/extract/internal/files/longpath"
)

// A news spool has a hundred thousand files of a few KiB, and opening, reading and closing a file
// takes a large part of the time for it. So small files are read through their descriptors. An
// [os.File] would be registered with the poller, which does not poll regular files, would get a
// finalizer, and would need one more Read to find its end.

// smallMost is the maximum size of a small file, in bytes.
const smallMost = 256 << 10

// A smallFile is a small regular file. size is its size when it was opened.
type smallFile struct {
	path     string
	fd       int // -1 if it is closed
	size, at int64
}

// Open opens the regular file at path. Since the walk, the file may have been replaced by a FIFO,
// for whose writer an open would wait, or by a device that never ends. Neither is opened.
func Open(path string) (io.ReadCloser, error) {
	fd, err := openOnly(-1, path, 0)
	if err != nil {
		return nil, err
	}
	size, err := statOpen(fd, path)
	if err != nil {
		return nil, err
	}
	return FromDescriptor(fd, path, size), nil
}

// FromDescriptor returns the regular file that is open as fd. size is its size when it was
// opened.
func FromDescriptor(fd int, path string, size int64) io.ReadCloser {
	if size > smallMost {
		return os.NewFile(uintptr(fd), path)
	}
	return &smallFile{path: path, fd: fd, size: size}
}

// openOnly opens what is at path, as openAt does, and does not check what it is.
func openOnly(dir int, path string, base int) (fd int, err error) {
	err = uninterrupted(func() (err error) {
		fd, err = openAt(dir, path, base, openFlags)
		return err
	})
	if err != nil {
		return -1, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return fd, nil
}

// statOpen returns the size of the regular file that is open as fd. It closes anything
// else.
func statOpen(fd int, path string) (size int64, err error) {
	id, err := IdentifyOpen(fd, path)
	return id.Size, err
}

// IdentifyOpen returns the ID of the regular file that is open as fd. If something else is open
// as fd, IdentifyOpen closes it and returns an error.
func IdentifyOpen(fd int, path string) (id ID, err error) {
	var info syscall.Stat_t
	err = uninterrupted(func() error { return syscall.Fstat(fd, &info) })
	switch {
	case err != nil:
		err = &fs.PathError{Op: "stat", Path: path, Err: err}
	case info.Mode&syscall.S_IFMT != syscall.S_IFREG:
		err = errNotRegular
	default:
		return idOf(&info), nil
	}
	_ = syscall.Close(fd)
	return ID{}, err
}

// Stat returns the size of what is at path, and whether it is a regular file, as
// [os.Lstat] would, but without allocating.
func Stat(path string) (size int64, regular bool, err error) {
	var info syscall.Stat_t
	switch err = uninterrupted(func() error { return syscall.Lstat(path, &info) }); {
	case err == syscall.ENAMETOOLONG:
		long, err := longpath.Lstat(path)
		if err != nil {
			return 0, false, err
		}
		return long.Size(), long.Mode().IsRegular(), nil
	case err != nil:
		return 0, false, &fs.PathError{Op: "lstat", Path: path, Err: err}
	}
	return int64(info.Size), info.Mode&syscall.S_IFMT == syscall.S_IFREG, nil
}

// Read reads like the Read of an [os.File]. It returns io.EOF together with the last bytes if the
// file has the size that it had when it was opened. It continues in a file that has grown since,
// and reads files whose reported size is 0, such as those in /proc.
func (f *smallFile) Read(p []byte) (n int, err error) {
	err = uninterrupted(func() (err error) {
		n, err = syscall.Read(f.fd, p)
		return err
	})
	switch {
	case err != nil:
		return 0, &fs.PathError{Op: "read", Path: f.path, Err: err}
	case n == 0 && len(p) > 0:
		return 0, EndOf(f.at, f.size, f.sizeNow)
	}
	if f.at += int64(n); n > 0 && n < len(p) && f.at == f.size {
		return n, io.EOF
	}
	return n, nil
}

// sizeNow returns the size that the file has now.
func (f *smallFile) sizeNow() (int64, error) {
	var info syscall.Stat_t
	err := uninterrupted(func() error { return syscall.Fstat(f.fd, &info) })
	return int64(info.Size), err
}

// ReadAt reads from the offset at on, and does not move where the next Read begins.
func (f *smallFile) ReadAt(p []byte, at int64) (n int, err error) {
	for n < len(p) { // each iteration reads something
		k := 0
		err := uninterrupted(func() (err error) {
			k, err = syscall.Pread(f.fd, p[n:], at+int64(n))
			return err
		})
		if err != nil {
			return n, &fs.PathError{Op: "read", Path: f.path, Err: err}
		}
		if k == 0 {
			return n, io.EOF
		}
		n += k
	}
	return n, nil
}

// Seek sets where the next Read begins. Only io.SeekStart is known.
func (f *smallFile) Seek(at int64, _ int) (int64, error) {
	if _, err := syscall.Seek(f.fd, at, io.SeekStart); err != nil {
		return 0, &fs.PathError{Op: "seek", Path: f.path, Err: err}
	}
	f.at = at
	return at, nil
}

// Stat returns the FileInfo of package os.
func (f *smallFile) Stat() (fs.FileInfo, error) {
	fd, err := syscall.Dup(f.fd)
	if err != nil {
		return nil, err
	}
	again := os.NewFile(uintptr(fd), f.path)
	defer again.Close()
	return again.Stat()
}

// Close closes the descriptor, once.
func (f *smallFile) Close() error {
	fd := f.fd
	if f.fd = -1; fd < 0 {
		return fs.ErrClosed
	}
	return syscall.Close(fd)
}

// Opened returns the descriptor of r, and the size that the file had when it was opened, if r is a
// small file.
func Opened(r io.Reader) (fd int, size int64, ok bool) {
	f, ok := r.(*smallFile)
	if !ok {
		return -1, 0, false
	}
	return f.fd, f.size, true
}

// Identify returns r and its ID if r is a small file of which nothing was read; otherwise false.
func Identify(r io.Reader) (Seekable, ID, bool) {
	f, ok := r.(*smallFile)
	if !ok || f.at != 0 {
		return nil, ID{}, false
	}
	var info syscall.Stat_t
	if err := uninterrupted(func() error { return syscall.Fstat(f.fd, &info) }); err != nil {
		return nil, ID{}, false
	}
	return f, idOf(&info), true
}
