package refs

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
)

// LongestLine is the length in bytes of the longest line of standard input. It also
// bounds the memory for reading lines.
const LongestLine = 8 << 20

// errLongLine replaces a reference on a longer line.
var errLongLine = fmt.Errorf("a line of more than %d bytes", LongestLine)

// references yields texts or, if there are none, the references on the lines of the Reader in. wait
// is called before a Read that may block.
//
// An error is yielded in place of a reference: errLongLine, after which more follow, or the error
// of the Reader, after which nothing follows.
func references(texts []string, in io.Reader, wait func()) iter.Seq2[reference, error] {
	return func(yield func(reference, error) bool) {
		for _, text := range texts {
			if !yield(reference{text: text}, nil) {
				return
			}
		}
		if len(texts) > 0 {
			return
		}
		lines := bufio.NewReaderSize(in, output.BufferSize)
		var buf []byte
		for number := int64(1); ; number++ {
			if lines.Buffered() == 0 {
				wait()
			}
			line, err := readLine(lines, buf[:0])
			if err == io.EOF {
				return
			}
			if !yield(reference{string(line), number}, err) || err != nil && err != errLongLine {
				return
			}
			if buf = line; cap(buf) > output.BufferSize {
				buf = nil // most lines are short
			}
		}
	}
}

// A reference is a text to answer for, and the number of its line, or 0.
type reference struct {
	text string
	line int64
}

// messagePrefix returns the beginning of messages about r.
func (r reference) messagePrefix() string {
	if r.line == 0 {
		return ""
	}
	return fmt.Sprintf("-:%d: ", r.line)
}

// readLine appends the next line of in to buf, without its line end; at the end of the
// text a line needs none. A line that is too long is skipped, and errLongLine returned.
// The error is io.EOF if there is no further line.
func readLine(in *bufio.Reader, buf []byte) ([]byte, error) {
	const room = LongestLine + len("\r\n")
	read, long := false, false
	for { // at most output.BufferSize bytes in each iteration
		piece, err := in.ReadSlice('\n')
		read = read || len(piece) > 0
		if long = long || len(buf)+len(piece) > room; !long {
			buf = append(buf, piece...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil && (err != io.EOF || !read) {
			return nil, err
		}
		if line, ended := bytes.CutSuffix(buf, []byte("\n")); ended {
			buf = bytes.TrimSuffix(line, []byte("\r"))
		}
		if long || len(buf) > LongestLine {
			return nil, errLongLine
		}
		return buf, nil
	}
}
