//go:build unix

package files

import (
	"io"
	"io/fs"
	"syscall"
)

// idOf returns the ID that info says.
func idOf(info *syscall.Stat_t) ID {
	return ID{Device: uint64(info.Dev), Inode: uint64(info.Ino), Size: int64(info.Size), Modified: modified(info)}
}

// idOfInfo is idOf for what package os has asked.
func idOfInfo(info fs.FileInfo) ID {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return idOf(st)
	}
	return ID{Size: info.Size(), Modified: info.ModTime().UnixNano()}
}

// identifySmall is Identify for a small file.
func identifySmall(r io.Reader) (Seekable, ID, bool) {
	f, ok := r.(*smallFile)
	if !ok || f.at != 0 {
		return nil, ID{}, false
	}
	var info syscall.Stat_t
	if err := uninterrupted(func() error { return syscall.Fstat(f.fd, &info) }); err != nil {
		return nil, ID{}, false
	}
	return f, idOf(&info), true
}
