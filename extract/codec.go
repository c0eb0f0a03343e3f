package extract

import (
	"bufio"
	"compress/bzip2"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"github.com/urlsift/urlsift/extract/internal/compress/lzw"
	"github.com/urlsift/urlsift/extract/internal/compress/xz"
)

// A decompressor is one of each kind, made when it is first needed and used
// again for every source. That of bzip2 cannot be used again.
type decompressor struct {
	r      io.Reader // the one in use
	window int64     // what it may be told to remember, in bytes
	frames *frames   // of the outermost

	gzip *gzip.Reader
	zlib zlibReader
	zstd *zstd.Decoder
	gate zstdGate
	xz   *xz.Reader
	s2   *s2.Reader // of snappy as well
	lz4  *lz4.Reader
	lzw  *lzw.Reader
}

type zlibReader interface {
	io.ReadCloser
	zlib.Resetter
}

// start sets r to read in, which begins with the magic of is.
func (d *decompressor) start(in *bufio.Reader, is codec) (err error) {
	switch is {
	case gzipCodec:
		if d.gzip == nil {
			d.gzip = new(gzip.Reader)
		}
		d.r, err = &members{in: in, is: is, z: d.gzip, begin: d.beginGzip, frames: d.frames}, d.beginGzip(in)
	case zlibCodec:
		d.r, err = &members{in: in, is: is, begin: d.beginZlib}, d.beginZlib(in)
		d.r.(*members).z = d.zlib
	case zstdCodec:
		if d.zstd == nil {
			d.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
				zstd.WithDecoderMaxMemory(1<<62), zstd.WithDecoderMaxWindow(uint64(max(d.window, zstd.MinWindowSize))))
			if err != nil {
				return err
			}
		}
		d.r, err = &members{in: in, is: is, z: d.zstd, begin: d.beginZstd, frames: d.frames}, d.beginZstd(in)
	case s2Codec, snappyCodec:
		if d.s2 == nil {
			d.s2 = s2.NewReader(nil, s2.ReaderAllocBlock(64<<10))
		}
		d.s2.Reset(in)
		d.r = d.s2
	case lz4Codec:
		if d.lz4 == nil {
			d.lz4 = lz4.NewReader(nil)
		}
		d.lz4.Reset(in)
		d.r = d.lz4
	case compressCodec:
		if d.lzw == nil {
			d.lzw = new(lzw.Reader)
		}
		d.r, err = d.lzw, d.lzw.Reset(in)
	case batchCodec: // the next layer sees what it is
		_, err = in.ReadSlice('\n')
		d.r = in
	case bzip2Codec:
		d.r = &bzip2Reader{in: in, r: bzip2.NewReader(in)}
	case xzCodec:
		if d.xz == nil {
			d.xz = &xz.Reader{MaxDict: d.window}
		}
		d.xz.Reset(in)
		d.r = d.xz
	}
	return err
}

func (d *decompressor) beginGzip(in *bufio.Reader) error {
	err := d.gzip.Reset(in)
	d.gzip.Multistream(false)
	return err
}

func (d *decompressor) beginZstd(in *bufio.Reader) error {
	d.gate.reset(in)
	return d.zstd.Reset(&d.gate)
}

func (d *decompressor) beginZlib(in *bufio.Reader) error {
	if d.zlib != nil {
		return d.zlib.Reset(in, nil)
	}
	z, err := zlib.NewReader(in)
	if err == nil {
		d.zlib = z.(zlibReader)
	}
	return err
}

// rest lets go of what is read.
func (d *decompressor) rest() {
	d.r = nil
	if d.zstd != nil {
		_ = d.zstd.Reset(nil)
		d.gate.in = nil
	}
	if d.s2 != nil {
		d.s2.Reset(nil)
	}
	if d.lz4 != nil {
		d.lz4.Reset(nil)
	}
	if d.xz != nil {
		d.xz.Reset(nil)
	}
}

// close closes them all.
func (d *decompressor) close() {
	d.rest()
	if d.zstd != nil {
		d.zstd.Close()
	}
	*d = decompressor{window: d.window, frames: d.frames}
}

// errTrailing is for what stands behind the end of a compressed stream. All of
// the stream was read, and was whole; but what follows may be a stream too,
// whose first bytes are damaged, and is not to be lost in silence. Zeros are
// padding, and no error.
var errTrailing = plainError("trailing bytes that begin no stream")

// members reads streams that follow one another, each with its own header and
// checksum, as one.
type members struct {
	in    *bufio.Reader
	is    codec
	z     io.Reader // in a member, up to its end
	begin func(*bufio.Reader) error

	frames *frames // told where members begin, if others read units of them; or nil
}

// Read reads from one member. It does not look behind its end before it has
// handed over everything. Each turn of the loop goes on by a member.
func (m *members) Read(p []byte) (int, error) {
	for {
		n, err := m.z.Read(m.frames.room(p))
		if n == 0 && err != nil && m.is == zstdCodec {
			n, err = m.z.Read(m.frames.room(p)) // of a block whose frame has the wrong checksum, or size
		}
		if n, over := m.frames.read(n, m.in); over != nil {
			return n, over
		}
		if n > 0 && err == io.EOF {
			return n, nil // which the next Read is told again
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
	if m.is == zstdCodec { // whose library tells what is no frame
		if _, err := m.in.Peek(1); err != nil {
			return err
		}
		return m.member()
	}
	if err := skipZeros(m.in); err != nil {
		return err
	}
	head, _ := m.in.Peek(len(gzipHead))
	if m.is == gzipCodec && string(head) == gzipHead || m.is == zlibCodec && beginsZlib(head) {
		return noEOF(m.member())
	}
	return errTrailing
}

// member begins the member that is next.
func (m *members) member() error {
	m.frames.begin(m.in)
	return m.begin(m.in)
}

// beginsZlib reports whether head is the header of a zlib stream (RFC 1950,
// section 2.2), without a dictionary.
func beginsZlib(head []byte) bool {
	return len(head) >= 2 && head[0]&0x8f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0 && head[1]&0x20 == 0
}

// skipZeros goes on to the first byte that is none, or returns the error that
// comes before. Each turn takes a byte.
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

// A bzip2Reader reads streams that follow one another, as the library does, but
// is not troubled by padding.
type bzip2Reader struct {
	in *bufio.Reader
	r  io.Reader
}

func (b *bzip2Reader) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if err == bzip2.StructuralError("bad magic value in continuation file") {
		// The library has taken two bytes; the last can be given back.
		_ = b.in.UnreadByte()
		if err = skipZeros(b.in); err == nil {
			err = errTrailing
		}
	}
	return n, err
}
