package extract

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"runtime"
	"syscall"
	"time"
)

// file returns the source at path, which is no directory.
func file(path string, info fs.FileInfo) Source {
	s := Source{Name: path, Size: -1, Open: func() (io.ReadCloser, error) { return os.Open(path) }}
	if info.Mode().IsRegular() {
		return regularFile(path, info.Size())
	}
	if info.Mode()&fs.ModeNamedPipe != 0 {
		s.wake = func() { wakeFIFO(path) }
	}
	return s
}

// sizeOf returns the size of the file that r is, and that was just opened; -1 if it
// does not tell.
func sizeOf(r io.ReadCloser) int64 {
	switch r := r.(type) {
	case *slot:
		return r.size
	case interface{ stored() int64 }: // a small file
		return r.stored()
	case *os.File:
		if info, err := r.Stat(); err == nil {
			return info.Size()
		}
	}
	return -1
}

// unopened is told why a file could not be opened that a walk found, and did not ask
// for. It returns its size, -1 if that is not known, and what is to be told; nil of one
// that has gone since its directory was read.
func unopened(err error) (size int64, tell error) {
	var at *fs.PathError
	if !errors.As(err, &at) {
		return -1, err
	}
	size, _, hidden := statRegular(at.Path)
	switch {
	case hidden == nil:
		return size, err
	case errors.Is(hidden, fs.ErrNotExist):
		return -1, nil
	}
	return -1, &Error{Origin: Origin{Source: at.Path}, Stage: "walk", Err: hidden}
}

// regularFile returns the source at path, which is a file of that size, -1 for one
// that is not known before it is opened.
func regularFile(path string, size int64) Source {
	return Source{Name: path, Size: size, file: true, Open: func() (io.ReadCloser, error) { return openRegular(path) }}
}

// wakeFIFO makes an open of the FIFO at path return that waits for a writer, by
// being one for a moment. Where nobody waits, the open fails, and all is well.
func wakeFIFO(path string) {
	if f, err := os.OpenFile(path, os.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil {
		_ = f.Close()
	}
}

// stdinSize returns the size of standard input if that is a file.
func stdinSize() int64 {
	if info, err := os.Stdin.Stat(); err == nil && info.Mode().IsRegular() {
		return info.Size()
	}
	return -1
}

// openStdin returns standard input. A Read of [os.Stdin] that waits cannot be
// ended, so a pipe or terminal is opened anew where that makes a file of its own,
// which is on Linux: the Reads of that file have a deadline, and the flags of the
// one that is shared with other programs stay. Closing what it
// returns leaves os.Stdin open.
func openStdin() (io.ReadCloser, error) {
	info, err := os.Stdin.Stat()
	if err != nil {
		return nil, err
	}
	if runtime.GOOS == "linux" && info.Mode()&(fs.ModeNamedPipe|fs.ModeCharDevice) != 0 {
		if f, err := os.OpenFile("/dev/stdin", os.O_RDONLY|syscall.O_NONBLOCK, 0); err == nil {
			if again, err := f.Stat(); err == nil && os.SameFile(info, again) && f.SetReadDeadline(time.Time{}) == nil {
				return f, nil
			}
			_ = f.Close()
		}
	}
	if info.Mode().IsRegular() {
		return leftOpen{os.Stdin}, nil
	}
	return sharedStdin{os.Stdin}, nil
}

// A sharedStdin is standard input that cannot be opened anew.
type sharedStdin struct{ f *os.File }

func (s sharedStdin) Read(p []byte) (int, error) { return s.f.Read(p) }

// Close does nothing.
func (sharedStdin) Close() error { return nil }

// descriptor returns that of the file.
func (s sharedStdin) descriptor() int {
	fd, _ := rawDescriptor(s.f)
	return fd
}

// A leftOpen is a file that is not to be closed. That it is a file may be seen: no
// Read of one on a disk waits for long.
type leftOpen struct{ *os.File }

// Close does nothing.
func (leftOpen) Close() error { return nil }

// interrupter returns what ends a Read of r that waits, or nil if nothing does.
// It may be called during the Read and more than once.
func interrupter(r any) func() {
	switch r := r.(type) {
	case *slot:
		return nil
	case interface{ SetReadDeadline(time.Time) error }:
		// A deadline, and not Close: the worker that reads closes. A file
		// that has no deadline returns an error, and needs none.
		return func() {
			var panicked error // of a source that ends: there is nobody to be told
			defer caught(&panicked)
			_ = r.SetReadDeadline(time.Unix(1, 0))
		}
	case *io.PipeReader:
		return func() { _ = r.CloseWithError(io.ErrClosedPipe) }
	}
	return nil
}
