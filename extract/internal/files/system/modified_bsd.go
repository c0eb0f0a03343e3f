//go:build darwin || freebsd || netbsd

package system

import "syscall"

// modified returns when the file of info was changed last.
func modified(info *syscall.Stat_t) int64 { return info.Mtimespec.Nano() }
