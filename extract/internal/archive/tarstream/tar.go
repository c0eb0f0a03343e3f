package tarstream

import (
	"bufio"
	"io"
	"math"

	"github.com/urlsift/urlsift/extract/internal/damage"
)

// A Reader reads one archive. Call Reset before the first use, and again for each further
// archive. It allocates only the name of each member.
type Reader struct {
	input
	err error // sticky

	begun int64 // see Begun
	lost  bool  // a block that is not a header was reported; the search goes on
	empty int   // number of consecutive zero blocks

	passed, sought int64 // see Counts

	ext
	sparse sparse
	block  block
}

// Reset begins an archive at its first block. The Reader reads no more of in than it needs.
// level is the depth of in; see [damage.Damage].Level.
func (r *Reader) Reset(in *bufio.Reader, level int) {
	*r = Reader{input: input{in: in, level: level}, ext: r.ext, sparse: r.sparse}
	r.forget()
}

// forget forgets what extended headers have said.
func (r *Reader) forget() {
	r.ext.reset()
	r.sparse.reset()
}

// Next skips the rest of the current member and returns the next one. name is verbatim,
// size is the size of the stored data in bytes. regular says that the member is a regular
// file, and not a link, a directory or a device. The data of any member can be read. The error is
//
//   - a *damage.Damage that is Mild for damage, or for blocks after the end that are not an
//     archive. The next call continues after it.
//   - [io.EOF] at the end of the stream,
//   - a Damage that is not Mild and wraps [io.ErrUnexpectedEOF] if the stream ends within a
//     member, after all bytes of the member were returned,
//   - an error of in, unchanged.
//
// The last three are sticky. Each iteration of the loop consumes a block.
func (r *Reader) Next() (name string, size int64, regular bool, err error) {
	if r.err != nil {
		return "", 0, false, r.err
	}
	if r.sparse.is {
		r.sparse.reset()
	}
	for {
		if err := r.skip(); err != nil {
			return "", 0, false, err
		}
		if r.empty == 0 && !r.lost {
			r.begun = r.pos
		}
		if err := r.read(); err != nil {
			if r.said {
				err = r.cut(err)
			}
			return "", 0, false, err
		}
		switch {
		case r.block == zeros:
			r.empty++
			r.forget()
			continue
		case !r.block.isHeader():
			r.forget()
			r.sought += blockSize
			if r.lost {
				continue
			}
			r.lost = true
			if r.empty > 1 {
				return "", 0, false, r.damage(r.pos-blockSize, "blocks after the end of the archive")
			}
			return "", 0, false, r.damage(r.pos-blockSize, "no header of a member")
		}
		r.lost, r.empty = false, 0
		size, ok := number(r.block.size())
		if !ok || size > math.MaxInt64-blockSize {
			r.forget()
			r.lost = true // report the data once, not each of its blocks
			r.sought += blockSize
			return "", 0, false, r.damage(r.pos-blockSize, "impossible size of a member")
		}
		r.open(size)
		r.said = true
		kind := r.block.kind()
		extends, err := r.extend(kind)
		if !extends {
			return r.member(kind)
		}
		if err != nil {
			return "", 0, false, err
		}
	}
}

// extend reads the member whose header was just read, if it is an extended header.
func (r *Reader) extend(kind byte) (extends bool, err error) {
	switch kind {
	case 'x', 'X':
		err = r.pax(&r.input, &r.sparse)
	case 'L':
		err = r.longName(&r.input)
	case 'K', 'g':
	default:
		return false, nil
	}
	if d, ok := err.(*damage.Damage); err != nil && (!ok || !d.Mild) { // an error of in
		err = r.cut(err)
	}
	return true, err
}

