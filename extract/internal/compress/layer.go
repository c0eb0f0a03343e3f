package compress

import (
	"bufio"
	"io"

	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"

	"github.com/urlsift/urlsift/extract/internal/compress/bzip2"
	"github.com/urlsift/urlsift/extract/internal/compress/inflate"
	"github.com/urlsift/urlsift/extract/internal/compress/lzw"
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

// unpack is Read without an assistant. The first call starts the decompressor. A panic
// becomes an error.
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

// damaged returns err, which has ended l, as a Damage. If the input of l has failed, that is
// the Damage of the input. Libraries may wrap such an error or replace it by one of their own;
// in both cases the input has no more bytes, and returns its error again.
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
	return &damage.Damage{Class: damage.Pack, Stage: l.is.stage(), Err: err, Level: l.level}
}

// noEOF turns io.EOF into io.ErrUnexpectedEOF.
func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// A decompressor has one library decompressor of each kind. Each is made when it is first
// needed, and used again for later sources.
type decompressor struct {
	r      io.Reader // the one in use
	window int64     // bytes of window that a stream may declare
	frames *Frames   // of the outermost layer, else nil

	gzip        *gzipReader
	zlib        *inflate.Zlib
	zstd        *zstd.Decoder
	frameReader zstdFrameReader
	xz          *xz.Reader
	bzip2       *bzip2.Reader
	s2          *s2.Reader // for snappy as well
	lz4         lz4Reader
	lzw         *lzw.Reader
}

// start sets r to decompress in, which begins with the magic number of is.
func (d *decompressor) start(in *bufio.Reader, is Kind) (err error) {
	d.r = nil
	switch is {
	case Gzip:
		if d.gzip == nil {
			d.gzip = new(gzipReader)
		}
		d.r, err = &members{in: in, is: is, z: d.gzip, begin: d.gzip.Reset, frames: d.frames}, d.gzip.Reset(in)
	case Zlib:
		if d.zlib == nil {
			d.zlib = new(inflate.Zlib)
		}
		d.r, err = &members{in: in, is: is, z: d.zlib, begin: d.zlib.Reset}, d.zlib.Reset(in)
	case Zstd:
		if d.zstd == nil {
			d.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
				zstd.WithDecoderMaxMemory(1<<62), zstd.WithDecoderMaxWindow(uint64(max(d.window, zstd.MinWindowSize))))
			if err != nil {
				return err
			}
		}
		d.r, err = &members{in: in, is: is, z: d.zstd, begin: d.beginZstd, frames: d.frames}, d.beginZstd(in)
	case S2, Snappy:
		if d.s2 == nil {
			d.s2 = s2.NewReader(nil, s2.ReaderAllocBlock(64<<10))
		}
		d.s2.Reset(in)
		d.r = d.s2
	case Lz4:
		d.lz4.reset(in)
		d.r = &d.lz4
	case Compress:
		if d.lzw == nil {
			d.lzw = new(lzw.Reader)
		}
		d.r, err = d.lzw, d.lzw.Reset(in)
	case Batch: // the next layer recognises the compression that the line names
		_, err = in.ReadSlice('\n')
		d.r = in
	case Bzip2:
		d.startBzip2(in)
	case Xz:
		if d.xz == nil {
			d.xz = &xz.Reader{MaxDict: d.window}
		}
		d.xz.Reset(in)
		d.r = d.xz
	default:
		panic("compress: no decompressor for " + is.String() + ": add a case to decompressor.start")
	}
	return err
}

func (d *decompressor) beginZstd(in *bufio.Reader) error {
	d.frameReader.reset(in)
	return d.zstd.Reset(&d.frameReader)
}

// rest drops all references to the input.
func (d *decompressor) rest() {
	d.r = nil
	if d.zstd != nil {
		_ = d.zstd.Reset(nil)
		d.frameReader.in = nil
	}
	if d.s2 != nil {
		d.s2.Reset(nil)
	}
	d.lz4.reset(nil)
	if d.xz != nil {
		d.xz.Reset(nil)
	}
	if d.bzip2 != nil {
		d.bzip2.Reset(nil)
	}
}

// close releases all decompressors.
func (d *decompressor) close() {
	d.rest()
	if d.zstd != nil {
		d.zstd.Close()
	}
	*d = decompressor{window: d.window, frames: d.frames}
}
