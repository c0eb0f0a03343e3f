//go:build !linux

package output

import (
	"io"
	"os"
)

// Whole returns a writer to f. Only on Linux does it avoid writing a part of a record.
func Whole(f *os.File, _ Ends) io.Writer { return Patient{f} }
