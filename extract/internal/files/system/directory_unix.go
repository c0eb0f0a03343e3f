//go:build unix

package system

import (
	"sync"
	"syscall"
)

// MaxOpen returns how many files may be open before their turn: 512, or a quarter of the
// process's limit if that is less. It is 0 on systems where files are not prefetched.
var MaxOpen = sync.OnceValue(func() int {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil || limit.Cur/4 > 512 {
		return 512
	}
	return int(limit.Cur / 4)
})

// A Directory is a directory from which files are opened by their names, so that its path is
// looked up once. Enter makes it ready.
type Directory struct {
	fd     int // -1 if it did not open
	opener regularOpener
}

// Enter opens the directory at path.
func (d *Directory) Enter(path string) {
	d.fd = openDirectory(path)
	d.opener.begin(d.fd)
}

// Open opens the file at path, whose name in the directory begins at path[base]. regular says
// that it is a regular file. If regular is false, [IdentifyOpen] finds out what it is.
func (d *Directory) Open(path string, base int) (fd int, regular bool, err error) {
	if fd = d.opener.open(d.fd, path[base:]); fd >= 0 {
		return fd, true, nil
	}
	fd, err = openOnly(d.fd, path, base)
	return fd, false, err
}

// Leave closes the directory.
func (d *Directory) Leave() {
	if d.fd >= 0 {
		_ = syscall.Close(d.fd)
	}
}
