//go:build !unix

package output

import (
	"errors"
	"io"
	"syscall"
)

// IgnorePipe does nothing: there is no signal.
func IgnorePipe() {}

// PipeClosed reports whether err means that the reader of a pipe has closed it:
// ERROR_BROKEN_PIPE and ERROR_NO_DATA of Windows.
func PipeClosed(err error) bool {
	var no syscall.Errno
	return errors.Is(err, io.ErrClosedPipe) || errors.As(err, &no) && (no == 109 || no == 232)
}
