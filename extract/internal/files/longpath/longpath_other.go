//go:build !linux

package longpath

import "io/fs"

// longStat returns err: this system does not accept such a path.
func longStat(_ string, _ bool, err error) (fs.FileInfo, error) { return nil, err }

// longReadDir returns err, too.
func longReadDir(_ string, err error) ([]fs.DirEntry, error) { return nil, err }
