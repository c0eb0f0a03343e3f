//go:build unix

package system

import (
	"time"

	"golang.org/x/sys/unix"
)

// WaitReadable waits until fd can be read, but no longer than most. If the system always
// reports fd as readable although it has no input, WaitReadable returns at most a thousand
// times a second.
func WaitReadable(fd int, most time.Duration) {
	began := time.Now()
	_, _ = unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, int(most.Milliseconds()))
	time.Sleep(time.Millisecond - time.Since(began))
}
