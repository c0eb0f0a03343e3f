package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"runtime"
	"time"

	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/files/system"
)

// A directory is a directory in which files were found.
type directory struct{ path string } // with a separator at its end

// A File is something that a walk has found, or the error why it found nothing at a path. A File
// does not change.
type File struct {
	Path string
	Size int64 // in bytes, -1 if it is not known

	Err  *Error                        // if not nil, there is nothing to open
	Open func() (io.ReadCloser, error) // opens the file; the caller closes it
	Wake func()                        // makes an Open return that waits; may be nil

	Regular    bool // it was a regular file when it was found, so Open does not wait
	More       bool // the walk yields the next file of the same directory at once
	unfinished bool // there may be another group of the directory

	in *directory // the directory of a file that was yielded in a group; otherwise nil
}

// Prefetchable reports whether a [Prefetcher] can open f.
func (f *File) Prefetchable() bool { return f.in != nil }

// InDirectory reports whether other files of the same directory may follow soon.
func (f *File) InDirectory() bool { return f.More || f.unfinished }

// An Error is the reason why a walk found nothing at a path.
type Error struct {
	Stage damage.Stage // StageWalk, or StageOpen for a path that was given by name, or StageRead for a list
	Path  string
	Err   error // the cause
}

// Error returns the path, the stage and the cause.
func (e *Error) Error() string { return e.Path + ": " + string(e.Stage) + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// failed returns the File for an error.
func failed(stage damage.Stage, path string, err error) *File {
	return &File{Path: path, Size: -1, Err: &Error{Stage: stage, Path: path, Err: err}}
}

// failedIgnore returns the File for an ignore file that could not be read because of err. If err
// does not name the file, it is about the directory at path.
func failedIgnore(path string, err error) *File {
	var at *fs.PathError
	if errors.As(err, &at) {
		path, err = at.Path, at.Err
	}
	return failed(damage.StageWalk, path, err)
}

// isGone reports whether err says that the file does not exist.
func isGone(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// newFile returns the file at path, which is not a directory.
func newFile(path string, info fs.FileInfo) *File {
	if info.Mode().IsRegular() {
		return newRegular(path, info.Size())
	}
	f := &File{Path: path, Size: -1, Open: func() (io.ReadCloser, error) { return os.Open(path) }}
	if info.Mode()&fs.ModeNamedPipe != 0 {
		f.Wake = func() { wakeFIFO(path) }
	}
	return f
}

// newRegular returns the regular file at path.
func newRegular(path string, size int64) *File {
	return &File{Path: path, Size: size, Regular: true, Open: func() (io.ReadCloser, error) { return system.Open(path) }}
}

// wakeFIFO ends a waiting open of the FIFO at path: it opens the FIFO for writing and closes it at
// once. If no open waits, this fails, which does no harm.
func wakeFIFO(path string) {
	if f, err := os.OpenFile(path, os.O_WRONLY|system.NonBlock, 0); err == nil {
		_ = f.Close()
	}
}

// SizeOf returns the size that the file r had when it was opened, -1 if r is not a file.
func SizeOf(r io.ReadCloser) int64 {
	switch r := r.(type) {
	case *prefetched:
		return r.size
	case *os.File:
		if info, err := r.Stat(); err == nil {
			return info.Size()
		}
	}
	if _, size, small := system.Opened(r); small {
		return size
	}
	return -1
}

// ModTime returns when the file that r reads was changed last, false if it is no file.
func ModTime(r io.Reader) (time.Time, bool) {
	info, err := fs.FileInfo(nil), fs.ErrInvalid
	switch r := r.(type) {
	case *prefetched:
		info, err = os.Stat(r.path)
	case interface{ Stat() (fs.FileInfo, error) }:
		info, err = r.Stat()
	}
	if err != nil || !info.Mode().IsRegular() {
		return time.Time{}, false
	}
	return info.ModTime(), true
}

// Unopened decides what is reported for a file that could not be opened because of err, and whose
// size the walk did not ask for. Unopened returns the size, or -1 if it is not known, and the
// error to report: err or an [*Error], or nil if the file was removed after its directory was
// listed.
func Unopened(err error) (size int64, report error) {
	var at *fs.PathError
	if !errors.As(err, &at) {
		return -1, err
	}
	size, _, statErr := system.Stat(at.Path)
	switch {
	case statErr == nil:
		return size, err
	case errors.Is(statErr, fs.ErrNotExist):
		return -1, nil
	}
	return -1, &Error{Stage: damage.StageWalk, Path: at.Path, Err: statErr}
}

// An ID identifies an open file and its state: a later ID differs if the file has changed.
type ID = system.ID

// A Seekable is an open regular file.
type Seekable = system.Seekable

// Identify returns r and its ID if r is a regular file of which nothing was read; otherwise ok is
// false. The ID is determined before reading: if the file changes meanwhile, a later ID differs.
func Identify(r io.Reader) (f Seekable, id ID, ok bool) {
	switch f := r.(type) {
	case *prefetched:
		return f, f.id, f.id != ID{}
	case *os.File:
		info, err := f.Stat()
		if err != nil || !info.Mode().IsRegular() {
			return nil, id, false
		}
		if at, err := f.Seek(0, io.SeekCurrent); err != nil || at != 0 {
			return nil, id, false
		}
		return f, system.IDOf(info), true
	}
	return system.Identify(r)
}

// endOfFile is [system.EndOf] for f.
func endOfFile(f *os.File, at, size int64) error {
	return system.EndOf(at, size, func() (int64, error) {
		info, err := f.Stat()
		if err != nil {
			return 0, err
		}
		return info.Size(), nil
	})
}

// openedSize returns the size that r has now if it is a regular file, else 0.
func openedSize(r io.Reader) int64 {
	if f := fileOf(r); f != nil {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return info.Size()
		}
	}
	return 0
}

// ending returns the error of [system.EndOf] for the end of r, which had size bytes when it was
// opened. It returns io.EOF for a small file, whose Read has called EndOf already.
func ending(r io.Reader, size int64) error {
	f := fileOf(r)
	if f == nil || size == 0 {
		return io.EOF
	}
	at, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return io.EOF
	}
	return endOfFile(f, at, size)
}

