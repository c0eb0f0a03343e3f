// Package longpath reaches files whose paths are longer than the system accepts. Linux
// accepts 4,095 bytes, and a tree of directories may be deeper than that.
//
//	info, err := longpath.Stat(path) // as os.Stat, for a path of any length
//
// Such a path is opened piece by piece, each piece from the directory that the one before
// led to. On systems other than Linux paths are limited as the system limits them. The
// package imports nothing of ours.
package longpath

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"
)

// Stat is [os.Stat] for a path of any length.
func Stat(path string) (fs.FileInfo, error) {
	info, err := os.Stat(path)
	if errors.Is(err, syscall.ENAMETOOLONG) {
		return longStat(path, true, err)
	}
	return info, err
}

// Lstat is [os.Lstat] for a path of any length.
func Lstat(path string) (fs.FileInfo, error) {
	info, err := os.Lstat(path)
	if errors.Is(err, syscall.ENAMETOOLONG) {
		return longStat(path, false, err)
	}
	return info, err
}

// ReadDir is [os.ReadDir] for a path of any length.
func ReadDir(path string) ([]fs.DirEntry, error) {
	list, err := os.ReadDir(path)
	if errors.Is(err, syscall.ENAMETOOLONG) && len(list) == 0 {
		names, err := longNames(path, err)
		return statEach(path, names, err)
	}
	return list, err
}

// statEach returns an entry for each of the names in the directory at path, in order. Some
// file systems do not say what an entry is, and then package os would stat it by its whole
// path; so statEach calls Lstat. It returns err, or the first error of an entry.
func statEach(path string, names []string, err error) (list []fs.DirEntry, _ error) {
	slices.Sort(names)
	for _, name := range names {
		info, statErr := Lstat(strings.TrimRight(path, "/") + "/" + name)
		switch {
		case statErr == nil:
			list = append(list, fs.FileInfoToDirEntry(info))
		case !errors.Is(statErr, fs.ErrNotExist) && err == nil: // otherwise it was removed
			err = statErr
		}
	}
	return list, err
}
