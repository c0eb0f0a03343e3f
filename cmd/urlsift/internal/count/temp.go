package count

import (
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
