package output

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// A Patient is a standard stream. Its descriptor is shared with other programs, and one of
// those may have made it such that reading and writing do not wait: then EAGAIN says that
// nothing can be read, or written, for now. A Patient waits, and goes on.
type Patient struct{ *os.File }

// Read reads once, and waits until it can.
func (f Patient) Read(p []byte) (n int, err error) {
	for { // a turn for each wait
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

// Write writes all of p, or what there is before an error. Each turn of its loop writes
// some, or waits.
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

// wait waits until f can be read, or written. It takes a millisecond at least: some files
// say that they can, and cannot.
func (f Patient) wait(read bool) {
	began := time.Now()
	if c, err := f.SyscallConn(); err == nil {
		_ = c.Control(func(fd uintptr) { poll(fd, read) })
	}
	time.Sleep(time.Millisecond - time.Since(began))
}
