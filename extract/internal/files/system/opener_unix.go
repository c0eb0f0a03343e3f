//go:build unix && !linux

package system

import "syscall"

// openDirectory returns -1: package syscall cannot open a file from a directory here.
func openDirectory(string) int { return -1 }

// openAt opens what is at path.
func openAt(_ int, path string, _, flags int) (fd int, err error) {
	return syscall.Open(path, flags, 0)
}

// A regularOpener opens nothing on this system: each file needs an fstat.
type regularOpener struct{ ok bool }

func (*regularOpener) begin(int)            {}
func (*regularOpener) open(int, string) int { return -1 }

// CloseRange closes the descriptors from first to last.
func CloseRange(first, last int) {
	for fd := first; fd <= last; fd++ {
		_ = syscall.Close(fd)
	}
}

// GrowPipe does nothing: package unix cannot ask here.
func GrowPipe(int, int) {}
