package files

import (
	"errors"
	"io"
	"math"
	"os"
	"syscall"
	"time"

	"github.com/urlsift/urlsift/extract/internal/files/system"
)

// A Reader reads a source from its beginning. It waits if there is no input yet, and reports a file
// that has become shorter. Reset makes it ready.
type Reader struct {
	Stopped func() bool // reports whether to stop waiting

	r    io.Reader
	size int64 // size of r when it was opened, if it is a regular file; otherwise 0
	read int64 // bytes that were read
	end  int64 // see EndAt
}

// Reset makes f read r, of which nothing was read.
func (f *Reader) Reset(r io.Reader) { f.r, f.size, f.read, f.end = r, openedSize(r), 0, math.MaxInt64 }

// EndAt makes the source end at the offset end, which was not passed.
func (f *Reader) EndAt(end int64) { f.end = end }

// Read reads from the source.
func (f *Reader) Read(p []byte) (int, error) {
	if int64(len(p)) > f.end-f.read {
		if p = p[:f.end-f.read]; len(p) == 0 {
			return 0, io.EOF
		}
	}
	n, err := readWaiting(f.r, p, f.Stopped)
	f.read += int64(n)
	if err == io.EOF {
		err = ending(f.r, f.size)
	}
	return n, err
}

// At returns the source, to be read at any offset, if it is a regular file; otherwise nil. Other sources may
// have a method ReadAt, too, but what is found must not depend on that.
func (f *Reader) At() io.ReaderAt {
	_, _, small := system.Opened(f.r)
	_, read := f.r.(*prefetched)
	if small || read || f.size > 0 {
		at, _ := f.r.(io.ReaderAt)
		return at
	}
	return nil
}

// Size returns the size that the source had at Reset if it is a regular file, else 0.
func (f *Reader) Size() int64 { return f.size }

// Regular reports whether the source is a regular file, of which no Read waits for long.
func (f *Reader) Regular() bool {
	file, ok := f.r.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode().IsRegular()
}

// Ready reports whether a Read of the source, which is not at its end, returns without waiting.
func (f *Reader) Ready() bool {
	if f.size > 0 {
		return true
	}
	fd, ok := descriptorOf(f.r)
	return ok && system.Readable(fd)
}

// Pollable reports whether Ready can tell when a Read of r would wait. If r is a pipe, it gets more room.
func Pollable(r io.Reader) bool {
	fd, ok := descriptorOf(r)
	if ok = ok && system.Polls; ok {
		system.GrowPipe(fd, pipeBytes)
	}
	return ok
}

// pipeBytes is how many bytes a pipe is to hold, so that more than one worker has something to do.
const pipeBytes = 1 << 20

// A Section reads a file from an offset on. Several may read one file at the same time.
type Section struct {
	File   *os.File
	Offset int64 // offset of the next byte to read
	Size   int64 // size of the file when it was opened
	End    int64 // offset at which the section ends; 0 for the end of the file

}

// Read reads from the file.
func (s *Section) Read(p []byte) (int, error) {
	if s.End > 0 {
		if p = p[:min(int64(len(p)), s.End-s.Offset)]; len(p) == 0 {
			return 0, io.EOF
		}
	}
	n, err := s.File.ReadAt(p, s.Offset)
	s.Offset += int64(n)
	if err == io.EOF {
		err = endOfFile(s.File, s.Offset, s.Size)
	}
	return n, err
}

// Waker returns a function that ends a Read of r that waits. It returns nil if no Read of r
// waits, or if nothing can end it. The function may be called during the Read, and more than
// once.
func Waker(r any) func() {
	switch r := r.(type) {
	case *prefetched:
		return nil
	case interface{ SetReadDeadline(time.Time) error }:
		// The goroutine that reads closes r, so this sets a deadline and does not close it. A
		// file without deadlines returns an error, and its Reads do not wait.
		return func() {
			defer func() { _ = recover() }() // r may be any type and may panic; nothing needs the error
			_ = r.SetReadDeadline(time.Unix(1, 0))
		}
	case *io.PipeReader:
		return func() { _ = r.CloseWithError(io.ErrClosedPipe) }
	}
	return nil
}

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
