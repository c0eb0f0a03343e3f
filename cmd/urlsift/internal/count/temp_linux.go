package count

import (
	"os"

	"golang.org/x/sys/unix"
)

// createTemp returns a file that never has a name. If the file system does not support that, the
// name is removed at once.
func createTemp(dir string) (file, error) {
	fd, err := unix.Open(dir, unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return createNamed(dir)
	}
	return os.NewFile(uintptr(fd), dir), nil
}
