package compress

import (
	"bufio"
	"bytes"
	"io"

	"github.com/dsnet/compress/brotli"
)

// Brotli (RFC 7932) has no magic number, so a stream is recognised by the suffix of its name, and by what
// its beginning is not: a text.

// A brotliReader reads one stream.
type brotliReader struct {
	in *bufio.Reader
	z  *brotli.Reader
}

// reset begins to read in. window is how many bytes of window the stream may declare.
func (r *brotliReader) reset(in *bufio.Reader, window int64) error {
	r.in = in
	head, _ := in.Peek(1)
	if len(head) == 1 && int64(1)<<windowBits(head[0]) > window {
		return errWindow
	}
	if r.z == nil {
		r.z = new(brotli.Reader)
	}
	return r.z.Reset(in)
}

// Read reads once. Bytes after the stream, which has no members, are reported.
func (r *brotliReader) Read(p []byte) (int, error) {
	n, err := r.z.Read(p)
	if n == 0 && err == io.EOF {
		if err = skipZeros(r.in); err == nil {
			err = errTrailing
		}
	}
	return n, err
}

// windowBits returns the exponent of the size of the window that a stream with this first byte has (RFC
// 7932, section 9.1).
func windowBits(first byte) uint {
	switch n, m := first>>1&7, first>>4&7; {
	case first&1 == 0:
		return 16
	case n > 0:
		return 17 + uint(n)
	case m == 0:
		return 17
	default:
		return 8 + uint(m) // m == 1 is no window; the library rejects it
	}
}

// isBrotli reports whether r, which has that name, is to be read as brotli: the name says so, and r does
// not begin as a text does, or begins with what can be decompressed.
func isBrotli(r *bufio.Reader, name string) bool {
	if !hasSuffix(name, kinds[Brotli].suffix) {
		return false
	}
	head, _ := r.Peek(MaxHead)
	if bytes.ContainsFunc(head, IsBinary) {
		return true
	}
	var z brotli.Reader
	_ = z.Reset(bytes.NewReader(head)) // never fails
	text, err := io.ReadAll(io.LimitReader(&z, MaxHead))
	return len(head) > 0 && (err == nil || err == io.ErrUnexpectedEOF && len(text) > 0)
}
