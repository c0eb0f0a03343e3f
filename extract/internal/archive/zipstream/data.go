package zipstream

import (
	"bytes"
	"hash/crc32"
	"io"

	"github.com/urlsift/urlsift/extract/internal/compress/inflate"
)

// A dataEnd says how the end of an entry's data is found.
type dataEnd uint8

const (
	bySize       dataEnd = iota // by its size
	byStream                    // by the end of the deflate stream
	byDescriptor                // by a descriptor with the right size
)

// An entryData is the state of reading the data of an entry.
type entryData struct {
	in     *input
	entry  *Entry
	header header // what the data is compared with
	endsBy dataEnd
	begin  int64 // offset of the data
	out    int64 // decompressed bytes
	crc    uint32
	done   error // of Read; sticky
	safe   int   // bytes of stored data that are not a descriptor, see [entryData.findSafe]
	seen   int   // bytes that have been examined for a descriptor
	last   bool  // the data ends after safe
	flate  *inflate.Reader
}

var table = crc32.IEEETable

// start prepares for the data of e, whose header is h.
func (d *entryData) start(e *Entry, h header) {
	*d = entryData{in: d.in, entry: e, header: h, begin: d.in.offset(), flate: d.flate}
	switch {
	case e.Encrypted:
		d.done = ofEntry(d.in.damage("encrypted entry"))
	case e.Method == Deflate:
		d.endsBy = byStream
		if d.flate == nil {
			d.flate = new(inflate.Reader)
		}
		d.flate.Reset(d.in.buf)
	case e.Method != Store && e.Method != Bzip2 && e.Method != Zstd && e.Method != XZ:
		d.done = ofEntry(d.in.damage("entry compressed by method %d", e.Method))
	}
	if d.endsBy != byStream && h.csize < 0 {
		d.endsBy = byDescriptor
	}
}

// left returns how many bytes of the data were not read; it may be negative if the data is
// damaged. known is false if the header does not say the size.
func (d *entryData) left() (n int64, known bool) {
	if d.endsBy == bySize || d.endsBy == byStream && d.header.csize >= 0 {
		return d.begin + d.header.csize - d.in.offset(), true
	}
	return 0, false
}

// read reads from the entry, and returns n > 0 or an error, which is io.EOF at the end of
// the data.
func (d *entryData) read(p []byte) (n int, err error) {
	switch d.endsBy {
	case byStream:
		n, err = d.inflate(p)
	case byDescriptor:
		if d.safe == 0 {
			if err := d.findSafe(); err != nil {
				return 0, err
			}
		}
		n, err = d.in.buf.Read(p[:min(len(p), d.safe)])
		d.safe -= n
		d.seen -= n
	default:
		left := d.header.csize - d.out
		if left == 0 {
			return 0, io.EOF
		}
		n, err = d.in.buf.Read(p[:min(int64(len(p)), left)])
		if n == 0 && err != nil {
			return 0, d.in.cut(err)
		}
	}
	d.crc = crc32.Update(d.crc, table, p[:n])
	d.out += int64(n)
	return n, err
}

// inflate reads from the decompressor, which reads no further than it must. The loop
// iterates only while the decompressor starts and returns nothing.
func (d *entryData) inflate(p []byte) (int, error) {
	for {
		n, err := d.flate.Read(p)
		switch {
		case n > 0:
			return n, nil
		case err == io.EOF:
			return 0, io.EOF
		case d.in.src.err != nil:
			return 0, d.in.src.err
		case err == io.ErrUnexpectedEOF:
			return 0, d.in.cut(err)
		case err != nil:
			return 0, d.in.lost("deflate: %w", err)
		}
	}
}