// fileOf returns r as a file, or nil.
func fileOf(r io.Reader) *os.File {
	switch f := r.(type) {
	case *os.File:
		return f
	case leftOpen:
		return f.File
	}
	return nil
}

// stdinSize returns the size of standard input if that is a regular file, else -1.
func stdinSize() int64 {
	if info, err := os.Stdin.Stat(); err == nil && info.Mode().IsRegular() {
		return info.Size()
	}
	return -1
}

// openStdin returns standard input. A Read of [os.Stdin] that waits cannot be ended. So a pipe or
// terminal is opened again on Linux, which makes a separate open file: Reads of it have a deadline,
// and the flags of the file that is shared with other programs do not change. Closing what
// openStdin returns leaves os.Stdin open.
func openStdin() (io.ReadCloser, error) {
	info, err := os.Stdin.Stat()
	if err != nil {
		return nil, err
	}
	if runtime.GOOS == "linux" && info.Mode()&(fs.ModeNamedPipe|fs.ModeCharDevice) != 0 {
		if f, err := os.OpenFile("/dev/stdin", os.O_RDONLY|system.NonBlock, 0); err == nil {
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

// A sharedStdin is standard input that cannot be opened again. Its methods are only those
// below, so that nothing changes the file.
type sharedStdin struct{ f *os.File }

func (s sharedStdin) Read(p []byte) (int, error) { return s.f.Read(p) }

// Close does nothing.
func (sharedStdin) Close() error { return nil }

// A leftOpen is a regular file that must not be closed. No Read of it waits for long.
type leftOpen struct{ *os.File }

// Close does nothing.
func (leftOpen) Close() error { return nil }
