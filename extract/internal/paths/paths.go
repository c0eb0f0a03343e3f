// Package paths reaches files whose paths are longer than the system takes: on Linux 4,095
// bytes, of which a tree of folders may have any number. Such a path is opened piece by
// piece, each from the folder that the one before led to. On other systems paths have the
// length that the system takes.
package paths

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// Stat is [os.Stat] of a path of any length.
func Stat(path string) (fs.FileInfo, error) {
	info, err := os.Stat(path)
	if errors.Is(err, syscall.ENAMETOOLONG) {
		return longStat(path, true, err)
	}
	return info, err
}

// Lstat is [os.Lstat] of a path of any length.
func Lstat(path string) (fs.FileInfo, error) {
	info, err := os.Lstat(path)
	if errors.Is(err, syscall.ENAMETOOLONG) {
		return longStat(path, false, err)
	}
	return info, err
}
