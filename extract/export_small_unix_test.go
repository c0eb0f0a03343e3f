//go:build unix

package extract

import "io"

// SmallFile returns a small file with that descriptor.
func SmallFile(fd int) io.ReadCloser { return &smallFile{path: "small", fd: fd} }
