//go:build !unix

package extract

import (
	"io"
	"os"
	"syscall"

	"github.com/urlsift/urlsift/extract/internal/schedule"
)

// statRegular returns the size of the file at path, of which links are not followed,
// and whether it is a regular one.
func statRegular(path string) (size int64, regular bool, err error) {
	info, err := os.Lstat(path)
	if err != nil {
		return 0, false, err
	}
	return info.Size(), info.Mode().IsRegular(), nil
}

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

// A shelf is always empty: each file is opened when its turn has come.
type shelf struct{}

func (*shelf) load([]Source, int, *schedule.Interrupt)     {}
func (*shelf) take() (r io.ReadCloser, err error, ok bool) { return nil, nil, false }
func (*shelf) clear()                                      {}
func (*shelf) rest()                                       {}
