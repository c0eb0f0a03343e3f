//go:build unix

package output

import "golang.org/x/sys/unix"

// poll waits until fd can be read or written, or for a second.
func poll(fd uintptr, read bool) {
	events := int16(unix.POLLOUT)
	if read {
		events = unix.POLLIN
	}
	_, _ = unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: events}}, 1000)
}
