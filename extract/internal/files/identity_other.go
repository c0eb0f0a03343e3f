//go:build !unix

package files

import (
	"io"
	"io/fs"
)

// idOfInfo returns the ID of the file of info. It has no inode: such a file is known by
// what is in it.
func idOfInfo(info fs.FileInfo) ID {
	return ID{Size: info.Size(), Modified: info.ModTime().UnixNano()}
}

// identifySmall returns false: there are no small files.
func identifySmall(io.Reader) (Seekable, ID, bool) { return nil, ID{}, false }
