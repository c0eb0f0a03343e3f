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

// A decompressor has one library decompressor of each kind. Each is made when it is first
// needed, and used again for later sources.
type decompressor struct {
	r      io.Reader // the one in use
	window int64     // bytes of window that a stream may declare
	ratio  *ratio    // of the outermost layer, else nil

	gzip        *inflate.Gzip
	zlib        *inflate.Zlib
	zstd        *zstd.Decoder
	frameReader zstdFrameReader
	xz          *xz.Reader
	bzip2       *bzip2.Reader
	s2          *s2.Reader // for snappy as well
	lz4         lz4Reader
	lzw         *lzw.Reader
	lzma        lzmaReader // for lzip as well
	brotli      brotliReader
}

// start sets r to decompress in, which begins with the magic number of is.
func (d *decompressor) start(in *bufio.Reader, is Kind) (err error) {
	d.r = nil
	switch is {
	case Gzip:
		if d.gzip == nil {
			d.gzip = new(inflate.Gzip)
		}
		d.r, err = &members{in: in, is: is, z: d.gzip, begin: d.gzip.Reset, ratio: d.ratio}, d.gzip.Reset(in)
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
		d.r, err = &members{in: in, is: is, z: d.zstd, begin: d.beginZstd, ratio: d.ratio}, d.beginZstd(in)
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
	case Lzma, Lzip:
		d.lzma.window = d.window
		d.lzma.reset(in, is)
		d.r = &d.lzma
	case Brotli:
		d.r, err = &d.brotli, d.brotli.reset(in, d.window)
	case NewsBatch: // the next layer recognises the compression that the line names
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

// startBzip2 sets d.r to decompress in, which begins with a stream.
func (d *decompressor) startBzip2(in *bufio.Reader) {
	if d.bzip2 == nil {
		d.bzip2 = &bzip2.Reader{Stopped: damage.ErrStopped}
	}
	d.bzip2.Reset(in)
	d.r = &blocks{d.bzip2, d.ratio}
}

func (d *decompressor) beginZstd(in *bufio.Reader) error {
	d.frameReader.reset(in)
	return d.zstd.Reset(&d.frameReader)
}

// release drops all references to the input.
func (d *decompressor) release() {
	d.r = nil
	if d.zstd != nil {
		_ = d.zstd.Reset(nil)
		d.frameReader.in = nil
	}
	if d.s2 != nil {
		d.s2.Reset(nil)
	}
	d.lz4.reset(nil)
	d.lzma.reset(nil, None)
	d.brotli.in = nil
	if d.xz != nil {
		d.xz.Reset(nil)
	}
	if d.bzip2 != nil {
		d.bzip2.Reset(nil)
	}
}

// close releases all decompressors.
func (d *decompressor) close() {
	d.release()
	if d.zstd != nil {
		d.zstd.Close()
	}
	*d = decompressor{window: d.window, ratio: d.ratio}
}

// A follower is the common part of readers that stand in front of a library and return io.EOF at
// the end of each frame, so that we know where each frame begins. Such a reader parses the structure
// of a frame without decompressing. T is the type of the reader, which embeds the follower.
type follower[T any] struct {
	in *bufio.Reader

	pass int64    // bytes to pass on before head; they are not parsed
	head [5]byte  // bytes to parse
	have int      // bytes of head
	want int      // bytes of head that step needs; 0 at the end of the frame
	step func(*T) // parses head when it is complete, and sets what follows
}

// expect passes on pass bytes, and then has step parse the next n.
func (f *follower[T]) expect(pass int64, n int, step func(*T)) {
	f.pass, f.want, f.have, f.step = pass, n, 0, step
}

// end passes on pass bytes, which are the last of the frame.
func (f *follower[T]) end(pass int64) { f.expect(pass, 0, nil) }

// read is the Read of reader, which f is a part of. It returns bytes up to where the next step is
// due.
func (f *follower[T]) read(reader *T, p []byte) (n int, err error) {
	switch {
	case f.pass > 0:
		n, err = f.in.Read(p[:min(int64(len(p)), f.pass)])
		f.pass -= int64(n)
	case f.want == 0:
		return 0, io.EOF
	default:
		n, err = f.in.Read(p[:min(len(p), f.want-f.have)])
		f.have += copy(f.head[f.have:], p[:n])
		if f.have == f.want {
			f.step(reader)
		}
	}
	return n, err
}

// blocks reads the blocks of bzip2, and counts their text.
type blocks struct {
	r     *bzip2.Reader
	ratio *ratio
}

// Read reads from one block.
func (b *blocks) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if n, exceeded := b.ratio.count(n); exceeded != nil {
		return n, exceeded
	}
	return n, err
}
