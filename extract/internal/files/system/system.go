// Package system opens, identifies and reads regular files in the fastest way that the operating
// system has. All that differs among systems is here, so package files has no build tags.
//
//	r, err := system.Open(path) // a regular file; an error for a FIFO or a device
//
// If another program changes a file while it is read, its [ID] differs afterwards; if the file
// becomes shorter, [EndOf] returns an error.
//
// On Unix, small files are read through their descriptors, and a [Directory] opens files by their
// names in it. On other systems [os.File] is used for everything, and [MaxOpen] is 0. The package
// imports only longpath.
package system

import (
	"fmt"
	"io"
)

// An ID identifies an open file and its state: a later ID differs if the file has changed.
type ID struct {
	Device, Inode uint64 // both 0 if the system has none
	Size          int64
	Modified      int64 // in nanoseconds since 1970
}

// A Seekable is an open regular file.
type Seekable interface {
	io.Reader
	io.ReaderAt
	io.Seeker
}

// A fact is an error that is a constant string.
type fact string

func (f fact) Error() string { return string(f) }

// errNotRegular is the error for a file that was regular when it was found, and is not any more.
const errNotRegular = fact("is no longer a file")

// A file may become shorter while it is read: a log that is rotated, a copy that is made
// again. Then a Read returns io.EOF although the file had more, and the rest is lost. So
// when a file ends before the size that it had when it was opened, the system is asked for its size
// again. If the size has not changed, it was wrong from the start: the sizes of files in /proc and
// /sys are meaningless.

// errShortened is the error with which reading such a file ends.
var errShortened = fmt.Errorf("the file has become shorter while it was read: %w", io.ErrUnexpectedEOF)

// EndOf returns the error for a Read that finds the end of a file: io.EOF, or an error if the file
// has become shorter. at is the offset of this end, size the size of the file when it was opened;
// now returns its current size.
func EndOf(at, size int64, now func() (int64, error)) error {
	if at >= size {
		return io.EOF
	}
	if n, err := now(); err != nil || n >= size {
		return io.EOF
	}
	return errShortened
}

// DiskBlock is a size in bytes that divides the block size of every disk.
const DiskBlock = 512
