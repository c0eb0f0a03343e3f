//go:build unix

package system

import (
	"io/fs"
	"syscall"
)

// idOf returns the ID in info.
func idOf(info *syscall.Stat_t) ID {
	return ID{Device: uint64(info.Dev), Inode: uint64(info.Ino), Size: int64(info.Size), Modified: modified(info)}
}

// IDOf is idOf for a FileInfo of package os.
func IDOf(info fs.FileInfo) ID {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return idOf(st)
	}
	return ID{Size: info.Size(), Modified: info.ModTime().UnixNano()}
}
