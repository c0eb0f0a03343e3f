//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package system

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// TryLock locks f until it is closed, for this process alone or shared with others that only read.
// It does not wait: locked is false if another process has a lock that does not allow it.
func TryLock(f *os.File, shared bool) (locked bool, err error) {
	how := unix.LOCK_EX
	if shared {
		how = unix.LOCK_SH
	}
	for {
		switch err = unix.Flock(int(f.Fd()), how|unix.LOCK_NB); {
		case err == nil:
			return true, nil
		case errors.Is(err, unix.EWOULDBLOCK):
			return false, nil
		case !errors.Is(err, unix.EINTR):
			return false, err
		}
	}
}
