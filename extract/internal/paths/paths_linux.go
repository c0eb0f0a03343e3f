package paths

import (
	"io/fs"
	"os"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// most is the length of a path that the system takes.
const most = 4095

// Open is open(2) of a path of any length. The descriptor is not inherited.
func Open(path string, flags int) (fd int, err error) {
	fd, err = syscall.Open(path, flags|syscall.O_CLOEXEC, 0)
	if err != syscall.ENAMETOOLONG || len(path) <= most {
		return fd, err
	}
	dir := unix.AT_FDCWD
	for { // a piece of the path each time
		piece, rest := cut(path)
		how := unix.O_PATH | unix.O_DIRECTORY
		if rest == "" {
			how = flags
		}
		fd, err = unix.Openat(dir, piece, how|unix.O_CLOEXEC, 0)
		if dir >= 0 {
			_ = unix.Close(dir)
		}
		if err != nil || rest == "" {
			return fd, err
		}
		dir, path = fd, rest
	}
}

// cut returns as much of path as the system takes, up to a separator, and what is behind
// that. A name that is too long by itself is returned as it is, for the system to refuse.
func cut(path string) (piece, rest string) {
	if len(path) <= most {
		return path, ""
	}
	at := strings.LastIndexByte(path[:most], '/')
	if at < 0 {
		return path, ""
	}
	if rest = strings.TrimLeft(path[at:], "/"); rest == "" {
		rest = "." // of a folder, with separators behind it
	}
	return path[:at+1], rest
}

// longStat returns what path is, of which err says that it is too long.
func longStat(path string, follow bool, err error) (fs.FileInfo, error) {
	if len(path) <= most {
		return nil, err
	}
	flags := unix.O_PATH
	if !follow {
		flags |= unix.O_NOFOLLOW
	}
	fd, err := Open(path, flags)
	if err != nil {
		return nil, &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	f := os.NewFile(uintptr(fd), path)
	defer f.Close()
	return f.Stat()
}
