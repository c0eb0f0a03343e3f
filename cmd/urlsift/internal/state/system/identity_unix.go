//go:build unix

package system

import "golang.org/x/sys/unix"

// Identify returns the identity of the regular file at path; links are followed.
func Identify(path string) (id Identity, ok bool) {
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil || st.Mode&unix.S_IFMT != unix.S_IFREG {
		return id, false
	}
	return Identity{uint64(st.Dev), uint64(st.Ino), int64(st.Size), st.Mtim.Nano()}, true
}
