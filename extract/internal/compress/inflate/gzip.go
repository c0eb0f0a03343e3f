package inflate

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"hash/crc32"
	"io"
)

// A Gzip decompresses one member of a gzip file (RFC 1952). It reads nothing after that member.
// The zero Gzip is ready for [Gzip.Reset].
type Gzip struct {
	deflate Reader
	err     error
	crc     uint32
	size    uint32 // of the text, modulo 1<<32
}

// Flags in the header of a member.
const (
	flagHeaderCRC = 1 << 1
	flagExtra     = 1 << 2
	flagName      = 1 << 3
	flagComment   = 1 << 4
	flagReserved  = 7 << 5
)

// Reset reads the header of the member at the beginning of in. It returns io.EOF if in has
// no more bytes, and [gzip.ErrHeader] if there is no header. If in is nil, z refers to
// nothing any more, and must be reset again before it is read.
func (z *Gzip) Reset(in *bufio.Reader) error {
	z.deflate.Reset(in)
	if z.crc, z.size, z.err = 0, 0, nil; in != nil {
		z.err = z.header(in)
	}
	return z.err
}

// header reads the header of a member (RFC 1952, section 2.3) up to the deflated data. Its
// fields are skipped; its checksum, if it has one, is verified. The loop is over two flags.
func (z *Gzip) header(in *bufio.Reader) error {
	var b [10]byte
	if _, err := io.ReadFull(in, b[:]); err != nil {
		return err
	}
	if b[0] != 0x1f || b[1] != 0x8b || b[2] != 8 {
		return gzip.ErrHeader
	}
	flags := b[3]
	crc := crc32.ChecksumIEEE(b[:])
	if flags&flagExtra != 0 {
		if err := skipExtra(in, &crc); err != nil {
			return noEOF(err)
		}
	}
	for _, flag := range []byte{flagName, flagComment} {
		if flags&flag != 0 {
			if err := skipName(in, &crc); err != nil {
				return noEOF(err)
			}
		}
	}
	if flags&flagHeaderCRC != 0 {
		if _, err := io.ReadFull(in, b[:2]); err != nil {
			return noEOF(err)
		}
		if binary.LittleEndian.Uint16(b[:]) != uint16(crc) {
			return gzip.ErrHeader
		}
	}
	if flags&flagReserved != 0 {
		return gzip.ErrHeader
	}
	return nil
}

// skipExtra skips the extra field, and adds it to crc. Each iteration skips what is buffered; the
// field has at most 64 KiB.
func skipExtra(in *bufio.Reader, crc *uint32) error {
	var b [2]byte
	if _, err := io.ReadFull(in, b[:]); err != nil {
		return err
	}
	*crc = crc32.Update(*crc, crc32.IEEETable, b[:])
	for left := int(binary.LittleEndian.Uint16(b[:])); left > 0; {
		if _, err := in.Peek(1); err != nil {
			return err
		}
		field, _ := in.Peek(min(left, in.Buffered()))
		*crc = crc32.Update(*crc, crc32.IEEETable, field)
		left -= len(field)
		_, _ = in.Discard(len(field))
	}
	return nil
}

// skipName skips a name or a comment and the zero after it, and adds them to crc. Their length has
// no limit in RFC 1952, and gzip has none: each iteration skips a buffer of them, so nothing is
// kept.
func skipName(in *bufio.Reader, crc *uint32) error {
	for {
		b, err := in.ReadSlice(0)
		*crc = crc32.Update(*crc, crc32.IEEETable, b)
		if err != bufio.ErrBufferFull {
			return err
		}
	}
}

// Read returns text. With the last text it returns io.EOF at the end of the member,
// [gzip.ErrChecksum] if the text is not what was compressed, or an error of [Reader.Read].
func (z *Gzip) Read(p []byte) (int, error) {
	if z.err != nil {
		return 0, z.err
	}
	n, err := z.deflate.Read(p)
	z.crc = crc32.Update(z.crc, crc32.IEEETable, p[:n])
	z.size += uint32(n)
	if err == io.EOF {
		err = z.trailer(z.deflate.in.buf)
	}
	z.err = err
	return n, err
}

// trailer compares the text with its checksum and size.
func (z *Gzip) trailer(in *bufio.Reader) error {
	var b [8]byte
	if _, err := io.ReadFull(in, b[:]); err != nil {
		return noEOF(err)
	}
	if binary.LittleEndian.Uint32(b[:]) != z.crc || binary.LittleEndian.Uint32(b[4:]) != z.size {
		return gzip.ErrChecksum
	}
	return io.EOF
}

// noEOF turns io.EOF into io.ErrUnexpectedEOF.
func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
