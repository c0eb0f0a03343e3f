package xz

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"math/bits"

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
	arm64   arm64           // of the block
	head    [headerSize + 1024]byte
	plain   [headerSize + 12]byte // the headers of a block without the filter for ARM64
	buf     [textSize]byte
}

// Reset begins a file. The Reader reads no more of in than it needs.
func (r *Reader) Reset(in *bufio.Reader) {
	r.in.Reader, r.in.n, r.err, r.where, r.text = in, 0, nil, (*Reader).streamHeader, nil
}

// Read decompresses, and does not wait to fill p. It returns [io.EOF] at the end,
// [io.ErrUnexpectedEOF] if the file is truncated, an [*Error] for damage, [ErrDictionary], or
// an error of in unchanged. All text in front of the error is returned first.
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
	head, skip := r.head[:headerSize+len(h)], !checkKnown(r.check)
	if r.arm64.on = false; b.n == 2 && b.filters[0].id == idARM64 {
		if !r.arm64.begin(b.filters[0].props, r.check) {
			return damage("bad properties of a filter")
		}
		head, skip = r.plain[:copy(r.plain[:], r.head[:headerSize])], true
		head[7] = 0 // the library checks nothing
		seal(head[6:])
		head = head[:headerSize+len(b.withoutARM64(r.plain[headerSize:]))]
	}
	r.feed.begin(head, checkSizes[r.check], skip)
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
	if r.arm64.on {
		r.text = r.arm64.apply(r.text, err == errEnd)
	}
	r.out += int64(n)
	return r.asDamage(err)
}

