// Package sequence reads archives that are a sequence of members, each a header and its data: ar and cpio.
// It reads them from front to back, without seeking, and continues after damage.
//
//	r := sequence.NewAr()
//	r.Reset(in, 0) // in is a *bufio.Reader at the first byte
//	for {
//		name, err := r.Next()
//		if err == io.EOF {
//			break
//		}
//		...                // a *damage.Damage: report it and go on
//		if name != "" {    // otherwise it is no file
//			io.Copy(out, r) // or nothing: Next skips the data
//		}
//	}
//
// A layout is what differs: how a header is found and what it says. To add a format, add a file with its
// layout. tar and zip have more to them, and packages of their own: tarstream, zipstream.
//
// # Limits
//
// If there is no header where one should be, Next returns a *damage.Damage, and the next call searches
// for a header byte by byte. A Reader holds one name, of at most 64 KiB, and of ar at most 256 KiB of a
// table of names. Nothing else grows with the input.
package sequence

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/urlsift/urlsift/extract/internal/damage"
)

// A layout is how the archives of one format are built.
type layout struct {
	stage damage.Stage
	magic int // bytes in front of the first header

	// Each header has mark at the offset at, and at most most bytes. parse parses the header that b
	// begins with, and returns its size; 0 if there is none. b may be shorter at the end of the archive.
	mark     string
	at, most int
	parse    func(b []byte) (m member, size int)

	// enter reads what follows the header in front of the data, such as a name, and completes r.member.
	enter func(r *Reader) error

	trailer bool // a member that is no file ends the archive; enter sets r.ended
}

// A member is what a header says.
type member struct {
	name string
	file bool  // and not a directory, a link, a table
	left int64 // bytes of data that were not read
	pad  int64 // bytes after the data

	nameSize, namePad int64 // of a name that follows the header, and bytes after the name

	checked  bool // has, the sum of all bytes of data, should be sum
	sum, has uint32
}

// A Reader reads one archive. Call Reset before the first use, and again for each further archive.
type Reader struct {
	layout
	in    *bufio.Reader
	level int   // of in; see [damage.Damage].Level
	pos   int64 // bytes taken from in
	err   error // sticky

	member
	astray bool // damage was reported, and no header was found since
	ended  bool // after the trailer

	passed, sought int64 // see Counts

	text  []byte // of a name; reused
	table []byte // of names, in ar
}

// Reset begins the archive that in reads. The Reader reads no more of it than it needs. level is the depth
// of in.
func (r *Reader) Reset(in *bufio.Reader, level int) {
	*r = Reader{layout: r.layout, in: in, level: level, text: r.text, table: r.table[:0]}
	r.left = int64(r.magic)
	r.err = r.discard(&r.left)
	r.member = member{}
}

// Counts returns how many bytes of the archive the Reader has finished; how many of these belong to
// members that Next skipped; and how many were skipped in the search for a header after damage.
func (r *Reader) Counts() (all, passed, sought int64) { return r.pos, r.passed, r.sought }

// Next skips the rest of the member and returns the name of the next one, or "" if that is no file. The
// error is
//
//   - a *damage.Damage that is Mild: no header where one should be. The next call continues after it.
//   - [io.EOF] at the end of the archive,
//   - a Damage that is not Mild and wraps [io.ErrUnexpectedEOF] if the archive ends within a member, or
//     in front of its last one,
//   - an error of in, unchanged.
//
// The last three are sticky.
func (r *Reader) Next() (string, error) {
	if r.err != nil {
		return "", r.err
	}
	from := r.pos
	err := r.discard(&r.left)
	r.passed += r.pos - from
	if err != nil {
		return "", r.cut(err)
	}
	if err := r.discard(&r.pad); err != nil && (err != io.EOF || r.trailer) {
		return "", r.cut(err)
	}
	if r.astray {
		from := r.pos
		err := r.seek()
		if r.sought += r.pos - from; err != nil {
			return "", r.end(err)
		}
	}
	if r.ended {
		if err := r.skipZeros(); err != nil {
			return "", r.end(err)
		}
	}
	b, err := r.in.Peek(r.most) // fewer at the end
	m, size := r.parse(b)
	switch n := int64(len(b)); {
	case size > 0:
	case err != nil && err != io.EOF:
		return "", r.end(err)
	case err == io.EOF && !r.trailer && len(bytes.Trim(b, "\x00\n")) == 0: // padding
		_ = r.discard(&n)
		return "", r.end(err)
	case err == io.EOF && !r.ended:
		_ = r.discard(&n)
		return "", r.cut(err)
	default:
		what := damage.Fact("no header of a member")
		if r.ended {
			what = "bytes after the end of the archive"
		}
		r.astray, r.ended = true, false
		return "", &damage.Damage{Class: damage.Pack, Stage: r.stage, Err: what, Level: r.level, Offset: r.pos, Known: true, Mild: true}
	}
	r.member, r.astray, r.ended = m, false, false
	n := int64(size)
	if err = r.discard(&n); err == nil {
		err = r.enter(r)
	}
	switch {
	case err != nil:
		return "", r.cut(err)
	case r.file:
		return r.name, nil
	}
	return "", nil
}

