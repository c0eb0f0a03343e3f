package count

import (
	"fmt"
	"io"
	"os"
)

// A file is a temporary file. Close frees it.
type file interface {
	io.ReaderAt
	io.WriterAt
	Truncate(size int64) error
	Close() error
}

// An Error says that a temporary file could not be used. The sums are lost.
type Error struct {
	Op  string // what failed: "create", "write" or "read"
	Dir string // the folder of the file
	Err error
}

// Error returns a message like "temporary file in /tmp: write: no space left on device".
func (e *Error) Error() string {
	return fmt.Sprintf("temporary file in %s: %s: %v", e.Dir, e.Op, e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// createNamed creates a file and removes its name. On systems that cannot remove an open file,
// Close removes it.
func createNamed(dir string) (file, error) {
	f, err := os.CreateTemp(dir, "urlsift-*.tmp")
	if err != nil {
		return nil, err
	}
	if os.Remove(f.Name()) != nil {
		return named{f}, nil
	}
	return f, nil
}

// A named file is removed when it is closed.
type named struct{ *os.File }

// Close closes and removes the file.
func (f named) Close() error {
	err := f.File.Close()
	_ = os.Remove(f.Name())
	return err
}
