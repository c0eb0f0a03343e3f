//go:build !unix

package output

import (
	"io/fs"
	"os"
)

// Inode returns 0, because the system has no inodes.
func Inode(fs.FileInfo) (device, inode uint64) { return 0, 0 }

// keepGroup returns true, because files have no groups here.
func keepGroup(*os.File, fs.FileInfo) bool { return true }
