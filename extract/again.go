package extract

import (
	"errors"
	"io"
	"os"
	"syscall"
	"time"

	"github.com/urlsift/urlsift/extract/internal/schedule"
)

// A descriptor may be such that a Read does not wait: standard input whose flags another
// program has changed, which shares it; or a file that the system makes while it is read,
// and that is opened so that nothing waits. EAGAIN says then that there is nothing yet.

// againSlice is how long a worker waits until it looks again whether it is to end.
const againSlice = 20 * time.Millisecond

// readPatiently reads from r, and where that has nothing yet waits, unless stop says so.
// Each turn of its loop waits for a slice at most.
func readPatiently(r io.Reader, p []byte, stop *schedule.Interrupt) (n int, err error) {
	for {
		n, err = r.Read(p)
		if err == nil || !errors.Is(err, syscall.EAGAIN) {
			return n, err
		}
		fd, own := descriptorOf(r)
		if !own || stop.Is() {
			return n, err
		}
		if n > 0 {
			return n, nil
		}
		waitReadable(fd, againSlice)
	}
}

// descriptorOf returns the descriptor of r, if that is a file that was opened here.
func descriptorOf(r io.Reader) (fd int, own bool) {
	switch r := r.(type) {
	case *os.File:
		fd, own = rawDescriptor(r)
	case leftOpen:
		fd, own = rawDescriptor(r.File)
	case interface{ descriptor() int }:
		fd, own = r.descriptor(), true
	}
	return fd, own
}

// rawDescriptor returns the descriptor of f, and leaves its flags alone.
func rawDescriptor(f *os.File) (fd int, ok bool) {
	c, err := f.SyscallConn()
	if err == nil {
		err = c.Control(func(u uintptr) { fd = int(u) })
	}
	return fd, err == nil
}
