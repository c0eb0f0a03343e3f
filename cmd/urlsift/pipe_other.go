//go:build !unix

package main

import (
	"errors"
	"io"
	"syscall"
)

func ignorePipe() {}

// pipeClosed reports whether err says that nobody reads what was written: what
// Windows calls ERROR_BROKEN_PIPE and ERROR_NO_DATA.
func pipeClosed(err error) bool {
	var no syscall.Errno
	return errors.Is(err, io.ErrClosedPipe) || errors.As(err, &no) && (no == 109 || no == 232)
}
