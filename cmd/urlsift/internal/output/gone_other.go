//go:build !unix

package output

import "os"

// ReaderGone returns false. On this system only a write shows that the reader has gone.
func ReaderGone(*os.File) bool { return false }
