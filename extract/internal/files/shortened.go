package files

import (
	"fmt"
	"io"
	"os"
)

// A file may become shorter while it is read: a log that is rotated, a copy that is made
// again. Then a Read returns io.EOF although the file had more, and the rest is lost. So
// when a file ends before the size that it had when it was opened, the system is asked for its size
// again. If the size has not changed, it was wrong from the start: the sizes of files in /proc and
// /sys are meaningless.

// errShortened is the error with which reading such a file ends.
var errShortened = fmt.Errorf("the file has become shorter while it was read: %w", io.ErrUnexpectedEOF)

// endOf returns the error for an end at the offset at of a file that had size bytes: io.EOF
// or errShortened. now returns the size that the file has.
func endOf(at, size int64, now func() (int64, error)) error {
	if at >= size {
		return io.EOF
	}
	if n, err := now(); err != nil || n >= size {
		return io.EOF
	}
	return errShortened
}

// endOfFile is endOf for f.
func endOfFile(f *os.File, at, size int64) error {
	return endOf(at, size, func() (int64, error) {
		info, err := f.Stat()
		if err != nil {
			return 0, err
		}
		return info.Size(), nil
	})
}

// openedSize returns the size that r has now if it is a regular file, else 0.
func openedSize(r io.Reader) int64 {
	if f := fileOf(r); f != nil {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return info.Size()
		}
	}
	return 0
}

// ending returns the error for the end of r, which had size bytes when it was opened:
// io.EOF or errShortened. A small file reports errShortened itself.
func ending(r io.Reader, size int64) error {
	f := fileOf(r)
	if f == nil || size == 0 {
		return io.EOF
	}
	at, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return io.EOF
	}
	return endOfFile(f, at, size)
}

// fileOf returns r as a file, or nil.
func fileOf(r io.Reader) *os.File {
	switch f := r.(type) {
	case *os.File:
		return f
	case leftOpen:
		return f.File
	}
	return nil
}
