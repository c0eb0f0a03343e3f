package longpath

import (
	"io/fs"
	"os"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// maxPath is the length of the longest path that the system accepts.
const maxPath = 4095

// Open is open(2) for a path of any length. The descriptor is not inherited.
func Open(path string, flags int) (fd int, err error) {
	fd, err = syscall.Open(path, flags|syscall.O_CLOEXEC, 0)
	if err != syscall.ENAMETOOLONG || len(path) <= maxPath {
		return fd, err
	}
	dir := unix.AT_FDCWD
	for {
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

// cut splits path after the last separator at which the first piece is short enough for
// the system. A name that is too long by itself is returned whole, for the system to
// refuse.
func cut(path string) (piece, rest string) {
	if len(path) <= maxPath {
		return path, ""
	}
	at := strings.LastIndexByte(path[:maxPath], '/')
	if at < 0 {
		return path, ""
	}
	if rest = strings.TrimLeft(path[at:], "/"); rest == "" {
		rest = "." // path is a directory with separators after it
	}
	return path[:at+1], rest
}

// longStat returns what is at path. err is the system's error that path is too long.
func longStat(path string, follow bool, err error) (fs.FileInfo, error) {
	if len(path) <= maxPath {
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

// longNames returns the names in the directory at path, as [os.File.Readdirnames] does. err is
// the system's error that path is too long.
func longNames(path string, err error) ([]string, error) {
	if len(path) <= maxPath {
		return nil, err
	}
	fd, err := Open(path, unix.O_RDONLY|unix.O_DIRECTORY)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	f := os.NewFile(uintptr(fd), path)
	defer f.Close()
	return f.Readdirnames(-1)
}
