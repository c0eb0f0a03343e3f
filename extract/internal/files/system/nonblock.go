//go:build !wasip1

package system

import "syscall"

// NonBlock makes an open of a FIFO not wait.
const NonBlock = syscall.O_NONBLOCK
