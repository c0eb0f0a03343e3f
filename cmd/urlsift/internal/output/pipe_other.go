//go:build !unix

package output

import (
	"errors"
	"io"
	"syscall"
)

// IgnorePipe does nothing: there is no signal.
func IgnorePipe() {}

// PipeClosed reports whether err says that nobody reads what was written: what
// Windows calls ERROR_BROKEN_PIPE and ERROR_NO_DATA.
func PipeClosed(err error) bool {
	var no syscall.Errno
	return errors.Is(err, io.ErrClosedPipe) || errors.As(err, &no) && (no == 109 || no == 232)
}
