//go:build !linux

package state

import "os"

// tempFile returns a temporary file.
func tempFile() (f *os.File, remove func(), err error) { return createTemp() }
