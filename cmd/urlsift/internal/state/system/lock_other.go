//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package system

import "os"

// TryLock does not lock f: bbolt alone does.
func TryLock(*os.File, bool) (locked bool, err error) { return true, nil }
