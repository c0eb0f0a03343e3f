package compress

import (
	"bufio"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/urlsift/urlsift/extract/internal/compress/xz"
	"github.com/urlsift/urlsift/extract/internal/damage"
)

// A layer is a buffer and the decompressor that reads from it.
type layer struct {
	in    *bufio.Reader
	is    Kind
	level int
	begun bool
	err   error      // sticky
	ahead *readAhead // may read from this layer in another goroutine; or nil
	pool  *Pool
	decompressor
}

// Read returns bytes that this worker or an assistant has decompressed.
func (l *layer) Read(b []byte) (int, error) {
	if l.ahead != nil {
		return l.ahead.Read(b)
	}
	return l.unpack(b)
}

// unpack decompresses. The first call starts the decompressor. A panic becomes an error.
func (l *layer) unpack(b []byte) (n int, err error) {
	if l.err != nil {
		return 0, l.err
	}
	defer func() {
		if l.pool.hooks.InConsumer() {
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

// damaged returns err as a Damage. If the input of l has failed, that is the Damage of
// the input. Libraries may wrap such an error or replace it by one of their own; in both
// cases the input has no more bytes.
func (l *layer) damaged(err error) error {
	var d *damage.Damage
	switch {
	case errors.Is(err, damage.ErrStopped):
		return damage.ErrStopped
	case errors.As(err, &d):
		if d.Stage == "" { // of a decompressor
			d.Stage, d.Level = l.is.String(), l.level
		}
		return d
	}
	if _, below := l.in.Peek(1); below != nil && below != io.EOF {
		return below
	}
	if err == zstd.ErrWindowSizeExceeded || err == xz.ErrDictionary {
		what := "a window over the limit of %d bytes"
		if l.is == Xz {
			what = "a dictionary over the limit of %d bytes"
		}
		d = damage.Limited(l.is.String(), "Window", l.window, what)
		d.Level = l.level
		return d
	}
	return &damage.Damage{Class: damage.Pack, Stage: l.is.String(), Err: err, Level: l.level}
}

// noEOF turns io.EOF into io.ErrUnexpectedEOF.
func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
