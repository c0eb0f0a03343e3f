// Package system opens, identifies and reads regular files in the way that costs least on
// the system that the program runs on. All that differs among systems is here, so package
// files has no build tags.
//
//	r, err := system.Open(path) // a regular file; an error for a FIFO or a device
//
// A file that another program changes meanwhile is recognised by its [ID], and one that has
// become shorter by the error of [EndOf].
//
// On Unix, small files are read through their descriptors, and a [Directory] opens files by
// their names in it. Elsewhere [os.File] does all of it, and
// [MaxOpen] is 0. The package
// imports only longpath.
package system

import (
	"fmt"
	"io"
)

// An ID says which file is open, and in which state it was then.
type ID struct {
	Device, Inode uint64 // both 0 where the system has none
	Size          int64
	Modified      int64 // in nanoseconds since 1970
}

// A Seekable is an open regular file.
type Seekable interface {
	io.Reader
	io.ReaderAt
	io.Seeker
}

// A fact is an error without parts.
type fact string

func (f fact) Error() string { return string(f) }

// errNotRegular is the error of a file that was a regular one when it was found.
const errNotRegular = fact("is no longer a file")

// A file may become shorter while it is read: a log that is rotated, a copy that is made
// again. Then a Read returns io.EOF although the file had more, and the rest is lost. So
// when a file ends before the size that it had when it was opened, the system is asked for its size
// again. If the size has not changed, it was wrong from the start: the sizes of files in /proc and
// /sys are meaningless.

// errShortened is the error with which reading such a file ends.
var errShortened = fmt.Errorf("the file has become shorter while it was read: %w", io.ErrUnexpectedEOF)

// EndOf returns the error for an end at the offset at of a file that had size bytes: io.EOF,
// or an error if the file has become shorter. now returns the size that the file has.
func EndOf(at, size int64, now func() (int64, error)) error {
	if at >= size {
		return io.EOF
	}
	if n, err := now(); err != nil || n >= size {
		return io.EOF
	}
	return errShortened
}

// DiskBlock divides the sizes of the blocks of all disks.
const DiskBlock = 512
