//go:build unix

package extract

import (
	"io"

	"github.com/urlsift/urlsift/extract/internal/files"
)

// SmallFile returns a small file with that descriptor.
func SmallFile(fd int) io.ReadCloser { return files.FromDescriptor(fd, "small", 0) }
