package output

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// A Patient is a standard stream. Other programs share its descriptor, and one of them
// may have made it non-blocking. Then reads and writes may fail with EAGAIN. A Patient
// waits and continues.
type Patient struct{ *os.File }

// Read reads once, and waits until it can.
func (f Patient) Read(p []byte) (n int, err error) {
	for {
		n, err = f.File.Read(p)
		if !errors.Is(err, syscall.EAGAIN) {
			return n, err
		}
		if n > 0 {
			return n, nil
		}
		f.wait(true)
	}
}

// Write writes all of p, or as much as possible before an error.
func (f Patient) Write(p []byte) (n int, err error) {
	for {
		k, err := f.File.Write(p[n:])
		n += k
		if !errors.Is(err, syscall.EAGAIN) {
			return n, err
		}
		f.wait(false)
	}
}

// WriteString is Write of a string.
func (f Patient) WriteString(s string) (n int, err error) { return f.Write([]byte(s)) }

// wait waits until f can be read, or until it can be written if read is false. It takes at
// least a millisecond, since some files are reported as ready but are not.
func (f Patient) wait(read bool) {
	began := time.Now()
	if c, err := f.SyscallConn(); err == nil {
		_ = c.Control(func(fd uintptr) { poll(fd, read) })
	}
	time.Sleep(time.Millisecond - time.Since(began))
}
