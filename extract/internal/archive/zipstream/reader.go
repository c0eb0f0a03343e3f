package zipstream

import (
	"bufio"
	"io"
)

// The plan: Next is between entries, and Read in one (data.go). Between entries
// stands a local header (header.go), or the directory, or the end; anything else
// is damage, after which Next looks for the next header byte by byte.

const bufferSize = 64 << 10 // what is examined at once; no header is longer

// A Reader reads one archive. It is to be Reset before it is used, and may be
// Reset as often as there are archives. It allocates nothing for each entry but the
// name.
type Reader struct {
	src counter
	buf *bufio.Reader // of src
	err error         // of Next, again and again

	begun  bool // something was examined
	lost   bool // what follows begins no record: it is to be looked for
	inside bool // in the directory
	ended  bool // after one
	open   bool // in an entry

	passed, sought int64 // see Taken

	entry  Entry
	header header
	body
	scratch [8 << 10]byte // for what nobody wants to have
}

// A counter counts what is read through it, and keeps what went wrong.
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

// Reset begins an archive: in is at its first local header. The Reader reads in
// larger pieces than it needs, up to the end of what in reads.
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

// offset returns that of what is read next.
func (r *Reader) offset() int64 { return r.src.n - int64(r.buf.Buffered()) }

// Taken returns how many bytes of the archive the Reader is done with, and of
// these how many are of entries that Next went over, and how many it examined for
// a record, after damage. The rest was read, or is headers.
func (r *Reader) Taken() (all, passed, sought int64) { return r.offset(), r.passed, r.sought }

// Next continues to the next entry, over what is left of the one before. It returns
//
//   - an [*Error] for damage, or for bytes after the archive that are not zero.
//     The next call continues after it.
//   - [io.EOF] at the end of the stream, if the directory has been reached or
//     damage been told.
//   - [io.ErrUnexpectedEOF] if the stream ends before, once all that was there has
//     been read.
//   - an error of the reader below, as it is.
//
// The last three are returned again by each call after. The Entry is good until
// then. Each iteration of the loop continues by a record.
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
			return nil, r.lose(r.damage("bytes behind the archive"))
		case err != nil && r.inside:
			return nil, r.end(err)
		case err != nil:
			return nil, r.cut(err)
		default:
			return nil, r.lose(r.damage("no header of an entry: % x", sig))
		}
	}
}

// end keeps err for good.
func (r *Reader) end(err error) error {
	if r.src.err != nil {
		err = r.src.err
	}
	r.err, r.open = err, false
	return err
}

// cut is the end if it comes within something.
func (r *Reader) cut(err error) error {
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return r.end(err)
}

// lose makes Next look for a record from here, and returns err.
func (r *Reader) lose(err *Error) error {
	r.lost, r.open = true, false
	r.inside = true // damage was reported: the end is not reported again
	return err
}
