//go:build !linux

package system

import "os"

// TempFile returns a temporary file.
func TempFile(string) (f *os.File, remove func(), err error) { return createTemp() }
