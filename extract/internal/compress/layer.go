package compress

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/urlsift/urlsift/extract/internal/compress/xz"
	"github.com/urlsift/urlsift/extract/internal/damage"
)

// A layer is a buffer and the decompressor that reads from it.
type layer struct {
	in     *bufio.Reader
	is     Kind
	level  int // depth of the stream, for its damage: 0 for the source's
	begun  bool
	err    error     // sticky
	ahead  io.Reader // reads this layer in another goroutine, if there is one; or nil
	caller *caller
	decompressor
}

// Read returns bytes that this worker or an assistant has decompressed.
func (l *layer) Read(b []byte) (int, error) {
	if l.ahead != nil {
		return l.ahead.Read(b)
	}
	return l.unpack(b)
}

// unpack is Read without an assistant. The first call starts the decompressor. A panic of a
// library becomes an error.
func (l *layer) unpack(b []byte) (n int, err error) {
	if l.err != nil {
		return 0, l.err
	}
	defer func() {
		if l.caller.hooks.InConsumer() {
			return
		}
		if v := recover(); v != nil {
			n, err = 0, &damage.PanicError{Value: v}
		}
		l.err = err
		if err != nil && err != io.EOF {
			l.err = l.damaged(err)
			err = l.err
		}
	}()
	if !l.begun {
		l.begun = true
		if err := l.start(l.in, l.is); err != nil {
			return 0, noEOF(err)
		}
	}
	return l.r.Read(b)
}

// damaged returns err, which has ended l, as a Damage. If the input of l has failed, it returns
// the Damage of the input. Libraries may wrap such an error or replace it by one of their own; in
// both cases the input has no more bytes, and returns its error again.
func (l *layer) damaged(err error) error {
	if _, made := err.(*damage.Damage); made || err == damage.ErrStopped {
		return err // of the input, or the limit of the source
	}
	if _, below := l.in.Peek(1); below != nil && below != io.EOF {
		return below
	}
	if err == zstd.ErrWindowSizeExceeded || err == xz.ErrDictionary || err == errWindow {
		what := "a window over the limit of %d bytes"
		if l.is == Xz || l.is == Lzma || l.is == Lzip {
			what = "a dictionary over the limit of %d bytes"
		}
		d := damage.Limited(l.is.stage(), "Window", l.window, what)
		d.Level = l.level
		return d
	}
	why := causeOf(err, l.is)
	if errors.Is(err, zstd.ErrUnknownDictionary) {
		why = &cause{fmt.Sprintf("the frame needs dictionary %d, which is not here", l.frameReader.dictionary), err}
	}
	return &damage.Damage{Class: damage.Pack, Stage: l.is.stage(), Err: why, Level: l.level}
}

// errWindow is the error of a stream that declares a dictionary or window over the limit.
var errWindow = errors.New("a window over the limit")

// errTrailing is returned for bytes after the end of a compressed stream. That stream was
// read completely. But the bytes may be another stream whose first bytes are damaged, so
// they are reported. Zeros are padding, and no error.
var errTrailing = damage.Fact("trailing bytes that begin no stream")

// members reads concatenated streams as one. Each has its own header and checksum.
type members struct {
	in    *bufio.Reader
	is    Kind
	z     io.Reader // reads the current member, to its end
	begin func(*bufio.Reader) error
	ratio *ratio // counts their text; nil except for the outermost layer
}

// Read reads from one member. It continues with the next one only when all of the current
// one has been returned.
func (m *members) Read(p []byte) (int, error) {
	for {
		n, err := m.z.Read(p)
		if n == 0 && err != nil && m.is == Zstd {
			n, err = m.z.Read(p) // the library may still have the text of a block whose frame turns out to have a wrong checksum or size
		}
		if n, exceeded := m.ratio.count(n); exceeded != nil {
			return n, exceeded
		}
		if n > 0 && err == io.EOF {
			return n, nil // the next Read returns it again
		}
		if n > 0 || err != nil && err != io.EOF {
			return n, err
		}
		if err == io.EOF {
			if err := m.next(); err != nil {
				return 0, err
			}
		}
	}
}

// next begins the next member, and returns io.EOF if there is none.
func (m *members) next() error {
	if m.is == Zstd { // the zstd library reports what is not a frame
		if _, err := m.in.Peek(1); err != nil {
			return err
		}
		return m.begin(m.in)
	}
	if err := skipZeros(m.in); err != nil {
		return err
	}
	head, _ := m.in.Peek(len(gzipHead))
	if m.is == Gzip && string(head) == gzipHead || m.is == Zlib && beginsZlib(head) {
		return noEOF(m.begin(m.in))
	}
	return errTrailing
}

// noEOF turns io.EOF into io.ErrUnexpectedEOF.
func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// beginsZlib reports whether head is the header of a zlib stream (RFC 1950,
// section 2.2), without a dictionary.
func beginsZlib(head []byte) bool {
	return len(head) >= 2 && head[0]&0x8f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0 && head[1]&0x20 == 0
}

// skipZeros continues to the first byte that is not zero, or returns the error that
// comes before.
func skipZeros(in *bufio.Reader) error {
	for {
		b, err := in.ReadByte()
		if err != nil {
			return err
		}
		if b != 0 {
			return in.UnreadByte()
		}
	}
}

// A cause wraps an error of a library that puts its own name in front of its messages. A Damage
// names the format already, and the name of the library may be wrong: the library s2 reads snappy
// too. So text is the message without the name, or one that says more. A program finds err with
// errors.Is.
type cause struct {
	text string
	err  error
}

func (c *cause) Error() string { return c.text }

func (c *cause) Unwrap() error { return c.err }

// causeOf returns err, which has ended a stream of kind is, or the cause that has it.
func causeOf(err error, is Kind) error {
	library := kinds[is].library
	if library == "" {
		return err
	}
	if text, named := strings.CutPrefix(err.Error(), library+": "); named {
		return &cause{text, err}
	}
	return err
}
