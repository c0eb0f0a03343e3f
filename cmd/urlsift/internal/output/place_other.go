//go:build !linux

package output

import (
	"errors"
	"io/fs"
	"os"
)

// unnamed returns nil. Only on Linux can a file get its name later.
func unnamed(string, fs.FileMode) *os.File { return nil }

// giveName returns an error. No file needs it.
func giveName(*os.File, string) error { return errors.ErrUnsupported }
