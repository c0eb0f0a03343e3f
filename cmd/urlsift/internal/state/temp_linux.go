package state

import (
	"os"

	"golang.org/x/sys/unix"
)

// tempFile returns a file in memory, or one that has no name.
func tempFile() (f *os.File, remove func(), err error) {
	fd, err := unix.MemfdCreate("urlsift", unix.MFD_CLOEXEC)
	if err != nil {
		return createTemp()
	}
	return os.NewFile(uintptr(fd), nameless), func() {}, nil
}
