package system

import (
	"os"

	"golang.org/x/sys/unix"
)

// TempFile returns a file in memory, which is called name, or a file that has no name.
func TempFile(name string) (f *os.File, remove func(), err error) {
	fd, err := unix.MemfdCreate("urlsift", unix.MFD_CLOEXEC)
	if err != nil {
		return createTemp()
	}
	return os.NewFile(uintptr(fd), name), func() {}, nil
}
