//go:build !unix

package extract

import (
	"io"
	"os"
	"syscall"
)

// openRegular opens the file at path. What has taken its place since it was met
// may be a device that never ends: that is not read.
func openRegular(path string) (io.ReadCloser, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = plainError("is no longer a file")
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}
