//go:build unix

package state

import (
	"os"
	"syscall"
)

// inodeOf returns the device and inode of the file of info.
func inodeOf(info os.FileInfo) (device, inode uint64) {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Dev), uint64(st.Ino)
	}
	return 0, 0
}
