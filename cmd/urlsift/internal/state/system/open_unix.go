//go:build unix

package system

import "golang.org/x/sys/unix"

// careful are flags to open a file that may be a link or a pipe by now.
const careful = unix.O_NOFOLLOW | unix.O_NONBLOCK
