//go:build unix

package system

import "syscall"

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
