package extract

import (
	"fmt"
	"io"
	"os"
)

// A file may become shorter while it is read: a log that is rotated, a copy that is made
// anew. Then a Read says that it ends where it does not, and what stood behind is lost. So
// at an end that comes before the size which the file had when it was opened, it is asked
// for its size again. If that has not changed, the file never had as much: those of /proc
// and /sys give sizes that mean nothing.

// errShortened is what reading such a file ends with.
var errShortened = fmt.Errorf("the file has become shorter while it was read: %w", io.ErrUnexpectedEOF)

// endOf returns the error for an end at the offset at of a file that had size bytes: io.EOF,
// or errShortened. now returns its size.
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

// openedSize returns the size of r now if that is a regular file; else 0.
func openedSize(r io.Reader) int64 {
	switch f := r.(type) {
	case *os.File:
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return info.Size()
		}
	case leftOpen:
		return openedSize(f.File)
	}
	return 0
}

// ending returns what ends the Reads of r, which had size bytes: io.EOF or errShortened.
func ending(r io.Reader, size int64) error {
	f, ok := r.(*os.File)
	if in, left := r.(leftOpen); left {
		f, ok = in.File, true
	}
	if !ok || size == 0 {
		return io.EOF
	}
	at, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return io.EOF
	}
	return endOfFile(f, at, size)
}
