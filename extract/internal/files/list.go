package files

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"os"

	"github.com/urlsift/urlsift/extract/internal/damage"
)

// longestPath is the length in bytes of the longest path that a list may have.
const longestPath = 64 << 10

// quotedPath is how many bytes of a too long path an error quotes.
const quotedPath = 64

const (
	errLongPath = damage.Fact("a path of more than 64 KiB in the list")
	errListed   = damage.Fact("standard input is the list, and cannot be in it")
)

// ReadPaths yields the paths in the file called list, or in standard input if list is "-". Each
// path is followed by end. ReadPaths skips empty paths, and holds one path at a time. The
// sequence ends with the list, with an error of its Read, and with ctx. Its errors are
// [*Error].
func ReadPaths(ctx context.Context, list string, end byte) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		r, err := openList(list)
		if err != nil {
			yield(list, &Error{Stage: damage.StageOpen, Path: list, Err: cause(err)})
			return
		}
		defer r.Close()
		if wake := Waker(r); wake != nil {
			defer context.AfterFunc(ctx, wake)()
		}
		in := Reader{Stopped: func() bool { return ctx.Err() != nil }}
		in.Reset(r)
		paths := pathReader{in: bufio.NewReaderSize(&in, longestPath), terminator: end}
		for ctx.Err() == nil {
			path, long, err := paths.next()
			var failure error
			switch {
			case err != nil && err != io.EOF:
				path = "" // the part of the path that was read
			case long:
				failure = &Error{Stage: damage.StageOpen, Path: path + "...", Err: errLongPath}
			case path == "-" && list == "-":
				failure = &Error{Stage: damage.StageOpen, Path: path, Err: errListed}
			}
			if path != "" && ctx.Err() == nil && !yield(path, failure) {
				return
			}
			if err != nil && err != io.EOF && ctx.Err() == nil {
				yield(list, &Error{Stage: damage.StageRead, Path: list, Err: cause(err)})
			}
			if err != nil {
				return
			}
		}
	}
}

// openList opens the list at path. An open of a FIFO waits for a writer.
func openList(path string) (io.ReadCloser, error) {
	if path == "-" {
		return openStdin()
	}
	return os.Open(path)
}

// cause returns the cause in err, without the path, for a message that already has the path.
func cause(err error) error {
	var at *os.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// A pathReader reads a list of paths.
type pathReader struct {
	in         *bufio.Reader
	terminator byte
}

// next returns the next path, which may be empty. If a path is too long, next returns its
// beginning. An error comes with the last path, or after it.
func (p *pathReader) next() (path string, long bool, err error) {
	text, err := p.in.ReadSlice(p.terminator)
	if long = err == bufio.ErrBufferFull; long {
		path = string(text[:quotedPath])
		for err == bufio.ErrBufferFull {
			_, err = p.in.ReadSlice(p.terminator)
		}
		return path, true, err
	}
	if text = bytes.TrimSuffix(text, []byte{p.terminator}); p.terminator == '\n' {
		text = bytes.TrimSuffix(text, []byte{'\r'})
	}
	return string(text), false, err
}
