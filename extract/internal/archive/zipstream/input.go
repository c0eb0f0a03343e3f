package zipstream

import (
	"bufio"
	"fmt"
	"io"

	"github.com/urlsift/urlsift/extract/internal/damage"
)

const bufferSize = 64 << 10 // also the size of the longest header

// An input is what an archive is read from. It knows the offset, and keeps the error of the
// reader below.
type input struct {
	src counter
	buf *bufio.Reader // of src

	level  int  // of what src reads
	astray bool // the beginning of the next record is not known
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

// reset begins an archive, which is read from from, at that level.
func (in *input) reset(from io.Reader, level int) {
	in.src, in.level, in.astray = counter{in: from}, level, false
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

// damage returns a Damage at the current offset. The next record is expected there.
func (in *input) damage(what string, args ...any) *damage.Damage {
	return &damage.Damage{Class: damage.Pack, Stage: damage.StageZip, Err: fmt.Errorf(what, args...),
		Level: in.level, Offset: in.offset(), Known: true, Mild: true}
}

// lost returns a Damage at the current offset. Next then searches for the next record.
func (in *input) lost(what string, args ...any) *damage.Damage {
	in.astray = true
	return in.damage(what, args...)
}

// cut returns the error for an archive that err has ended within an entry.
func (in *input) cut(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return damage.Truncated(damage.StageZip, in.level)
	}
	return err
}

// ofEntry makes d, which was found in the data of an entry, damage of the entry's own stream, which
// ends there. The offset of the result is the number of bytes of that stream that were read.
func ofEntry(d *damage.Damage) *damage.Damage {
	d.Level++
	d.Offset, d.Known, d.Mild = 0, false, false
	return d
}