// check reads the descriptor that may follow the data, which ends here. check compares the size of
// the data with that in the header or the descriptor. whole says that all of the data was read.
// Then check also compares the decompressed size and the checksum, unless the data is encrypted or
// was returned compressed. It returns io.EOF if nothing differs.
func (d *entryData) check(whole bool) error {
	h, size := &d.header, d.in.offset()-d.begin
	out := d.out
	if e := d.entry; !whole || e.Encrypted || d.endsBy != byStream && e.Method != Store {
		out = -1 // unknown
	}
	if h.flags&flagDescriptor != 0 && !h.descriptor(d.in.buf, size, out) && h.csize < 0 {
		if _, err := d.in.buf.Peek(maxDescriptor); err != nil {
			return d.in.cut(err) // the archive ends: the descriptor is cut
		}
		return d.in.lost("no descriptor after the data")
	}
	switch {
	case !low(h.csize, size):
		return d.in.lost("%d bytes of data that should be %d", size, h.csize)
	case out >= 0 && !low(h.usize, out):
		return d.in.damage("%d bytes decompressed that should be %d", out, h.usize)
	case out >= 0 && h.crc != d.crc:
		return d.in.damage("CRC-32 is %08x and should be %08x", d.crc, h.crc)
	}
	return io.EOF
}

// If the size of an entry is not known, stored data and data that is not decompressed here end
// at a descriptor with the right size. A descriptor with a signature is recognised by its
// signature. A descriptor without one is recognised by the record that follows it, so the bytes
// that may be a descriptor are held back.

const keepBack = maxDescriptor

// findSafe finds how many bytes can be returned (d.safe), and whether the data ends after them
// (d.last). It returns io.EOF at the end of the data. Each iteration examines bytes that
// were not examined before; a record is examined again after the bytes in front of it were
// returned, or when more of it was read.
func (d *entryData) findSafe() error {
	if d.last {
		return io.EOF
	}
	for {
		b, err := d.in.buf.Peek(d.in.buf.Buffered())
		if len(b) <= d.seen || len(b) <= keepBack {
			b, err = d.in.more(len(b) + 1)
		}
		for d.seen < len(b) {
			i := bytes.IndexByte(b[d.seen:], 'P')
			if i < 0 {
				d.seen = len(b)
				break
			}
			i += d.seen
			d.seen = i
			if isBegun(b[i:]) {
				switch n := i + maxDescriptor + sigLen; {
				case i > keepBack:
					d.safe = i - keepBack
					return nil
				case len(b) < n && err == nil:
					b, err = d.in.more(n)
				}
				if end := d.ends(b, i); end >= 0 {
					d.safe, d.last = end, true
					if end == 0 {
						return io.EOF
					}
					return nil
				}
			}
			d.seen++
		}
		switch {
		case err != nil && len(b) > 0: // the end, without a descriptor
			d.safe = len(b)
			return nil
		case err != nil:
			return d.in.cut(err)
		case len(b) > keepBack:
			d.safe = len(b) - keepBack
			return nil
		}
	}
}

// isBegun reports whether b begins with the signature of a record that can follow data, or
// may do so with more bytes.
func isBegun(b []byte) bool {
	n := min(len(b), sigLen)
	return string(b[:n]) == sigDescriptor[:n] || string(b[:n]) == sigLocal[:n] || string(b[:n]) == sigDirectory[:n]
}

// ends returns where the data ends if b[i:] begins with the first record after it, or -1. b has the
// bytes that Read has not returned yet, so b[:i] is not longer than a descriptor.
func (d *entryData) ends(b []byte, i int) int {
	stored := d.entry.Method == Store && !d.entry.Encrypted
	fits := func(f descriptorForm, at int) bool {
		size, out := d.out+int64(at), int64(-1)
		if stored {
			out = size
		}
		return at >= 0 && f.fits(b[at:], size, out)
	}
	switch {
	case begins(b[i:], sigDescriptor):
		if fits(forms[0], i) || fits(forms[1], i) {
			return i
		}
		for _, f := range forms[:2] { // a descriptor with a signature; its sizes may be wrong
			if stored && f.before(b[i:]) && f.crc(b[i:]) == crc32.Update(d.crc, table, b[:i]) {
				return i
			}
		}
	case begins(b[i:], sigLocal), begins(b[i:], sigDirectory):
		for _, f := range forms { // a descriptor without a signature, or with a wrong one
			if at := i - f.len(); fits(f, at) {
				return at
			}
		}
	}
	return -1
}
