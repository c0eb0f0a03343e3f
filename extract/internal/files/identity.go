package files

import (
	"io"
	"os"

	"github.com/urlsift/urlsift/extract/internal/files/system"
)

// An ID identifies an open file and its state: a later ID differs if the file has changed.
type ID = system.ID

// A Seekable is an open regular file.
type Seekable = system.Seekable

// Identify returns r and its ID if r is a regular file of which nothing was read; otherwise ok is
// false. The ID is determined before reading: if the file changes meanwhile, a later ID differs.
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
		return f, system.IDOf(info), true
	}
	return system.Identify(r)
}
