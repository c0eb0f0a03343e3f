package extract

import (
	"runtime"
	"syscall"
)

// openFolder returns a descriptor of the directory at path, or -1.
func openFolder(path string) (fd int) {
	err := uninterrupted(func() (err error) {
		fd, err = syscall.Open(path, syscall.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
		return err
	})
	if err != nil {
		return -1
	}
	return fd
}

// openFile opens what is at path, of which the last element begins at base, from the
// directory with the descriptor dir; from where the path begins if that is -1.
func openFile(dir int, path string, base, flags int) (fd int, err error) {
	if dir >= 0 {
		return syscall.Openat(dir, path[base:], flags, 0)
	}
	return syscall.Open(path, flags, 0)
}

// closeRange closes the descriptors from first to last.
func closeRange(first, last int) {
	// The number is that of all architectures but mips, since Linux 5.9. Android ends a
	// program that makes a call which it does not know.
	const sysCloseRange = 436
	if first < last && runtime.GOOS != "android" {
		if _, _, errno := syscall.Syscall(sysCloseRange, uintptr(first), uintptr(last), 0); errno == 0 {
			return
		}
	}
	for fd := first; fd <= last; fd++ {
		_ = syscall.Close(fd)
	}
}
