package xz

import (
	"bufio"
	"crypto/sha256"
	"hash"
	"hash/crc32"
	"hash/crc64"
	"io"
)

// The plan: a Reader follows the container from part to part, checks each, and hands
// the data of a block to the one lzma2 that it has, and from there through the filters
// to the caller. Nothing is allocated for a block but what its filters need.
//
//	stream: header, (block header, data, padding, check)*, index, footer
//	file:   (stream, padding)*

// A Reader reads one file. It must be Reset before it is read, and may be Reset any
// number of times; it keeps its memory. After Reset a Reader has the same MaxDict.
type Reader struct {
	// MaxDict is the largest dictionary, in bytes, that a block may declare.
	MaxDict int64

	in    input
	err   error               // returned by all later calls
	where func(*Reader) error // reads the part that is next; nil in a block

	data    lzma2
	text    io.Reader // data, or the outermost filter
	chain   chain
	check   int       // kind
	sum     hash.Hash // of the text, or nil
	sums    map[int]hash.Hash
	block   block
	header  int64   // bytes of the block header
	start   int64   // of the data of the block, in the file
	out     int64   // bytes of text of the block
	records records // of the blocks of the stream
	scratch [1024]byte
}

// Reset begins a file. The Reader reads no further in in than it has to.
func (r *Reader) Reset(in *bufio.Reader) {
	r.in.Reader, r.in.n, r.err, r.where = in, 0, nil, (*Reader).streamHeader
}

// Read decompresses, and does not wait to fill p. It returns [io.EOF] at the end,
// [io.ErrUnexpectedEOF] if the file is cut, an [*Error] for damage, [ErrDictionary],
// or an error of the reader below unchanged; each after all text that comes before it.
// Each iteration reads a part of the file.
func (r *Reader) Read(p []byte) (n int, err error) {
	for r.err == nil && len(p) > 0 {
		if r.where != nil {
			r.fail(r.where(r), r.in.n)
			continue
		}
		n, err = r.text.Read(p)
		r.out += int64(n)
		if r.sum != nil {
			r.sum.Write(p[:n])
		}
		switch {
		case err == io.EOF:
			r.where = (*Reader).blockEnd
		case err != nil:
			r.fail(err, r.data.place())
		case uint64(r.out) > r.block.text:
			r.fail(damage("block has more text than its header says"), r.data.place())
		}
		if n > 0 {
			return n, nil
		}
	}
	return 0, r.err
}

// fail keeps err, with its place if it is damage.
func (r *Reader) fail(err error, place int64) {
	if d, ok := err.(damage); ok {
		err = &Error{Offset: place, What: string(d)}
	}
	r.err = err
}

// streamHeader reads the 12 bytes that begin a stream.
func (r *Reader) streamHeader() error {
	h, err := r.in.next(12)
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
	r.sum = r.hash(r.check)
	r.records = records{}
	r.where = (*Reader).blockHeader
	return nil
}

// hash returns what computes the kind of check, or nil for none. As the document says,
// a kind that is not known is not checked.
func (r *Reader) hash(kind int) hash.Hash {
	h := r.sums[kind]
	if h != nil {
		return h
	}
	switch kind {
	case checkCRC32:
		h = crc32.NewIEEE()
	case checkCRC64:
		h = crc64.New(crc64.MakeTable(crc64.ECMA))
	case checkSHA256:
		h = sha256.New()
	default:
		return nil
	}
	if r.sums == nil {
		r.sums = make(map[int]hash.Hash)
	}
	r.sums[kind] = h
	return h
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
	h := r.scratch[:4*int(size)+4]
	h[0] = size
	if err := r.in.full(h[1:]); err != nil {
		return err
	}
	if !sealed(h) {
		return damage("block header does not match its checksum")
	}
	if r.block, err = parseBlock(h[1 : len(h)-4]); err != nil {
		return err
	}
	dict := r.block.dictionary()
	if dict > r.MaxDict {
		return ErrDictionary
	}
	r.data.reset(&r.in, int(dict))
	if r.text, err = r.chain.over(&r.data, r.block.filters[:r.block.n-1]); err != nil {
		return err
	}
	if r.sum != nil {
		r.sum.Reset()
	}
	r.header, r.start, r.out, r.where = int64(len(h)), r.in.n, 0, nil
	return nil
}

// blockEnd reads the padding and the check of a block.
func (r *Reader) blockEnd() error {
	size := r.in.n - r.start
	if uint64(r.out) != r.block.text && r.block.text != unknown || uint64(size) != r.block.packed && r.block.packed != unknown {
		return damage("block has another size than its header says")
	}
	if err := r.in.zeros(int(-size & 3)); err != nil {
		return err
	}
	check := r.scratch[:checkSizes[r.check]]
	if err := r.in.full(check); err != nil {
		return err
	}
	if r.sum != nil && !r.matches(check) {
		return damage("block check does not match")
	}
	r.records.add(uint64(r.header+size)+uint64(len(check)), uint64(r.out))
	r.where = (*Reader).blockHeader
	return nil
}

// matches compares the check with the text. A CRC has its lowest byte first.
func (r *Reader) matches(check []byte) bool {
	sum := r.sum.Sum(r.scratch[512:512])
	for i, c := range check {
		if r.check != checkSHA256 {
			i = len(sum) - 1 - i
		}
		if sum[i] != c {
			return false
		}
	}
	return true
}
