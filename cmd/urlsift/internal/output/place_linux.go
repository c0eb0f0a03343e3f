package output

import (
	"io/fs"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// unnamed returns a new file on the file system of dir that has no name, so that nothing remains of
// it if the process is killed. It returns nil if the file system does not support that.
func unnamed(dir string, mode fs.FileMode) *os.File {
	fd, err := unix.Open(dir, unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, uint32(mode))
	if err != nil {
		return nil
	}
	return os.NewFile(uintptr(fd), dir)
}

// giveName gives a name to a file that has none.
func giveName(f *os.File, name string) error {
	return unix.Linkat(unix.AT_FDCWD, "/proc/self/fd/"+strconv.Itoa(int(f.Fd())), unix.AT_FDCWD, name, unix.AT_SYMLINK_FOLLOW)
}
