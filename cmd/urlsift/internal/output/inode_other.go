//go:build !unix

package output

import "io/fs"

// Inode returns 0, because the system has no inodes.
func Inode(fs.FileInfo) (device, inode uint64) { return 0, 0 }