// Read reads data of the member, and does not wait to fill p. It returns [io.EOF] at its end. If the
// archive ends within the member, it returns a *damage.Damage at the level of the member that wraps
// [io.ErrUnexpectedEOF], and Next returns this Damage again. If the checksum of the data is wrong, it
// returns such a Damage at the end, and Next continues. Errors of in are returned unchanged.
func (r *Reader) Read(p []byte) (int, error) {
	switch {
	case r.err != nil && r.err != io.EOF:
		return 0, r.err
	case r.left == 0 && r.checked && r.has != r.sum:
		return 0, &damage.Damage{Class: damage.Pack, Stage: r.stage, Err: damage.Fact(fmt.Sprintf("the sum of the bytes is %08x and should be %08x", r.has, r.sum)), Level: r.level + 1}
	case r.left == 0:
		return 0, io.EOF
	}
	n, err := r.in.Read(p[:min(int64(len(p)), r.left)])
	r.pos += int64(n)
	r.left -= int64(n)
	if r.checked {
		for _, c := range p[:n] {
			r.has += uint32(c)
		}
	}
	if n > 0 || err == nil {
		return n, nil
	}
	if err == io.EOF {
		err = damage.Truncated(r.stage, r.level+1)
	}
	return 0, r.end(err)
}

// seek continues to the next header. If an error comes first, seek returns the error. Each iteration
// consumes what is buffered, except for what may be the beginning of a header, or one byte of what is none.
func (r *Reader) seek() error {
	for {
		b, err := r.in.Peek(r.most)
		if err == nil {
			b, _ = r.in.Peek(r.in.Buffered())
		}
		n := int64(bytes.Index(b[min(r.at, len(b)):], []byte(r.mark)))
		switch {
		case n >= 0:
			_ = r.discard(&n) // it is buffered
			b, _ = r.in.Peek(r.most)
			if _, size := r.parse(b); size > 0 {
				return nil
			}
			n = 1
		case err == nil:
			n = int64(len(b) - r.at - len(r.mark) + 1)
		default:
			n = int64(len(b))
		}
		_ = r.discard(&n)
		if len(b) == 0 || n < 0 {
			return err
		}
	}
}

// skipZeros skips the zeros after a trailer.
func (r *Reader) skipZeros() error {
	for {
		_, err := r.in.Peek(1)
		b, _ := r.in.Peek(r.in.Buffered())
		rest := len(bytes.TrimLeft(b, "\x00"))
		n := int64(len(b) - rest)
		_ = r.discard(&n)
		if rest > 0 || err != nil && len(b) == 0 {
			return err
		}
	}
}

// take reads n bytes into dst from its beginning. It keeps at most most bytes, and skips the others.
func (r *Reader) take(dst []byte, n int64, most int) ([]byte, error) {
	k := int(min(n, int64(most)))
	dst = slices.Grow(dst[:0], k)[:k]
	m, err := io.ReadFull(r.in, dst)
	r.pos += int64(m)
	if err != nil {
		return dst[:0], err
	}
	n -= int64(k)
	return dst, r.discard(&n)
}

// discard skips *n bytes, and subtracts them from *n.
func (r *Reader) discard(n *int64) error {
	for *n > 0 {
		k, err := r.in.Discard(int(min(*n, 1<<30)))
		*n -= int64(k)
		r.pos += int64(k)
		if err != nil {
			return err
		}
	}
	return nil
}

// end makes err sticky.
func (r *Reader) end(err error) error {
	r.err, r.left, r.pad = err, 0, 0
	return err
}

// cut ends the archive with err. If the archive has ended within a member, the error is a Damage.
func (r *Reader) cut(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = damage.Truncated(r.stage, r.level)
	}
	return r.end(err)
}

// maxName is how many bytes of a name are kept. The rest is cut off.
const maxName = 64 << 10

// untilNUL returns b up to the first NUL.
func untilNUL(b []byte) []byte {
	b, _, _ = bytes.Cut(b, []byte{0})
	return b
}
