package files

import (
	"io"
	"io/fs"
	"os"
	"runtime"
	"syscall"
	"time"
)

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
