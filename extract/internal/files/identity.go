package files

import (
	"io"
	"os"
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

// Identify returns the regular file that r is, nothing of which was read, and its ID. The
// ID is older than what is read: if the file changes meanwhile, its ID is another one
// later.
func Identify(r io.Reader) (f Seekable, id ID, ok bool) {
	switch f := r.(type) {
	case *prefetched:
		return f, f.id, f.id != ID{}
	case *os.File:
		info, err := f.Stat()
		if err != nil || !info.Mode().IsRegular() {
			return nil, id, false
		}
		if at, err := f.Seek(0, io.SeekCurrent); err != nil || at != 0 {
			return nil, id, false
		}
		return f, idOfInfo(info), true
	}
	return identifySmall(r)
}

// IDOf returns the ID of the regular file at path; links are followed.
func IDOf(path string) (id ID, ok bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return id, false
	}
	return idOfInfo(info), true
}
