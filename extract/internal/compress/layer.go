package compress

import (
	"bufio"
	"errors"
	"fmt"
	"io"

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
	if err == zstd.ErrWindowSizeExceeded || err == xz.ErrDictionary {
		what := "a window over the limit of %d bytes"
		if l.is == Xz {
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
