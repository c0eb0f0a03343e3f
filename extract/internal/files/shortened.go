package files

import (
	"io"
	"os"

	"github.com/urlsift/urlsift/extract/internal/files/system"
)

// endOfFile is [system.EndOf] for f.
func endOfFile(f *os.File, at, size int64) error {
	return system.EndOf(at, size, func() (int64, error) {
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

// ending returns the error of [system.EndOf] for the end of r, which had size bytes when it was
// opened. It returns io.EOF for a small file, whose Read has called EndOf already.
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
