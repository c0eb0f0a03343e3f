//go:build unix

package main

import (
	"errors"
	"os/signal"
	"syscall"
)

// ignorePipe makes writing to a pipe that nobody reads an error of the write,
// instead of the end of the command with a status of its own.
func ignorePipe() { signal.Ignore(syscall.SIGPIPE) }

// pipeClosed reports whether err says that nobody reads what was written.
func pipeClosed(err error) bool { return errors.Is(err, syscall.EPIPE) }
