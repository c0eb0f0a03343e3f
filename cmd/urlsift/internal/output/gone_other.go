//go:build !unix

package output

import "os"

// ReaderGone returns false. Here only the next write finds out that the reader is gone.
func ReaderGone(*os.File) bool { return false }
