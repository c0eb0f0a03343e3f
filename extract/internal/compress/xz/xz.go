package xz

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"hash/crc64"
	"io"
	"math/bits"
	"strings"

	"github.com/urlsift/urlsift/extract/internal/compress/lzma"
)

// The plan: a Reader parses the container and checks each of its parts. Package lzma decodes one block after
// another; the Reader undoes the filters, and verifies the checks.
//
//	stream: header, (block header, data, padding, check)*, index, footer
//	file:   (stream, padding)*

// textSize is how much text is filtered at once, in bytes.
const textSize = 4 << 10

// A Reader reads one file. Call Reset before the first use, and again for each further
// file; it keeps its memory and its MaxDict.
type Reader struct {
	// MaxDict is the largest dictionary, in bytes, that a block may declare.
	MaxDict int64

	in    input
	err   error               // returned by all later calls
	where func(*Reader) error // reads the next part; nil within the data of a block

	lzma    lzma.Reader2 // decodes the data
	start   int64        // offset in the file of the data
	filters [3]filter    // in the order of the header, so the last one is undone first
	n       int          // number of them
	text    []byte       // the part of the filtered text that was not returned yet
	out     uint64       // size of the text of the block
	header  int64        // size of the block header
	block   block        // what it says
	check   int          // kind of the check
	sum     hash.Hash    // of the text; nil for no check, or an unknown one
	sums    [16]hash.Hash
	records records // of the blocks of the stream
	head    [1024]byte
	buf     [textSize]byte
}

// Reset begins a file. The Reader reads no more of in than it needs.
func (r *Reader) Reset(in *bufio.Reader) {
	r.in.Reader, r.in.n, r.err, r.where, r.text = in, 0, nil, (*Reader).streamHeader, nil
	r.lzma.Reset(nil, 0)
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
			if n := r.decode(p); n > 0 {
				return n, nil
			}
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
	if r.sums[r.check] == nil {
		r.sums[r.check] = newSum(r.check)
	}
	r.sum = r.sums[r.check]
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
	h := r.head[:4*int(size)+4]
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
	r.n = b.n - 1
	for i := range r.n {
		if !r.filters[i].begin(b.filters[i]) {
			return damage("unknown filter, or bad properties of one")
		}
	}
	if r.sum != nil {
		r.sum.Reset()
	}
	r.block, r.header, r.out, r.start, r.where = b, int64(len(h)), 0, r.in.n, nil
	r.lzma.Reset(r.in.Reader, b.dictionary())
	return nil
}

// decode decodes text of a block, into p if there are no filters, else into r.text.
func (r *Reader) decode(p []byte) int {
	if r.n > 0 {
		p = r.buf[:]
	}
	n, err := r.lzma.Read(p)
	r.in.n = r.start + r.lzma.Consumed()
	p = p[:n]
	for i := r.n - 1; i >= 0; i-- {
		p = r.filters[i].apply(p, err == io.EOF)
	}
	if r.sum != nil {
		_, _ = r.sum.Write(p)
	}
	r.out += uint64(len(p))
	switch err {
	case io.EOF:
		r.where = (*Reader).blockEnd
	case lzma.ErrCorrupt:
		r.fail(damage("bad data in a block"))
	default:
		r.err = err
	}
	if r.n > 0 {
		r.text = p
		return 0
	}
	return n
}

// blockEnd reads the padding and the check after the data of a block.
func (r *Reader) blockEnd() error {
	size := r.lzma.Consumed()
	if declared := r.block.data; declared != unknown && declared != uint64(size) || r.block.text != unknown && r.block.text != r.out {
		return damage("size of a block differs from that in its header")
	}
	padding, err := r.in.next(int(-size & 3))
	switch {
	case err != nil:
		return err
	case strings.Trim(string(padding), "\x00") != "":
		return damage("padding is not zero")
	}
	sum, err := r.in.next(checkSizes[r.check])
	switch {
	case err != nil:
		return err
	case r.sum != nil && !matches(r.sum, sum):
		return damage("block check does not match")
	}
	r.records.add(uint64(r.header+size)+uint64(checkSizes[r.check]), r.out)
	r.where = (*Reader).blockHeader
	return nil
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
	Offset int64  // offset in the file of the byte after those in which the damage was found
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
	b [64]byte
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

// next takes n bytes, at most 64, which are valid until the next call.
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

// newSum returns what computes a check of that kind: CRC32, CRC64 or SHA-256. As the document says, the others
// are not checked.
func newSum(kind int) hash.Hash {
	switch kind {
	case 1:
		return crc32.NewIEEE()
	case 4:
		return crc64.New(crc64.MakeTable(crc64.ECMA))
	case 10:
		return sha256.New()
	}
	return nil
}

// matches reports whether stored is the check that sum has computed.
func matches(sum hash.Hash, stored []byte) bool {
	switch h := sum.(type) {
	case hash.Hash32:
		return binary.LittleEndian.Uint32(stored) == h.Sum32()
	case hash.Hash64:
		return binary.LittleEndian.Uint64(stored) == h.Sum64()
	}
	return string(stored) == string(sum.Sum(nil))
}

// sealed reports whether the last 4 bytes of b are the CRC32 of those before.
func sealed(b []byte) bool {
	n := len(b) - 4
	return crc32.ChecksumIEEE(b[:n]) == binary.LittleEndian.Uint32(b[n:])
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
	data    uint64 // bytes of data, or unknown
	text    uint64 // bytes of text, or unknown
	filters [4]filterFlags
	n       int // number of filters; the last one is LZMA2
}

type filterFlags struct {
	id    uint64
	props []byte
}

const unknown = 1<<64 - 1

// parseBlock reads a block header, without the byte of its size and the CRC32.
func parseBlock(h []byte) (b block, err error) {
	flags := h[0]
	if flags&0x3c != 0 {
		return b, damage("unknown block flags")
	}
	n := numbers{b: h[1:]}
	b.data, b.text = unknown, unknown
	if flags&0x40 != 0 {
		b.data = n.next()
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
