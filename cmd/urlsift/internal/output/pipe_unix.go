//go:build unix

package output

import (
	"errors"
	"os/signal"
	"syscall"
)

// IgnorePipe makes writing to a pipe that nobody reads an error of the write,
// instead of the end of the command with a status of its own.
func IgnorePipe() { signal.Ignore(syscall.SIGPIPE) }

// PipeClosed reports whether err says that nobody reads what was written.
func PipeClosed(err error) bool { return errors.Is(err, syscall.EPIPE) }
