package xz

import (
	"bufio"
	"encoding/binary"
	"hash/crc32"
	"math"

	library "github.com/therootcompany/xz"
)

// The plan: a Reader parses the container and checks each of its parts. The library decodes one
// block after another, applies the filters, and verifies the checks. For the library, each block is
// a separate file (feed). The Reader examines the bytes of a block before the library does. So the
// library never allocates a dictionary over the limit, and the Reader knows where the damage is
// that the library finds.
//
//	stream: header, (block header, data, padding, check)*, index, footer
//	file:   (stream, padding)*

// textSize is the room for text in one call of the library, in bytes. Text that it
// decodes in the call in which it finds damage is lost.
const textSize = 4 << 10

// A Reader reads one file. Call Reset before the first use, and again for each further
// file; it keeps its memory and its MaxDict.
type Reader struct {
	// MaxDict is the largest dictionary, in bytes, that a block may declare.
	MaxDict int64

	in    input
	err   error               // returned by all later calls
	where func(*Reader) error // reads the next part; nil within a block

	feed    feed
	library *library.Reader // reads the feed
	text    []byte          // the part of buf that was not returned yet
	check   int             // kind of the check
	header  int64           // size of the block header
	out     int64           // size of the text of the block
	records records         // of the blocks of the stream
	head    [headerSize + 1024]byte
	buf     [textSize]byte
}

// Reset begins a file. The Reader reads no more of in than it needs.
func (r *Reader) Reset(in *bufio.Reader) {
	r.in.Reader, r.in.n, r.err, r.where, r.text = in, 0, nil, (*Reader).streamHeader, nil
}

// Read decompresses, and does not wait to fill p. It returns [io.EOF] at the end,
// [io.ErrUnexpectedEOF] if the file is truncated, an [*Error] for damage, [ErrDictionary], or
// an error of in unchanged. All text in front of the error is returned first. Each iteration
// reads a part of the file, or a piece of a block.
func (r *Reader) Read(p []byte) (int, error) {
	for len(p) > 0 {
		switch {
		case len(r.text) > 0:
			n := copy(p, r.text)
			r.text = r.text[n:]
			return n, nil
		case r.err != nil:
			return 0, r.err
		case r.where != nil:
			r.fail(r.where(r))
		default:
			r.fail(r.decode())
		}
	}
	return 0, r.err
}

// fail stores err. If it is damage, it gets its offset.
func (r *Reader) fail(err error) {
	if d, ok := err.(damage); ok {
		err = &Error{Offset: r.in.n, What: string(d)}
	}
	r.err = err
}

// streamHeader reads the 12 bytes that begin a stream.
func (r *Reader) streamHeader() error {
	h := r.head[:headerSize]
	err := r.in.full(h)
	switch {
	case err != nil:
		return err
	case string(h[:6]) != streamMagic:
		return damage("no header of a stream")
	case !sealed(h[6:]):
		return damage("header of a stream does not match its checksum")
	}
	if r.check, err = parseFlags(h[6:8]); err != nil {
		return err
	}
	if !checkKnown(r.check) { // the library would reject the stream
		h[7] = 0
		seal(h[6:])
	}
	r.records = records{}
	r.where = (*Reader).blockHeader
	return nil
}

// blockHeader reads the header of a block, or the 0 that begins the index.
func (r *Reader) blockHeader() error {
	size, err := r.in.byte()
	if err != nil {
		return err
	}
	if size == 0 {
		return r.index()
	}
	h := r.head[headerSize:][:4*int(size)+4]
	h[0] = size
	if err := r.in.full(h[1:]); err != nil {
		return err
	}
	if !sealed(h) {
		return damage("block header does not match its checksum")
	}
	b, err := parseBlock(h[1 : len(h)-4])
	switch {
	case err != nil:
		return err
	case b.dictionary() > r.MaxDict:
		return ErrDictionary
	}
	if text := min(b.text, r.in.firstText()); text < uint64(b.dictionary()) {
		b.lower(int64(text))
		seal(h)
	}
	r.header, r.out, r.where = int64(len(h)), 0, nil
	r.feed.in = &r.in
	r.feed.begin(r.head[:headerSize+len(h)], checkSizes[r.check], !checkKnown(r.check))
	if r.library == nil {
		r.library, err = library.NewReader(&r.feed, math.MaxUint32)
	} else {
		err = r.library.Reset(&r.feed)
	}
	return r.asDamage(err)
}

// decode lets the library decode a piece.
func (r *Reader) decode() error {
	n, err := r.library.Read(r.buf[:])
	r.text = r.buf[:n]
	r.out += int64(n)
	return r.asDamage(err)
}

// asDamage returns what an error of the library means: nil at the end of a piece or of a
// block, the error of the input, or damage.
func (r *Reader) asDamage(err error) error {
	switch {
	case err == nil, err == errPause:
		return nil
	case err == errEnd:
		r.records.add(uint64(r.header+r.feed.size)+uint64(checkSizes[r.check]), uint64(r.out))
		r.where = (*Reader).blockHeader
		return nil
	case err == library.ErrBuf && r.feed.err != nil:
		return r.feed.err
	}
	return r.feed.wrong
}

// index reads the index and the footer, after the 0 that begins them. Each iteration reads a
// record; there are as many records as blocks.
func (r *Reader) index() error {
	x := indexReader{in: &r.in, size: 1, crc: crc32.IEEETable[0xff] ^ (1<<32-1)>>8} // of the 0 that begins the index
	const differs = damage("index does not match the blocks")
	if n := x.number(); x.err == nil && n != r.records.n {
		return differs
	}
	var seen records
	for seen.n < r.records.n && x.err == nil {
		size := x.number()
		seen.add(size, x.number())
	}
	for x.size%4 != 0 && x.err == nil {
		if x.byte() != 0 && x.err == nil {
			x.err = damage("padding of the index is not zero")
		}
	}
	switch {
	case x.err != nil:
		return x.err
	case seen != r.records:
		return differs
	}
	h, err := r.in.next(4)
	if err == nil && binary.LittleEndian.Uint32(h) != ^x.crc {
		err = damage("index does not match its checksum")
	}
	if err != nil {
		return err
	}
	return r.footer(x.size + 4)
}

// footer reads the end of a stream, after an index of size bytes.
func (r *Reader) footer(size int64) error {
	f, err := r.in.next(12)
	if err != nil {
		return err
	}
	crc, at := binary.LittleEndian.Uint32(f), int64(binary.LittleEndian.Uint32(f[4:]))
	switch {
	case string(f[10:]) != footerMagic:
		return damage("no footer of a stream")
	case crc32.ChecksumIEEE(f[4:10]) != crc:
		return damage("footer does not match its checksum")
	case 4*(at+1) != size, f[8] != 0, int(f[9]) != r.check:
		return damage("footer does not match the stream")
	}
	r.where = (*Reader).between
	return nil
}

// between reads what follows a stream: 4 zeros at a time, the end, or another stream.
func (r *Reader) between() error {
	head, err := r.in.Peek(4)
	switch {
	case len(head) == 0:
		return err // io.EOF, or the error of the reader below
	case len(head) < 4:
		return noEOF(err)
	case string(head) == "\x00\x00\x00\x00":
		_, err = r.in.next(4)
		return err
	case string(head) != streamMagic[:4]:
		return damage("trailing bytes that begin no stream")
	}
	r.where = (*Reader).streamHeader
	return nil
}
