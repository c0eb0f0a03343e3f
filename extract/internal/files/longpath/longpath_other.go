//go:build !linux

package longpath

import "io/fs"

// longStat returns err: this system does not accept such a path.
func longStat(_ string, _ bool, err error) (fs.FileInfo, error) { return nil, err }

// longNames returns err, too.
func longNames(_ string, err error) ([]string, error) { return nil, err }
