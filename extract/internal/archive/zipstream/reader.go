package zipstream

import (
	"bufio"
	"io"
)

// Next reads between entries, and Read within an entry (data.go). Between entries there is a
// local header (header.go), the directory, or the end. Anything else is damage, after which
// Next searches the next header byte by byte.

const bufferSize = 64 << 10 // also the size of the longest header

// A Reader reads one archive. Call Reset before the first use, and again for each further
// archive. It allocates only the name of each entry.
type Reader struct {
	src counter
	buf *bufio.Reader // of src
	err error         // of Next; sticky

	begun  bool // something was examined
	lost   bool // search for the next record
	inside bool // within the directory
	ended  bool // after a directory
	open   bool // within an entry

	passed, sought int64 // see Taken

	entry  Entry
	header header
	body
	scratch [8 << 10]byte // for skipped data
}

// A counter counts what is read through it, and keeps the error.
type counter struct {
	in  io.Reader
	n   int64
	err error // not io.EOF
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.n += int64(n)
	if err != nil && err != io.EOF {
		c.err = err
	}
	return n, err
}

// Reset begins an archive: in is at its first local header. The Reader reads more than it
// needs, up to the end of in.
func (r *Reader) Reset(in *bufio.Reader) {
	r.src = counter{in: in}
	if r.buf == nil {
		r.buf = bufio.NewReaderSize(nil, bufferSize)
	}
	r.buf.Reset(&r.src)
	r.err, r.body = nil, body{done: io.EOF, flate: r.flate}
	r.begun, r.lost, r.inside, r.ended, r.open = false, false, false, false, false
	r.passed, r.sought = 0, 0
}

// offset returns the offset of what is read next.
func (r *Reader) offset() int64 { return r.src.n - int64(r.buf.Buffered()) }

// Taken returns how many bytes of the archive the Reader has finished, how many of these
// belong to entries that Next skipped, and how many were searched for a record after
// damage. The others were read, or are headers.
func (r *Reader) Taken() (all, passed, sought int64) { return r.offset(), r.passed, r.sought }

// Next skips what is left of the entry and returns the next one. The error is
//
//   - an [*Error] for damage, or for bytes after the archive that are not zero.
//     The next call continues after it.
//   - [io.EOF] at the end of the stream, if the directory was reached or damage was
//     returned.
//   - [io.ErrUnexpectedEOF] if the stream ends before, once all that was there has
//     been read.
//   - an error of the reader below, unchanged.
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
	r.done = io.EOF
	if !r.begun {
		r.begun = true
		if b, _ := r.buf.Peek(sigLen); begins(b, sigDescriptor) || begins(b, sigOnePiece) {
			_, _ = r.buf.Discard(sigLen)
		}
	}
	for {
		if r.lost {
			from := r.offset()
			err := r.seek()
			r.sought += r.offset() - from
			if err != nil {
				return nil, r.end(err)
			}
			r.lost = false
		}
		sig, err := r.buf.Peek(sigLen)
		switch {
		case begins(sig, sigLocal):
			r.inside, r.ended = false, false
			if err := r.local(); err != nil {
				return nil, err
			}
			r.start()
			return &r.entry, nil
		case r.isDirectory(sig):
			r.inside = true
			if err := r.directory(); err != nil {
				return nil, err
			}
		case len(sig) == 0:
			if err == io.EOF && !r.inside && r.offset() > 0 {
				err = io.ErrUnexpectedEOF
			}
			return nil, r.end(err)
		case r.ended && sig[0] == 0: // padding
			_, _ = r.buf.Discard(1)
		case r.ended:
			return nil, r.lose(r.damage("bytes after the archive"))
		case err != nil && r.inside:
			return nil, r.end(err)
		case err != nil:
			return nil, r.cut(err)
		default:
			return nil, r.lose(r.damage("no header of an entry: % x", sig))
		}
	}
}

// end makes err sticky.
func (r *Reader) end(err error) error {
	if r.src.err != nil {
		err = r.src.err
	}
	r.err, r.open = err, false
	return err
}

// cut is end, for an end within an entry.
func (r *Reader) cut(err error) error {
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return r.end(err)
}

// lose makes Next search for a record from here on, and returns err.
func (r *Reader) lose(err *Error) error {
	r.lost, r.open = true, false
	r.inside = true // damage was reported, so a missing directory is not reported again
	return err
}
