package zipstream

import (
	"hash/crc32"
	"io"

	"github.com/urlsift/urlsift/extract/internal/compress/inflate"
)

// A how says how the end of an entry's data is found.
type how uint8

const (
	asIs     how = iota // by its size
	inflated            // by the end of the deflate stream
	sought              // by a descriptor with the right size
)

// A body is the state of reading the data of an entry.
type body struct {
	how   how
	begin int64 // offset of the data
	out   int64 // decompressed bytes
	crc   uint32
	done  error // of Read; sticky
	safe  int   // bytes of stored data that are not a descriptor, see [Reader.look]
	seen  int   // bytes that have been examined for one
	last  bool  // after safe the data ends
	flate *inflate.Reader
}

var table = crc32.IEEETable

// start prepares for the data of r.entry.
func (r *Reader) start() {
	r.body = body{begin: r.offset(), flate: r.flate}
	r.open = true
	switch e := &r.entry; {
	case e.Encrypted:
		r.done = r.damage("encrypted entry")
	case e.Method == Deflate:
		r.how = inflated
		if r.flate == nil {
			r.flate = new(inflate.Reader)
		}
		r.flate.Reset(r.buf)
	case e.Method != Store && e.Method != Bzip2 && e.Method != Zstd && e.Method != XZ:
		r.done = r.damage("entry compressed by method %d", e.Method)
	}
	if r.how != inflated && r.header.csize < 0 {
		r.how = sought
	}
}

// Read reads data of the entry. Stored and deflated data is returned as it was before
// compression; data that was compressed by [Bzip2], [Zstd] or [XZ] is returned compressed.
// Read does not wait to fill p. After the bytes in front of it, it returns
//
//   - [io.EOF] at the end of an entry whose sizes and checksum are right,
//   - an [*Error] for damage, also if only sizes or checksum are wrong, and at once for an
//     entry that is encrypted or compressed in another way; [Reader.Next] continues after it,
//   - [io.ErrUnexpectedEOF] if the archive ends within the entry,
//   - an error of the reader below, unchanged.
func (r *Reader) Read(p []byte) (int, error) {
	switch {
	case r.done != nil:
		return 0, r.done
	case len(p) == 0:
		return 0, nil
	}
	n, err := r.data(p)
	if n > 0 {
		return n, nil // an error is returned again
	}
	if err == io.EOF {
		err = r.check(true)
	}
	r.done = err
	if err == io.EOF {
		r.open = false
	}
	return 0, err
}

// data reads from the entry, and returns n > 0 or an error, which is io.EOF at the end of
// the data.
func (r *Reader) data(p []byte) (n int, err error) {
	switch r.how {
	case inflated:
		n, err = r.inflate(p)
	case sought:
		if r.safe == 0 {
			if err := r.look(); err != nil {
				return 0, err
			}
		}
		n, err = r.buf.Read(p[:min(len(p), r.safe)])
		r.safe -= n
		r.seen -= n
	default:
		left := r.header.csize - r.out
		if left == 0 {
			return 0, io.EOF
		}
		n, err = r.buf.Read(p[:min(int64(len(p)), left)])
		if n == 0 && err != nil {
			return 0, r.cut(err)
		}
	}
	r.crc = crc32.Update(r.crc, table, p[:n])
	r.out += int64(n)
	return n, err
}

// inflate reads from the decompressor, which reads no further than it must. The loop
// iterates only as often as the decompressor needs to begin.
func (r *Reader) inflate(p []byte) (int, error) {
	for {
		n, err := r.flate.Read(p)
		switch {
		case n > 0:
			return n, nil
		case err == io.EOF:
			return 0, io.EOF
		case r.src.err != nil:
			return 0, r.end(r.src.err)
		case err == io.ErrUnexpectedEOF:
			return 0, r.cut(err)
		case err != nil:
			e := r.damage("deflate")
			e.Err = err
			return 0, r.lose(e)
		}
	}
}

// skip skips what is left of the entry.
func (r *Reader) skip() error {
	r.open = false
	from := r.offset()
	if r.how == asIs || r.how == inflated && r.header.csize >= 0 {
		left := r.begin + r.header.csize - r.offset()
		if left < 0 {
			return r.lose(r.damage("data longer than its %d bytes", r.header.csize))
		}
		err := r.discard(left)
		r.passed += r.offset() - from
		if err != nil {
			return r.cut(err)
		}
		if err := r.check(false); err != io.EOF {
			return err
		}
		return nil
	}
	for { // each iteration reads something
		_, err := r.data(r.scratch[:])
		if err != nil {
			r.passed += r.offset() - from
		}
		if err == io.EOF {
			err = r.check(true)
			if err == io.EOF {
				return nil
			}
		}
		if err != nil {
			return err
		}
	}
}

// check reads the descriptor that may follow the data, which ends here. It compares sizes
// and checksum with what was read, if that was read to the end. It returns io.EOF if they
// are right.
func (r *Reader) check(whole bool) error {
	r.open = false
	h, size := &r.header, r.offset()-r.begin
	out := r.out
	if e := &r.entry; !whole || e.Encrypted || r.how != inflated && e.Method != Store {
		out = -1 // unknown
	}
	if h.flags&flagDescriptor != 0 && !r.descriptor(size, out) && h.csize < 0 {
		if _, err := r.buf.Peek(maxDescriptor); err != nil {
			return r.cut(err) // nothing longer can follow
		}
		return r.lose(r.damage("no descriptor after the data"))
	}
	switch {
	case !low(h.csize, size):
		return r.lose(r.damage("%d bytes of data that should be %d", size, h.csize))
	case out >= 0 && !low(h.usize, out):
		return r.damage("%d bytes decompressed that should be %d", out, h.usize)
	case out >= 0 && h.crc != r.crc:
		return r.damage("CRC-32 is %08x and should be %08x", r.crc, h.crc)
	}
	return io.EOF
}
