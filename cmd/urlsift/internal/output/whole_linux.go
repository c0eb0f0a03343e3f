package output

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// pipeBuf is how many bytes a pipe takes as a whole or not at all: pipe(7).
const pipeBuf = 4096

// Whole returns a writer to f, which is given whole records, each of which ends as ends
// says. If f is a pipe whose reader is slow, a write is never left within a record, so that
// the command may be ended at any time. A record longer than pipeBuf is the exception, and
// so is a pipe to which other programs write, too.
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

// Write writes all of p, or what there is before an error. Each iteration writes a record
// at least, and waits in front of it if it does not fit.
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

// room returns how many bytes the pipe takes without waiting in the middle of them. An
// empty one takes as much as it holds; of another one only its bytes are known, and not
// in how many pages they lie.
func (w wholePipe) room() (most int) {
	most = pipeBuf
	c, err := w.f.SyscallConn()
	if err != nil {
		return most
	}
	_ = c.Control(func(fd uintptr) {
		// TIOCINQ is what ioctl(2) calls FIONREAD, too.
		if n, err := unix.IoctlGetInt(int(fd), unix.TIOCINQ); err != nil || n > 0 {
			return
		}
		if n, err := unix.FcntlInt(fd, unix.F_GETPIPE_SZ, 0); err == nil {
			most = max(most, n)
		}
	})
	return most
}
