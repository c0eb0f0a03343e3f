//go:build unix

package output

import (
	"io/fs"
	"os"
	"syscall"
)

// Inode returns the device and inode of the file of info.
func Inode(info fs.FileInfo) (device, inode uint64) {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Dev), uint64(st.Ino)
	}
	return 0, 0
}

// keepGroup gives f the group of the file of old, and its owner if the system allows that. It
// reports whether f has that group.
func keepGroup(f *os.File, old fs.FileInfo) bool {
	st, ok := old.Sys().(*syscall.Stat_t)
	if !ok {
		return false
	}
	return f.Chown(int(st.Uid), int(st.Gid)) == nil || f.Chown(-1, int(st.Gid)) == nil
}
