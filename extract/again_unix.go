//go:build unix

package extract

import (
	"time"

	"golang.org/x/sys/unix"
)

// waitReadable waits until fd can be read, or for so long. What says at once that it can,
// and has nothing, is asked a thousand times a second.
func waitReadable(fd int, most time.Duration) {
	began := time.Now()
	_, _ = unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, int(most.Milliseconds()))
	time.Sleep(time.Millisecond - time.Since(began))
}
