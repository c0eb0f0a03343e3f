package count

import (
	"encoding/binary"
	"errors"
	"io"
	"math/bits"

	"github.com/klauspost/compress/zstd"
)

// A run is a sequence of blocks: the length of the compressed block in four bytes, and a
// frame of zstd. A block is a sequence of records:
//
//	how many bytes the key shares with the key in front of it, 0 at the start of a block
//	the length of its other bytes, and these bytes
//	twice the count, and 1 more if there are times
//	the number of sources, the first source, and the last source minus the first
//	if there are times, the first time, and the last time minus the first
//
// All numbers are varints; only the first time has a sign.

// blockSize is the length at which a block is complete.
const blockSize = 64 << 10

var errCorrupt = errors.New("the data are not as they were written")

// A runWriter appends a run to a file.
type runWriter struct {
	enc    *zstd.Encoder
	f      file
	at     int64  // where the next block goes
	last   []byte // the key in front of the next record
	raw    []byte // the block that is being made
	packed []byte // the same, compressed
}

// append writes a record. The keys are in order and differ.
func (w *runWriter) append(key []byte, s *Sum) error {
	shared := 0
	if len(w.raw) > 0 {
		shared = common(w.last, key)
	}
	b := binary.AppendUvarint(w.raw, uint64(shared))
	b = binary.AppendUvarint(b, uint64(len(key)-shared))
	b = append(b, key[shared:]...)
	w.last = append(w.last[:shared], key[shared:]...)
	timed := uint64(0)
	if s.Timed() {
		timed = 1
	}
	b = binary.AppendUvarint(b, uint64(s.Count)<<1|timed)
	b = binary.AppendUvarint(b, uint64(s.Sources))
	b = binary.AppendVarint(b, s.from)
	b = binary.AppendUvarint(b, uint64(s.to-s.from))
	if timed != 0 {
		b = binary.AppendVarint(b, s.First)
		b = binary.AppendUvarint(b, uint64(s.Last-s.First))
	}
	if w.raw = b; len(b) >= blockSize {
		return w.flush()
	}
	return nil
}

// flush writes the block.
func (w *runWriter) flush() error {
	if len(w.raw) == 0 {
		return nil
	}
	w.packed = w.enc.EncodeAll(w.raw, append(w.packed[:0], 0, 0, 0, 0))
	binary.LittleEndian.PutUint32(w.packed, uint32(len(w.packed)-4))
	if w.raw = w.raw[:0]; cap(w.raw) > 4*blockSize { // after a long key
		w.raw = nil
	}
	w.last = w.last[:0]
	n, err := w.f.WriteAt(w.packed, w.at)
	w.at += int64(n)
	return err
}

// common returns how many bytes a and b have in common at their beginnings.
func common(a, b []byte) (n int) {
	most := min(len(a), len(b))
	for ; n+8 <= most; n += 8 {
		if differ := binary.LittleEndian.Uint64(a[n:]) ^ binary.LittleEndian.Uint64(b[n:]); differ != 0 {
			return n + bits.TrailingZeros64(differ)/8
		}
	}
	for n < most && a[n] == b[n] {
		n++
	}
	return n
}

type runReader struct {
	dec     *zstd.Decoder
	problem func(op string, err error) error // returns the error of a temporary file
	f       file
	at, end int64  // the part of the run that is not read yet
	packed  []byte // the block as in the file
	block   []byte
	left    []byte // the records of block that are not read yet
	row     Row
}

// next reads the next record. The row is valid until the next call; at the end it is nil.
func (r *runReader) next() (*Row, error) {
	if len(r.left) == 0 {
		if r.at == r.end {
			return nil, nil
		}
		if err := r.fill(); err != nil {
			return nil, r.problem("read", err)
		}
	}
	if !r.record() {
		return nil, r.problem("read", errCorrupt)
	}
	return &r.row, nil
}

// fill reads a block.
func (r *runReader) fill() error {
	var head [4]byte
	if err := readAt(r.f, head[:], r.at); err != nil {
		return err
	}
	length := int64(binary.LittleEndian.Uint32(head[:]))
	if r.at += 4; length > r.end-r.at {
		return errCorrupt
	}
	if int64(cap(r.packed)) < length {
		r.packed = make([]byte, length)
	}
	r.packed = r.packed[:length]
	if err := readAt(r.f, r.packed, r.at); err != nil {
		return err
	}
	r.at += length
	block, err := r.dec.DecodeAll(r.packed, r.block[:0])
	if err != nil {
		return err
	}
	if len(block) == 0 {
		return errCorrupt
	}
	r.block, r.left, r.row.Key = block, block, r.row.Key[:0]
	return nil
}

// readAt fills p.
func readAt(f file, p []byte, at int64) error {
	n, err := f.ReadAt(p, at)
	if n == len(p) {
		return nil
	}
	if err == nil || err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// record takes a record from left. It reports whether it was a whole one.
func (r *runReader) record() (ok bool) {
	b, row := r.left, &r.row
	ok = true
	number := func() uint64 {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			ok, b = false, nil
			return 0
		}
		b = b[n:]
		return v
	}
	signed := func() int64 {
		v := number()
		return int64(v>>1) ^ -int64(v&1)
	}
	shared, length := number(), number()
	if shared > uint64(len(row.Key)) || length > uint64(len(b)) {
		return false
	}
	row.Key = append(row.Key[:shared], b[:length]...)
	b = b[length:]
	count := number()
	row.Count = int64(count >> 1)
	row.Sources = int64(number())
	row.from = signed()
	row.to = row.from + int64(number())
	row.First, row.Last = noFirst, noLast
	if count&1 != 0 {
		row.First = signed()
		row.Last = row.First + int64(number())
	}
	r.left = b
	return ok
}

// mergeInto writes the merged rows of streams to w.
func mergeInto(w *runWriter, streams []rowStream) error {
	s := merge(streams)
	for {
		row, err := s.next()
		if row == nil || err != nil {
			return err
		}
		if err := w.append(row.Key, &row.Sum); err != nil {
			return err
		}
	}
}
