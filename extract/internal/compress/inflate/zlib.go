package inflate

import (
	"bufio"
	"compress/zlib"
	"encoding/binary"
	"hash"
	"hash/adler32"
	"io"
)

// A Zlib decompresses a zlib stream (RFC 1950). It reads nothing after that stream. The zero Zlib
// is ready for [Zlib.Reset].
type Zlib struct {
	deflate Reader
	err     error
	sum     hash.Hash32
}

// Reset reads the header of the stream at the beginning of in. It returns [zlib.ErrHeader] if there
// is no header, and [zlib.ErrDictionary] if the stream needs a dictionary. If in is nil, z refers
// to nothing any more, and must be reset again before it is read.
func (z *Zlib) Reset(in *bufio.Reader) error {
	z.deflate.Reset(in)
	if z.err = nil; in != nil {
		z.err = header(in)
	}
	if z.sum == nil {
		z.sum = adler32.New()
	}
	z.sum.Reset()
	return z.err
}

// header reads the header of a stream (RFC 1950, section 2.2) up to the deflated data. A
// preset dictionary is accepted only if it is empty.
func header(in *bufio.Reader) error {
	var b [4]byte
	if _, err := io.ReadFull(in, b[:2]); err != nil {
		return noEOF(err)
	}
	if b[0]&15 != 8 || b[0]>>4 > 7 || binary.BigEndian.Uint16(b[:])%31 != 0 {
		return zlib.ErrHeader
	}
	if b[1]&0x20 == 0 {
		return nil
	}
	if _, err := io.ReadFull(in, b[:]); err != nil {
		return noEOF(err)
	}
	if binary.BigEndian.Uint32(b[:]) != adler32.Checksum(nil) {
		return zlib.ErrDictionary
	}
	return nil // the dictionary is empty
}

// Read returns text. With the last text it returns io.EOF at the end of the stream,
// [zlib.ErrChecksum] if the text is not what was compressed, or an error of [Reader.Read].
func (z *Zlib) Read(p []byte) (int, error) {
	if z.err != nil {
		return 0, z.err
	}
	n, err := z.deflate.Read(p)
	_, _ = z.sum.Write(p[:n]) // cannot fail
	if err == io.EOF {
		err = z.trailer(z.deflate.in.buf)
	}
	z.err = err
	return n, err
}

// trailer compares the text with its checksum.
func (z *Zlib) trailer(in *bufio.Reader) error {
	var b [4]byte
	if _, err := io.ReadFull(in, b[:]); err != nil {
		return noEOF(err)
	}
	if binary.BigEndian.Uint32(b[:]) != z.sum.Sum32() {
		return zlib.ErrChecksum
	}
	return io.EOF
}
