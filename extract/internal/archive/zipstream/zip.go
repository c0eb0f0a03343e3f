package zipstream

import (
	"bufio"
	"io"

	"github.com/urlsift/urlsift/extract/internal/damage"
)

// Next reads between entries, and Read within an entry (data.go). Between entries there is
// a local header (header.go), the directory, or the end. Anything else is damage, after
// which Next searches for the next header byte by byte.

// A Reader reads one archive. Call Reset before the first use, and again for each further
// archive. It allocates only the name of each entry.
type Reader struct {
	input
	err error // of Next; sticky

	begun  bool // something was examined
	search bool // search for the next record
	inside bool // within the directory
	ended  bool // after a directory
	open   bool // within an entry

	passed, sought int64 // see Counts

	entry   Entry
	body    entryData
	scratch [8 << 10]byte // for skipped data
}

// Reset begins an archive: in is at its first local header. The Reader may read beyond the
// archive, up to the end of in. level is the depth of in; see [damage.Damage].Level.
func (r *Reader) Reset(in *bufio.Reader, level int) {
	r.reset(in, level)
	r.err, r.body = nil, entryData{in: &r.input, done: io.EOF, flate: r.body.flate}
	r.begun, r.search, r.inside, r.ended, r.open = false, false, false, false, false
	r.passed, r.sought = 0, 0
}

// Counts returns how many bytes of the archive the Reader has finished, how many of these
// belong to entries that Next skipped, and how many were skipped in the search for a record
// after damage. The others were read, or are headers.
func (r *Reader) Counts() (all, passed, sought int64) { return r.offset(), r.passed, r.sought }

// Next skips what is left of the entry and returns the next one. The error is
//
//   - a *damage.Damage that is Mild for damage, or for bytes after the archive that are not
//     zero. The next call continues after it.
//   - [io.EOF] at the end of the stream, if the directory was reached or damage was returned.
//   - a Damage that is not Mild and wraps [io.ErrUnexpectedEOF] if the stream ends before the
//     directory. All bytes of the stream were read.
//   - an error of in, unchanged.
//
// The last three are sticky. The Entry is valid until the next call. Each iteration of the
// loop consumes a record.
func (r *Reader) Next() (*Entry, error) {
	if r.err != nil {
		return nil, r.err
	}
	if r.open {
		if err := r.skip(); err != nil {
			return nil, err
		}
	}
	r.body.done = io.EOF
	if !r.begun {
		r.begun = true
		if b, _ := r.buf.Peek(sigLen); begins(b, sigDescriptor) || begins(b, sigOnePiece) {
			_, _ = r.buf.Discard(sigLen)
		}
	}
	for {
		if r.search {
			from := r.offset()
			err := r.seek()
			r.sought += r.offset() - from
			if err != nil {
				return nil, r.end(err)
			}
			r.search = false
		}
		sig, err := r.buf.Peek(sigLen)
		switch {
		case begins(sig, sigLocal):
			return r.enter()
		case isDirectory(sig):
			r.inside = true
			b, _ := r.buf.Peek(directoryLen) // there may be fewer bytes
			if begins(b, sigEnd) {
				r.ended = true
			}
			if err := r.discard(directoryRecord(b)); err != nil {
				return nil, r.end(err)
			}
		case len(sig) == 0:
			if err == io.EOF && !r.inside && r.offset() > 0 {
				err = r.cut(err)
			}
			return nil, r.end(err)
		case r.ended && sig[0] == 0: // padding
			_, _ = r.buf.Discard(1)
		case r.ended:
			return nil, r.fail(r.lost("bytes after the archive"))
		case err != nil && r.inside:
			return nil, r.end(err)
		case err != nil:
			return nil, r.fail(r.cut(err))
		default:
			return nil, r.fail(r.lost("no header of an entry: % x", sig))
		}
	}
}

// enter opens the entry whose header begins here.
func (r *Reader) enter() (*Entry, error) {
	r.inside, r.ended = false, false
	h, err := r.local(&r.entry)
	if err != nil {
		return nil, r.fail(err)
	}
	r.open = true
	r.body.start(&r.entry, h)
	return &r.entry, nil
}

// Read reads data of the entry. Stored and deflated data is returned as it was before
// compression; data that was compressed by [Bzip2], [Zstd] or [XZ] is returned compressed.
// Read does not wait to fill p. After the bytes in front of it, it returns
//
//   - [io.EOF] at the end of an entry whose sizes and checksum are right,
//   - a *damage.Damage at the level of the entry. Wrong sizes and checksums are also such
//     damage. It is returned at once for an entry that is encrypted or compressed in another
//     way. [Reader.Next] continues after it.
//   - such a Damage that wraps [io.ErrUnexpectedEOF] if the archive ends within the entry; Next
//     returns it again,
//   - an error of in, unchanged.
func (r *Reader) Read(p []byte) (int, error) {
	d := &r.body
	switch {
	case d.done != nil:
		return 0, d.done
	case len(p) == 0:
		return 0, nil
	}
	n, err := d.read(p)
	if n > 0 {
		return n, nil // an error is returned again
	}
	if err == io.EOF {
		r.open = false
		err = d.check(true)
	}
	if err != io.EOF {
		err = r.fail(err)
		if own, ok := err.(*damage.Damage); ok && err != r.src.err {
			err = ofEntry(own)
		}
	}
	d.done = err
	return 0, err
}

// skip skips what is left of the entry.
func (r *Reader) skip() error {
	r.open = false
	d, from := &r.body, r.offset()
	if left, known := d.left(); known {
		if left < 0 {
			return r.fail(r.lost("data longer than its %d bytes", d.header.csize))
		}
		err := r.discard(left)
		r.passed += r.offset() - from
		if err != nil {
			return r.fail(r.cut(err))
		}
		if err := d.check(false); err != io.EOF {
			return r.fail(err)
		}
		return nil
	}
	for { // each iteration reads something
		_, err := d.read(r.scratch[:])
		if err != nil {
			r.passed += r.offset() - from
		}
		if err == io.EOF {
			err = d.check(true)
			if err == io.EOF {
				return nil
			}
		}
		if err != nil {
			return r.fail(err)
		}
	}
}

// fail ends the entry because of err, and returns the error for the caller. The error is sticky
// unless it is a Damage that is Mild. If the beginning of the next record is not known, Next
// searches for it from here on.
func (r *Reader) fail(err error) error {
	if d, ok := err.(*damage.Damage); !ok || !d.Mild {
		return r.end(err)
	}
	r.open = false
	if r.astray {
		r.astray = false
		r.search = true
		r.inside = true // damage was reported, so a missing directory is not reported again
	}
	return err
}

// end makes err sticky.
func (r *Reader) end(err error) error {
	if r.src.err != nil {
		err = r.src.err
	}
	r.err, r.open = err, false
	return err
}