// asDamage returns what an error of the library means: nil at the end of a piece or of a
// block, the error of the input, or damage.
func (r *Reader) asDamage(err error) error {
	switch {
	case err == nil, err == errPause:
		return nil
	case err == errEnd && r.arm64.on && !r.arm64.matches(r.feed.sumRead[:r.feed.check]):
		return damage("block check does not match")
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

// An Error is damage in a file, or an unknown filter. It ends the reading. The text before it is
// intact, unless the Error is a check that does not match. Its message has this form:
//
//	block check does not match at offset 1234
type Error struct {
	Offset int64  // offset in the file of the byte after the piece, of at most 512 bytes, in which the damage was found
	What   string // what is wrong
}

func (e *Error) Error() string { return fmt.Sprintf("%s at offset %d", e.What, e.Offset) }

// ErrDictionary is returned for a block whose dictionary is over [Reader.MaxDict].
var ErrDictionary = errors.New("dictionary over the limit")

// damage is an Error without its place. The Reader adds the place.
type damage string

func (d damage) Error() string { return string(d) }

// An input is what a Reader reads. It counts the bytes that were taken. If the file ends
// within the bytes that are requested, the error is [io.ErrUnexpectedEOF].
type input struct {
	*bufio.Reader
	n int64
	b [32]byte
}

// byte takes one byte.
func (in *input) byte() (byte, error) {
	b, err := in.ReadByte()
	if err != nil {
		return 0, noEOF(err)
	}
	in.n++
	return b, nil
}

// next takes n bytes, at most 32, which are valid until the next call.
func (in *input) next(n int) ([]byte, error) {
	k, err := io.ReadFull(in.Reader, in.b[:n])
	in.n += int64(k)
	return in.b[:k], noEOF(err)
}

// full fills p.
func (in *input) full(p []byte) error {
	n, err := io.ReadFull(in.Reader, p)
	in.n += int64(n)
	return noEOF(err)
}

// noEOF turns io.EOF into io.ErrUnexpectedEOF.
func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// The parts of a file are parsed as "The .xz File Format" 1.2 describes them.

const (
	streamMagic = "\xfd7zXZ\x00"
	footerMagic = "YZ"
	headerSize  = 12
)

// checkSizes has for each kind of check how many bytes it takes (section 2.1.1.2).
var checkSizes = [16]int{0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64}

// checkKnown reports whether a kind of check is none, CRC32, CRC64 or SHA-256. As the
// document says, the others are not checked.
func checkKnown(kind int) bool { return kind == 0 || kind == 1 || kind == 4 || kind == 10 }

// sealed reports whether the last 4 bytes of b are the CRC32 of those before.
func sealed(b []byte) bool {
	n := len(b) - 4
	return crc32.ChecksumIEEE(b[:n]) == binary.LittleEndian.Uint32(b[n:])
}

// seal makes the last 4 bytes of b the CRC32 of those before.
func seal(b []byte) {
	n := len(b) - 4
	binary.LittleEndian.PutUint32(b[n:], crc32.ChecksumIEEE(b[:n]))
}

// parseFlags returns the kind of check from the two bytes of stream flags.
func parseFlags(b []byte) (check int, err error) {
	if b[0] != 0 || b[1] > 15 {
		return 0, damage("unknown stream flags")
	}
	return int(b[1]), nil
}

// A block is what a block header says.
type block struct {
	text    uint64 // bytes of text, or unknown
	filters [4]filterFlags
	n       int // number of filters; the last one is LZMA2
}

type filterFlags struct {
	id    uint64
	props []byte
}

const unknown = 1<<64 - 1

const (
	idLZMA2         = 0x21  // the number of the filter (section 5.3)
	dictionaryLeast = 2 * 4 // the properties for a dictionary of 64 KiB
)

// parseBlock reads a block header, without the byte of its size and the CRC32.
func parseBlock(h []byte) (b block, err error) {
	flags := h[0]
	if flags&0x3c != 0 {
		return b, damage("unknown block flags")
	}
	n := numbers{b: h[1:]}
	b.text = unknown
	if flags&0x40 != 0 {
		n.next() // bytes of compressed data
	}
	if flags&0x80 != 0 {
		b.text = n.next()
	}
	b.n = int(flags&3) + 1
	for i := range b.n {
		id, size := n.next(), n.next()
		b.filters[i] = filterFlags{id, n.take(size)}
	}
	for _, c := range n.b {
		if c != 0 {
			n.bad = true
		}
	}
	if n.bad {
		return b, damage("bad block header")
	}
	for i, f := range b.filters[:b.n] {
		if (f.id == idLZMA2) != (i == b.n-1) {
			return b, damage("filters in an unknown order")
		}
	}
	if p := b.filters[b.n-1].props; len(p) != 1 || p[0] > 40 {
		return b, damage("bad properties of LZMA2")
	}
	return b, nil
}

// dictionary returns how many bytes of window the block declares: 2 or 3 times a power
// of two, or, for the greatest, 4 GiB less one byte.
func (b *block) dictionary() int64 {
	bits := b.filters[b.n-1].props[0]
	if bits == 40 {
		return 1<<32 - 1
	}
	return int64(2|bits&1) << (bits/2 + 11)
}

// numbers reads numbers of variable length (section 1.2): 7 bits in each byte, the lowest
// first, in at most 9 bytes, the last of which is not 0.
type numbers struct {
	b   []byte
	bad bool
}

// next reads a number.
func (n *numbers) next() (v uint64) {
	for i, c := range n.b[:min(len(n.b), 9)] {
		v |= uint64(c&0x7f) << (7 * i)
		if c&0x80 == 0 {
			n.bad = n.bad || c == 0 && i > 0
			n.b = n.b[i+1:]
			return v
		}
	}
	n.b, n.bad = nil, true
	return 0
}

// take returns the next size bytes.
func (n *numbers) take(size uint64) []byte {
	if size > uint64(len(n.b)) {
		n.b, n.bad = nil, true
		return nil
	}
	b := n.b[:size]
	n.b = n.b[size:]
	return b
}

// The library allocates the dictionary that a block declares, and keeps it for later
// blocks. xz -9 declares 64 MiB, even for a short text. If we know that the text is
// shorter, we declare a smaller dictionary to the library. We know it from the block
// header, which has the size if xz used threads, or from the first chunk, if it is the
// only one.

// firstText returns the size of the text of the block whose data is next, if that data is one
// chunk that fits the buffer, or is the rest of the file. Otherwise it returns unknown.
func (in *input) firstText() uint64 {
	c, _ := in.Peek(6)
	if len(c) < 6 {
		return 0
	}
	text, size := chunkHeader(c).text(), chunkHeader(c).bytes()+chunkHeader(c).size()
	if size > 6 {
		c, err := in.Peek(size + 1)
		if err == bufio.ErrBufferFull || err == nil && c[size] != 0 {
			return unknown
		}
	}
	return uint64(text)
}

// lower declares a smaller dictionary, which has room for size bytes of text. It uses few
// sizes, each four times the one before, so that blocks of different sizes rarely need a
// new dictionary.
func (b *block) lower(size int64) {
	props := b.filters[b.n-1].props
	declared := props[0]
	for props[0] = dictionaryLeast; props[0] < declared && b.dictionary() < size; {
		props[0] += 4
	}
	props[0] = min(props[0], declared)
}

// The index has a record for each block. Reading from front to back does not need it, but
// it says how many blocks there were.

// records is the summary of the blocks, or of the index: their number and a hash of their
// sizes. So memory does not grow with the number of blocks.
type records struct {
	n    uint64
	hash uint64
}

// add adds a block: its size without padding, and the size of its text.
func (r *records) add(size, text uint64) {
	const odd = 0x9e3779b97f4a7c15
	r.n++
	r.hash = (bits.RotateLeft64(r.hash, 29) ^ size) * odd
	r.hash = (bits.RotateLeft64(r.hash, 29) ^ text) * odd
}

// An indexReader reads numbers of the index, and computes its checksum.
type indexReader struct {
	in   *input
	size int64  // bytes read so far
	crc  uint32 // without the final inversion
	err  error
}

// number reads a number of at most 9 bytes.
func (x *indexReader) number() uint64 {
	var b [9]byte
	for i := range b {
		if b[i] = x.byte(); b[i]&0x80 == 0 || x.err != nil {
			n := numbers{b: b[:i+1]}
			v := n.next()
			if n.bad && x.err == nil {
				x.err = damage("bad number in the index")
			}
			return v
		}
	}
	x.err = damage("bad number in the index")
	return 0
}

func (x *indexReader) byte() byte {
	if x.err != nil {
		return 0
	}
	c, err := x.in.byte()
	if x.err = err; err == nil {
		x.size++
		x.crc = crc32.IEEETable[byte(x.crc)^c] ^ x.crc>>8
	}
	return c
}
