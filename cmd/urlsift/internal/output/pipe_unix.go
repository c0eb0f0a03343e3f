//go:build unix

package output

import (
	"errors"
	"os/signal"
	"syscall"
)

// IgnorePipe makes a write to a pipe without a reader fail, instead of ending the command
// with a signal.
func IgnorePipe() { signal.Ignore(syscall.SIGPIPE) }

// PipeClosed reports whether err means that the reader of a pipe has closed it.
func PipeClosed(err error) bool { return errors.Is(err, syscall.EPIPE) }
