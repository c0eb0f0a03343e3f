//go:build !unix

package output

import "io/fs"

// Inode returns 0: the system has none.
func Inode(fs.FileInfo) (device, inode uint64) { return 0, 0 }
