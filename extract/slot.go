package extract

import (
	"io"
	"io/fs"
)

// A slot has a file that was opened: all that is in it, or its descriptor, or why it has
// neither.
type slot struct {
	path string
	data []byte // if fd is -1
	at   int    // in data
	fd   int
	sure bool // it was opened by a surety, and size is not known yet
	size int64
	err  error
}

// Read is that of a file, which tells the end with the last bytes.
func (t *slot) Read(p []byte) (int, error) {
	n := copy(p, t.data[t.at:])
	if t.at += n; t.at == len(t.data) && (n < len(p) || n == 0) {
		return n, io.EOF
	}
	return n, nil
}

// Close lets go of what was read.
func (t *slot) Close() error {
	if t.data == nil {
		return fs.ErrClosed
	}
	t.data = nil
	t.at = 0
	return nil
}
