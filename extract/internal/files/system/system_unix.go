//go:build unix

package system

import (
	"io"
	"io/fs"
	"os"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

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
	for n < len(p) {
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

// openFlags are the flags with which files are opened.
const openFlags = syscall.O_RDONLY | syscall.O_NONBLOCK | syscall.O_CLOEXEC

// uninterrupted calls f until no signal has interrupted it.
func uninterrupted(f func() error) error {
	for {
		if err := f(); err != syscall.EINTR {
			return err
		}
	}
}

// ReadStart reads the beginning of the file that is open as fd.
func ReadStart(fd int, p []byte) (n int, err error) {
	err = uninterrupted(func() (err error) {
		n, err = syscall.Pread(fd, p, 0)
		return err
	})
	return n, err
}

// Close closes the descriptor.
func Close(fd int) { _ = syscall.Close(fd) }

// MaxOpen returns how many files may be open before their turn: 512, or a quarter of the
// process's limit if that is less. It is 0 on systems where files are not prefetched.
var MaxOpen = sync.OnceValue(func() int {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil || limit.Cur/4 > 512 {
		return 512
	}
	return int(limit.Cur / 4)
})

// A Directory is a directory from which files are opened by their names, so that its path is
// looked up once. Enter makes it ready.
type Directory struct {
	fd     int // -1 if it did not open
	opener regularOpener
}

// Enter opens the directory at path.
func (d *Directory) Enter(path string) {
	d.fd = openDirectory(path)
	d.opener.begin(d.fd)
}

// Open opens the file at path, whose name in the directory begins at path[base]. regular says
// that it is a regular file. If regular is false, [IdentifyOpen] finds out what it is.
func (d *Directory) Open(path string, base int) (fd int, regular bool, err error) {
	if fd = d.opener.open(d.fd, path[base:]); fd >= 0 {
		return fd, true, nil
	}
	fd, err = openOnly(d.fd, path, base)
	return fd, false, err
}

// Leave closes the directory.
func (d *Directory) Leave() {
	if d.fd >= 0 {
		_ = syscall.Close(d.fd)
	}
}

func idOf(info *syscall.Stat_t) ID {
	return ID{Device: uint64(info.Dev), Inode: uint64(info.Ino), Size: int64(info.Size), Modified: modified(info)}
}

// IDOf is idOf for a FileInfo of package os.
func IDOf(info fs.FileInfo) ID {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return idOf(st)
	}
	return ID{Size: info.Size(), Modified: info.ModTime().UnixNano()}
}

// WaitReadable waits until fd can be read, but no longer than most. If the system always
// reports fd as readable although it has no input, WaitReadable returns at most a thousand
// times a second.
func WaitReadable(fd int, most time.Duration) {
	began := time.Now()
	_, _ = unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, int(most.Milliseconds()))
	time.Sleep(time.Millisecond - time.Since(began))
}

// Polls says that Readable knows.
const Polls = true

// Readable reports whether a Read of fd returns at once.
func Readable(fd int) bool {
	poll := [1]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	n, err := unix.Poll(poll[:], 0)
	return err == nil && n > 0
}
