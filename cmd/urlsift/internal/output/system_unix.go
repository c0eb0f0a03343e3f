//go:build unix

package output

import (
	"errors"
	"io/fs"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// ReaderGone reports whether f is a pipe whose reader has closed it, or a terminal that was closed,
// if the system shows that before a write.
func ReaderGone(f *os.File) (gone bool) {
	c, err := f.SyscallConn()
	if err != nil {
		return false
	}
	_ = c.Control(func(fd uintptr) {
		some := []unix.PollFd{{Fd: int32(fd), Events: 0}}
		if n, err := unix.Poll(some, 0); n > 0 && err == nil {
			gone = some[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0
		}
	})
	return gone
}

// Inode returns the device and inode of the file of info.
func Inode(info fs.FileInfo) (device, inode uint64) {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Dev), uint64(st.Ino)
	}
	return 0, 0
}

// keepGroup gives f the group of the file of old, and its owner if the system allows that. It
// reports whether f has that group.
func keepGroup(f *os.File, old fs.FileInfo) bool {
	st, ok := old.Sys().(*syscall.Stat_t)
	if !ok {
		return false
	}
	return f.Chown(int(st.Uid), int(st.Gid)) == nil || f.Chown(-1, int(st.Gid)) == nil
}

// IgnorePipe makes a write to a pipe without a reader fail, instead of ending the command
// with a signal.
func IgnorePipe() { signal.Ignore(syscall.SIGPIPE) }

// PipeClosed reports whether err means that the reader of a pipe has closed it.
func PipeClosed(err error) bool { return errors.Is(err, syscall.EPIPE) }

// poll waits until fd can be read or written, or for a second.
func poll(fd uintptr, read bool) {
	events := int16(unix.POLLOUT)
	if read {
		events = unix.POLLIN
	}
	_, _ = unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: events}}, 1000)
}
