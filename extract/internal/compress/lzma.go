package compress

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math/bits"

	"github.com/urlsift/urlsift/extract/internal/compress/lzma"
)

// An lzmaReader reads a stream of LZMA alone (.lzma), or of lzip, which has members with a checksum.
type lzmaReader struct {
	in     *bufio.Reader
	is     Kind
	window int64 // bytes of dictionary that a stream may declare

	z      lzma.Reader // of the current member
	inside bool        // a member has begun
	crc    uint32
	out    int64
}

const (
	lzipMagic   = "LZIP"
	lzmaHeader  = 13 // bytes: the properties, the size of the dictionary, the size of the text
	lzipHeader  = 6  // bytes: the magic number, the version, the size of the dictionary
	lzipTrailer = 20 // bytes: the CRC-32, the size of the text, the size of the member
)

func (r *lzmaReader) reset(in *bufio.Reader, is Kind) { r.in, r.is, r.inside = in, is, false }

// Read reads from one member.
func (r *lzmaReader) Read(p []byte) (int, error) {
	for {
		if !r.inside {
			if err := r.begin(); err != nil {
				return 0, err
			}
		}
		n, err := r.z.Read(p)
		r.crc = crc32.Update(r.crc, crc32.IEEETable, p[:n])
		r.out += int64(n)
		if err != io.EOF {
			return n, err
		}
		if r.inside, err = false, r.end(); err != nil {
			return 0, err
		}
	}
}

// begin reads the header of a member.
func (r *lzmaReader) begin() error {
	r.crc, r.out = 0, 0
	size := lzmaHeader
	if r.is == Lzip {
		size = lzipHeader
	}
	head, err := r.in.Peek(size)
	if err != nil {
		return noEOF(err)
	}
	params := lzma.Params{LC: 3, PB: 2, Size: -1} // those of lzip
	if r.is == Lzip {
		exponent := head[5] & 0x1f
		switch {
		case head[4] != 1:
			return fmt.Errorf("version %d of the format", head[4])
		case exponent < 12 || exponent > 29:
			return fmt.Errorf("impossible size of the dictionary: 2^%d", exponent)
		}
		params.Dict = 1<<exponent - int64(head[5]>>5)<<exponent/16
	} else if params.Dict, params.Size = int64(binary.LittleEndian.Uint32(head[1:])), int64(binary.LittleEndian.Uint64(head[5:])); !params.SetProperties(head[0]) {
		return lzma.ErrCorrupt
	}
	if params.Dict > r.window && (params.Size < 0 || params.Size > r.window) {
		return errWindow
	}
	_, _ = r.in.Discard(size)
	r.z.Reset(r.in, params)
	r.inside = true
	return nil
}

// end reads what follows the data of a member, and returns io.EOF if no other member follows.
func (r *lzmaReader) end() error {
	if r.is == Lzma {
		if err := skipZeros(r.in); err != nil {
			return err
		}
		return errTrailing
	}
	b, err := r.in.Peek(lzipTrailer)
	if err != nil {
		return noEOF(err)
	}
	size := lzipHeader + r.z.Consumed() + lzipTrailer
	switch {
	case binary.LittleEndian.Uint32(b) != r.crc:
		return fmt.Errorf("CRC-32 is %08x and should be %08x", r.crc, binary.LittleEndian.Uint32(b))
	case binary.LittleEndian.Uint64(b[4:]) != uint64(r.out):
		return fmt.Errorf("%d bytes of text that should be %d", r.out, binary.LittleEndian.Uint64(b[4:]))
	case binary.LittleEndian.Uint64(b[12:]) != uint64(size):
		return fmt.Errorf("a member of %d bytes that should have %d", size, binary.LittleEndian.Uint64(b[12:]))
	}
	_, _ = r.in.Discard(lzipTrailer)
	if err := skipZeros(r.in); err != nil {
		return err
	}
	if head, _ := r.in.Peek(len(lzipMagic)); string(head) != lzipMagic {
		return errTrailing
	}
	return nil
}

// lookLzma examines the header of an .lzma file, which has no magic number. The header has properties;
// the size of the dictionary, which tools set to 2^n or 2^n + 2^(n-1); the size of the text, which must
// be unknown or below 256 GiB; and the first byte of the data, a zero.
func lookLzma(head []byte, whole bool) (Kind, bool) {
	const dictionary, most = 5, 1 << 38
	switch {
	case len(head) > 0 && head[0] >= 9*5*5, len(head) > 1 && head[1] != 0: // as in nearly all streams
		return None, false
	case len(head) >= dictionary:
		dict := binary.LittleEndian.Uint32(head[1:])
		top := bits.Len32(dict)
		if dict < 1<<12 || bits.OnesCount32(dict) != 1 && (bits.OnesCount32(dict) != 2 || dict>>(top-2) != 3) {
			return None, false
		}
	}
	if len(head) <= lzmaHeader {
		return None, !whole
	}
	if size := binary.LittleEndian.Uint64(head[dictionary:]); head[lzmaHeader] == 0 && (size == 1<<64-1 || size < most) {
		return Lzma, false
	}
	return None, false
}
