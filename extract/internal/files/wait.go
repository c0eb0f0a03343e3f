package files

import (
	"errors"
	"io"
	"os"
	"syscall"
	"time"

	"github.com/urlsift/urlsift/extract/internal/files/system"
)

// A descriptor may be non-blocking: standard input whose flags were changed by another program that
// shares it, or a special file that was opened without waiting. Then EAGAIN means that there is no
// input yet.

// waitSlice is how long a Reader waits before it checks again whether to stop.
const waitSlice = 20 * time.Millisecond

// readWaiting reads from r. If r has no input yet it waits, until stopped returns true. Each
// iteration waits for at most waitSlice.
func readWaiting(r io.Reader, p []byte, stopped func() bool) (n int, err error) {
	for {
		n, err = r.Read(p)
		if err == nil || !errors.Is(err, syscall.EAGAIN) {
			return n, err
		}
		fd, ok := descriptorOf(r)
		if !ok || stopped() {
			return n, err
		}
		if n > 0 {
			return n, nil
		}
		system.WaitReadable(fd, waitSlice)
	}
}

// descriptorOf returns the descriptor of r if r is a file that this package knows.
func descriptorOf(r io.Reader) (fd int, ok bool) {
	if f := fileOf(r); f != nil {
		return rawDescriptor(f)
	}
	if shared, ok := r.(sharedStdin); ok {
		return rawDescriptor(shared.f)
	}
	fd, _, ok = system.Opened(r)
	return fd, ok
}

// rawDescriptor returns the descriptor of f, and does not change its flags.
func rawDescriptor(f *os.File) (fd int, ok bool) {
	c, err := f.SyscallConn()
	if err == nil {
		err = c.Control(func(u uintptr) { fd = int(u) })
	}
	return fd, err == nil
}
