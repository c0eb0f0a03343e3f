package output

import (
	"io"
	"io/fs"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// unnamed returns a new file on the file system of dir that has no name, so that nothing remains of
// it if the process is killed. It returns nil if the file system does not support that.
func unnamed(dir string, mode fs.FileMode) *os.File {
	fd, err := unix.Open(dir, unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, uint32(mode))
	if err != nil {
		return nil
	}
	return os.NewFile(uintptr(fd), dir)
}

// giveName gives a name to a file that has none.
func giveName(f *os.File, name string) error {
	return unix.Linkat(unix.AT_FDCWD, "/proc/self/fd/"+strconv.Itoa(int(f.Fd())), unix.AT_FDCWD, name, unix.AT_SYMLINK_FOLLOW)
}

// pipeBuf is how many bytes a pipe accepts completely or not at all: pipe(7).
const pipeBuf = 4096

// Whole returns a writer to f that gets complete records. The parameter ends says how a record
// ends. If f is a pipe whose reader is slow, a write never stops within a record, so that the
// command may be ended at any time. There are two exceptions: a record longer than pipeBuf, and a
// pipe to which other programs write too.
func Whole(f *os.File, ends Ends) io.Writer {
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		return Patient{f}
	}
	return wholePipe{Patient{f}, ends}
}

// A wholePipe writes to a pipe.
type wholePipe struct {
	f    Patient
	ends Ends
}

// Write writes all of p, or as much as possible before an error.
func (w wholePipe) Write(p []byte) (n int, err error) {
	for n < len(p) {
		k, err := w.f.Write(p[n:][:w.ends.whole(p[n:], w.room())])
		n += k
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// room returns how many bytes the pipe accepts without blocking. An empty pipe accepts
// its whole capacity. For a pipe that is not empty, the number of its bytes is known, but
// not the number of pages they use.
func (w wholePipe) room() (most int) {
	most = pipeBuf
	c, err := w.f.SyscallConn()
	if err != nil {
		return most
	}
	_ = c.Control(func(fd uintptr) {
		// TIOCINQ is the other name of FIONREAD of ioctl(2).
		if n, err := unix.IoctlGetInt(int(fd), unix.TIOCINQ); err != nil || n > 0 {
			return
		}
		if n, err := unix.FcntlInt(fd, unix.F_GETPIPE_SZ, 0); err == nil {
			most = max(most, n)
		}
	})
	return most
}
