package extract

import (
	"bufio"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/urlsift/urlsift/extract/internal/compress/xz"
)

// Compressions are layers: each reads from the one below, through a buffer at
// which the next is recognised, down to the bytes as stored.
//
//	stored → buffer 0 → gzip → buffer 1 → zstd → buffer 2 → raw stream
//
// A layer is the one place where a panic of a library is met: it costs no more
// than the rest of that source.

// Buffer sizes: of what is read from a file at once, and of what comes out of a
// layer, where the next is recognised (larger reads go past a buffer).
const (
	fileBuffer  = 64 << 10
	layerBuffer = maxLook
)

// layers is a pile of them, for one source after another. For each depth that
// was ever reached it keeps a buffer, and a decompressor of each kind that was
// met there, until close.
type layers struct {
	limits Limits
	stored stored
	pile   []*layer
	used   int // of pile
	depth  int // of compressions, archives and attachments that are open
	ahead  ahead
	frames frames // of the outermost
}

// A layer is a buffer and what decompresses what is read from it.
type layer struct {
	in    *bufio.Reader
	is    codec
	begun bool
	err   error  // told, and told again
	ahead *ahead // which may read from here; or nil
	out   sink   // of the worker
	decompressor
}

// open starts at r, recognises how it is compressed, and returns the innermost
// stream. The error is trouble that is seen at once.
func (ls *layers) open(r io.Reader) (*bufio.Reader, *Error) {
	outermost := ls.used == 0
	for { // at most Limits.Depth turns
		l := ls.next(r)
		l.is = sniff(l.in) // what an error leaves unknown is read, and tells it again
		if l.is == noCodec {
			if outermost && ls.used > 1 {
				ls.ahead.set(ls, ls.used-1, interrupter(ls.stored.r))
			}
			return l.in, nil
		}
		if err := ls.deeper(l.is.String()); err != nil {
			return l.in, err
		}
		if ls.used == 1 {
			ls.stored.even = true
		}
		r = l
	}
}

// deeper notes that one more is entered, of what that stage reads, and returns
// an Error if that is more than there may be.
func (ls *layers) deeper(stage string) *Error {
	if ls.depth >= ls.limits.Depth {
		return &Error{Stage: stage, Err: limited("Depth", int64(ls.limits.Depth), "packed more than %d times")}
	}
	ls.depth++
	return nil
}

// next returns the layer at the next depth, with its buffer at from.
func (ls *layers) next(from io.Reader) *layer {
	if ls.used == len(ls.pile) {
		size := layerBuffer
		if ls.used == 0 {
			size = fileBuffer
		}
		l := &layer{in: bufio.NewReaderSize(nil, size)}
		if ls.used == 0 {
			l.frames = &ls.frames
			ls.frames.stored = &ls.stored
		}
		l.window = ls.limits.Window >> ls.used // so that all together stay below twice what one may
		ls.pile = append(ls.pile, l)
	}
	l := ls.pile[ls.used]
	ls.used++
	l.in.Reset(from)
	l.begun, l.err, l.out = false, nil, ls.stored.w.out
	return l
}

// fault returns err, met by a reader of the innermost stream, with the stage
// that met it first: those above it were only told.
func (ls *layers) fault(err error) *Error {
	if ls.stored.over != nil {
		return &Error{Stage: "size", Err: ls.stored.over}
	}
	if m := ls.met(ls.used); m.err != nil {
		if limit, ok := m.err.(*LimitError); ok && limit.Limit == "Ratio" {
			return &Error{Stage: "size", Err: limit}
		}
		return &Error{Stage: m.is.String(), Err: m.err}
	}
	return &Error{Stage: noCodec.String(), Err: err}
}

// broken reports whether one of the first n layers, or what is stored, can no
// longer be read.
func (ls *layers) broken(n int) bool {
	return n > 0 && (ls.stored.over != nil || ls.met(n).err != nil)
}

// met returns trouble that is known of what is stored and the first n layers.
func (ls *layers) met(n int) met {
	if a := &ls.ahead; a.begun {
		if a.met.err != nil {
			return a.met
		}
		return first(ls.pile[len(a.layers):n])
	}
	return ls.stored.met(ls.pile[:n])
}

// leave lets go of all layers but the first n. The decompressors stay.
func (ls *layers) leave(n int) {
	for _, l := range ls.pile[n:ls.used] {
		l.in.Reset(nil)
		l.out = nil
		l.decompressor.rest()
	}
	ls.used = n
}

// rest lets go of the source.
func (ls *layers) rest() {
	ls.leave(0)
	ls.depth = 0
	ls.frames.reset()
	ls.stored.reset(nil)
}

// close closes the decompressors and lets go of their memory.
func (ls *layers) close() {
	for _, l := range ls.pile {
		l.decompressor.close()
	}
	ls.ahead.close()
}

// Read reads what is decompressed, by whomsoever.
func (l *layer) Read(p []byte) (int, error) {
	if l.ahead != nil {
		return l.ahead.Read(p)
	}
	return l.unpack(p)
}

// unpack decompresses. It begins to when it is first called, and turns a panic
// into an error.
func (l *layer) unpack(p []byte) (n int, err error) {
	if l.err != nil {
		return 0, l.err
	}
	defer func() {
		if l.out.inBody() { // the panic is the caller's
			return
		}
		if v := recover(); v != nil {
			n, err = 0, &panicError{v}
		}
		l.err = err
	}()
	if !l.begun {
		l.begun = true
		if err := l.start(l.in, l.is); err != nil {
			return 0, noEOF(err)
		}
	}
	n, err = l.r.Read(p)
	switch err {
	case zstd.ErrWindowSizeExceeded:
		err = limited("Window", l.window, "a window over the limit of %d bytes")
	case xz.ErrDictionary:
		err = limited("Window", l.window, "a dictionary over the limit of %d bytes")
	}
	return n, err
}

// noEOF turns the end into one that comes too early.
func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
