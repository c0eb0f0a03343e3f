package system

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// TryLock locks f until it is closed, for this process alone or shared with others that only read.
// It does not wait: locked is false if another process has a lock that does not allow it. It locks a
// byte far behind the end of the file, and not the one that bbolt locks.
func TryLock(f *os.File, shared bool) (locked bool, err error) {
	flags := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if !shared {
		flags |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	const far = 1<<32 - 2
	err = windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &windows.Overlapped{Offset: far, OffsetHigh: far})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}
