//go:build !unix

package output

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// ReaderGone returns false. On this system only a write shows that the reader has gone.
func ReaderGone(*os.File) bool { return false }

// Inode returns 0, because the system has no inodes.
func Inode(fs.FileInfo) (device, inode uint64) { return 0, 0 }

// keepGroup returns true, because files have no groups here.
func keepGroup(*os.File, fs.FileInfo) bool { return true }

// IgnorePipe does nothing: there is no signal.
func IgnorePipe() {}

// PipeClosed reports whether err means that the reader of a pipe has closed it:
// ERROR_BROKEN_PIPE and ERROR_NO_DATA of Windows.
func PipeClosed(err error) bool {
	var no syscall.Errno
	return errors.Is(err, io.ErrClosedPipe) || errors.As(err, &no) && (no == 109 || no == 232)
}

func poll(uintptr, bool) {}
