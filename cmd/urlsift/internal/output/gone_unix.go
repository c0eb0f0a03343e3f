//go:build unix

package output

import (
	"os"

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
