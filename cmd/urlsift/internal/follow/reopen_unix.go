//go:build unix

package follow

import (
	"io"
	"os"
	"syscall"
)

// canHold says that a file that is open can be renamed and removed.
const canHold = true

// reopen returns a copy of file at its beginning. Only one copy may be read at a time, because
// copies share their offset.
func reopen(file *os.File) (*os.File, error) {
	syscall.ForkLock.RLock()
	fd, err := syscall.Dup(int(file.Fd()))
	if err == nil {
		syscall.CloseOnExec(fd)
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, os.NewSyscallError("dup", err)
	}
	again := os.NewFile(uintptr(fd), file.Name())
	if _, err := again.Seek(0, io.SeekStart); err != nil {
		_ = again.Close()
		return nil, err
	}
	return again, nil
}
