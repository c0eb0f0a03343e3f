package extract

import (
	"runtime"
	"syscall"
	"unsafe"

	"github.com/urlsift/urlsift/extract/internal/paths"
)

// mayTry is whether system calls that are not in all versions of Linux are tried. Android
// ends a program that makes one which it does not know.
const mayTry = runtime.GOOS != "android"

// openFolder returns a descriptor of the directory at path, or -1.
func openFolder(path string) (fd int) {
	err := uninterrupted(func() (err error) {
		fd, err = paths.Open(path, syscall.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NONBLOCK)
		return err
	})
	if err != nil {
		return -1
	}
	return fd
}

// openFile opens what is at path, of which the last element begins at base, from the
// directory with the descriptor dir; from where the path begins if that is -1.
func openFile(dir int, path string, base, flags int) (fd int, err error) {
	if dir >= 0 {
		return syscall.Openat(dir, path[base:], flags, 0)
	}
	return paths.Open(path, flags)
}

// A surety opens files of one directory such that they need not be asked what they are:
// what is listed there, on the same file system, which keeps files on a disk or in memory;
// not what a link leads to, or is mounted there. One Read of such a file ends where it was
// to, at the end of the file, or before a block that cannot be read. Something that has
// come in the place of the file since it was listed is no better known: a FIFO or a
// directory cannot be read so, a device that never ends does not stop short.
type surety struct {
	ok   bool                                  // there are such files
	how  struct{ flags, mode, resolve uint64 } // as openat2(2) wants it
	name [256]byte                             // with a NUL
}

// sureBlock divides the sizes of all blocks of disks.
const sureBlock = 512

// begin looks at the directory with the descriptor dir, or -1.
func (s *surety) begin(dir int) {
	const noXdev, noSymlinks = 1, 4
	var info syscall.Statfs_t
	s.ok = mayTry && dir >= 0 && syscall.Fstatfs(dir, &info) == nil && keepsFiles(uint32(info.Type))
	s.how.flags, s.how.resolve = openFlags|syscall.O_LARGEFILE, noXdev|noSymlinks
}

// keepsFiles reports whether a file system of that type keeps files as they were written.
func keepsFiles(magic uint32) bool {
	switch magic {
	case 0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x2fc12fc1, 0x01021994, 0x794c7630: // ext2 to 4, XFS, Btrfs, F2FS, ZFS, tmpfs, overlayfs
		return true
	}
	return false
}

// open opens the file of that name in the directory. It returns -1 if that is no such file,
// or does not open, and then tries no other there.
func (s *surety) open(dir int, name string) int {
	const sysOpenat2 = 437 // on all architectures but mips, since Linux 5.6
	if !s.ok || len(name) >= len(s.name) {
		return -1
	}
	s.name[copy(s.name[:], name)] = 0
	fd, _, errno := syscall.Syscall6(sysOpenat2, uintptr(dir), uintptr(unsafe.Pointer(&s.name)), uintptr(unsafe.Pointer(&s.how)), unsafe.Sizeof(s.how), 0, 0)
	if errno != 0 {
		s.ok = false
		return -1
	}
	return int(fd)
}

// closeRange closes the descriptors from first to last.
func closeRange(first, last int) {
	const sysCloseRange = 436 // on all architectures but mips, since Linux 5.9
	if first < last && mayTry {
		if _, _, errno := syscall.Syscall(sysCloseRange, uintptr(first), uintptr(last), 0); errno == 0 {
			return
		}
	}
	for fd := first; fd <= last; fd++ {
		_ = syscall.Close(fd)
	}
}
