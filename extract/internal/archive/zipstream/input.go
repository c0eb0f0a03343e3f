package zipstream

import (
	"bufio"
	"fmt"
	"io"
)

const bufferSize = 64 << 10 // also the size of the longest header

// An input is what an archive is read from. It knows the offset, and keeps the error of the
// reader below.
type input struct {
	src counter
	buf *bufio.Reader // of src
}

// A counter counts what is read through it, and keeps the error.
type counter struct {
	in  io.Reader
	n   int64
	err error // not io.EOF
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.n += int64(n)
	if err != nil && err != io.EOF {
		c.err = err
	}
	return n, err
}

// reset begins an archive, which is read from in.
func (in *input) reset(from io.Reader) {
	in.src = counter{in: from}
	if in.buf == nil {
		in.buf = bufio.NewReaderSize(nil, bufferSize)
	}
	in.buf.Reset(&in.src)
}

// offset returns the offset of what is read next.
func (in *input) offset() int64 { return in.src.n - int64(in.buf.Buffered()) }

// more waits until n bytes are buffered, or an error occurs, and returns the buffered
// bytes.
func (in *input) more(n int) ([]byte, error) {
	_, err := in.buf.Peek(n)
	b, _ := in.buf.Peek(in.buf.Buffered())
	return b, err
}

// discard skips n bytes. Each iteration skips some of them.
func (in *input) discard(n int64) error {
	for n > 0 {
		k, err := in.buf.Discard(int(min(n, 1<<30)))
		if err != nil {
			return err
		}
		n -= int64(k)
	}
	return nil
}

// damage returns an Error at the current offset. The next record is expected there.
func (in *input) damage(what string, args ...any) *Error {
	return &Error{Offset: in.offset(), What: fmt.Sprintf(what, args...), Mild: true}
}

// lost returns an Error at the current offset, after which the next record is searched.
func (in *input) lost(what string, args ...any) *Error {
	e := in.damage(what, args...)
	e.lost = true
	return e
}

// cut returns the error for err, which ends the archive within an entry.
func cut(err error) error {
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return err
}