// member returns the results of Next for the member whose header was just read.
func (r *Reader) member(kind byte) (name string, size int64, regular bool, err error) {
	name = r.memberName()
	if r.ext.size >= 0 {
		r.open(r.ext.size)
	}
	r.ext.reset()
	switch kind {
	case 'V', '1', '2', '3', '4', '5', '6': // a volume label, links, devices, directory, FIFO
		r.open(0) // regardless of the size in the header
	case 'S':
		regular = true
		err = r.mapOfGNU()
	default:
		// Capital letters are vendor types, which are not files, except M (the rest of a
		// file that began in another volume).
		regular = kind < 'A' || kind > 'Z' || kind == 'M'
		if r.sparse.is {
			err = r.mapOfPax()
		}
	}
	if err != nil {
		return "", 0, false, err
	}
	if r.sparse.is {
		r.sparse.finish()
	}
	if n := len(name); kind == 0 && n > 0 && name[n-1] == '/' {
		regular = false // a directory of V7
	}
	return name, r.left, regular, nil
}

// memberName returns the name of the member whose header was read.
func (r *Reader) memberName() string {
	b := &r.block
	switch name := b.name(); {
	case len(r.path) > 0:
	case len(r.ext.name) > 0:
		r.path = append(r.path, r.ext.name...)
	case string(b.magic()) == "ustar\x00" && len(b.prefix()) > 0:
		r.path = append(append(append(r.path, b.prefix()...), '/'), name...)
	default:
		r.path = append(r.path, name...)
	}
	return string(r.path)
}

// Read reads data of the member, and does not wait to fill p. It returns [io.EOF] at the end of
// the member. If the archive ends within the member, it returns a *damage.Damage at the level
// of the member that wraps [io.ErrUnexpectedEOF], and Next returns this Damage again. Errors of
// in are returned unchanged. Each error comes after the bytes in front of it.
func (r *Reader) Read(p []byte) (int, error) {
	switch {
	case r.err != nil && r.err != io.EOF:
		return 0, r.err
	case r.sparse.is:
		return r.readSparse(p)
	}
	return r.readData(p)
}

// readData is Read without regard to holes.
func (r *Reader) readData(p []byte) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	n, err := r.in.Read(p[:min(int64(len(p)), r.left)])
	r.pos += int64(n)
	r.left -= int64(n)
	if n > 0 || err == nil {
		return n, nil
	}
	if err == io.EOF {
		err = damage.Truncated(damage.StageTar, r.level+1)
	}
	return 0, r.end(err)
}

// Begun returns the offset of the header of the current member. At the end of the archive it
// returns the offset of the zeros that end it.
func (r *Reader) Begun() int64 { return r.begun }

// Counts returns how many bytes of the archive the Reader has finished; how many of these
// belong to members that Next skipped; and how many to blocks in which no header was found
// after damage. The others were read, or are headers.
func (r *Reader) Counts() (all, passed, sought int64) { return r.pos, r.passed, r.sought }

// skip skips the rest of the member and of its last block. Each iteration skips some bytes. If
// only the filling of the last block is missing, the archive ends there without damage, unless the
// block belongs to an extended header, whose member is missing too.
func (r *Reader) skip() error {
	from := r.pos
	err := r.discard(&r.left)
	if !r.said { // otherwise the extended header describes another member
		r.passed += r.pos - from
	}
	if err != nil {
		return r.cut(err)
	}
	switch err := r.discard(&r.pad); {
	case err != nil && r.said:
		return r.cut(err)
	case err != nil:
		return r.end(err)
	}
	return nil
}

// read reads a block. At the end, zeros shorter than a block are padding.
func (r *Reader) read() error {
	n, err := r.readBlock(&r.block)
	if err == io.ErrUnexpectedEOF && (r.lost || string(r.block[:n]) == string(zeros[:n])) {
		err = io.EOF
	}
	switch err {
	case nil:
		return nil
	case io.ErrUnexpectedEOF:
		return r.cut(err)
	}
	return r.end(err)
}

// end makes err sticky.
func (r *Reader) end(err error) error {
	r.err, r.left, r.pad = err, 0, 0
	return err
}

// cut ends the archive with err. If the archive has ended within a member, the error is a
// Damage.
func (r *Reader) cut(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = damage.Truncated(damage.StageTar, r.level)
	}
	return r.end(err)
}
