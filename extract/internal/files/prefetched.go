package files

import (
	"bytes"
	"io"
	"io/fs"

	"github.com/urlsift/urlsift/extract/internal/files/system"
)

// A prefetched is a file that a Prefetcher has opened: its content, its descriptor, or the error.
type prefetched struct {
	path string
	data []byte // the content, if fd is -1
	at   int    // where the next Read begins in data
	fd   int
	size int64
	id   system.ID // set if the Prefetcher identifies files
	err  error

	// unchecked says that the file was opened and is a regular file, but that its size
	// is not known yet.
	unchecked bool
}

// Read reads like a file. It returns io.EOF together with the last bytes.
func (f *prefetched) Read(p []byte) (int, error) {
	n := copy(p, f.data[f.at:])
	if f.at += n; f.at == len(f.data) && (n < len(p) || n == 0) {
		return n, io.EOF
	}
	return n, nil
}

// ReadAt reads from the offset at on.
func (f *prefetched) ReadAt(p []byte, at int64) (int, error) {
	return bytes.NewReader(f.data).ReadAt(p, at)
}

// Seek sets where the next Read begins. It supports only io.SeekStart.
func (f *prefetched) Seek(at int64, _ int) (int64, error) {
	f.at = int(min(at, int64(len(f.data))))
	return at, nil
}

// Close drops what was read.
func (f *prefetched) Close() error {
	if f.data == nil {
		return fs.ErrClosed
	}
	f.data, f.at = nil, 0
	return nil
}
