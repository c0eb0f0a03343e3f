//go:build unix

package extract

import (
	"io"

	"github.com/urlsift/urlsift/extract/internal/files/system"
)

// SmallFile returns a small file with that descriptor.
func SmallFile(fd int) io.ReadCloser { return system.FromDescriptor(fd, "small", 0) }
