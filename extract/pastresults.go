package extract

import (
	"io"
	"slices"

	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/digest"
)

// A pastResults counts the results of a resumed file: those to leave out, from the point of restart
// on, and those found.
type pastResults struct {
	restart
	skip     int64           // results to leave out
	known    map[uint64]bool // hashes of other results to leave out
	total    int64           // results since the beginning of the file, except those in last
	final    bool            // the end of the file was reached
	last     []uint64        // hashes of the results after that
	reported []uint64        // errors

	found   stretch // see Place
	past    stretch
	ended   bool  // all was read
	message int64 // where the current message of a mailbox begins
}

// begin makes s leave out what was found up to p. same says that the options are the same.
func (s *pastResults) begin(p *Place, same bool) {
	s.reported, s.found, s.past, s.message = slices.Clone(p.reported), p.found, p.past, p.from
	if !same {
		s.n, s.past, s.total = 0, p.found, p.Results
		return
	}
	s.skip = s.n
	if len(p.last) > 0 {
		s.known = make(map[uint64]bool, len(p.last))
	}
	for _, h := range p.last { // at most maxLast
		s.known[h] = true
	}
}

// sure records that all results that begin in front of the offset at were found.
func (s *pastResults) sure(at int64) { s.found.begin = max(s.found.begin, at) }

// wasReported reports whether an earlier run has yielded e, and remembers e.
func (s *pastResults) wasReported(e *Error) bool {
	h := e.hash()
	if slices.Contains(s.reported, h) { // at most maxReported hashes
		return true
	}
	if s.reported = append(s.reported, h); len(s.reported) > maxReported {
		s.reported = slices.Delete(s.reported, 0, 1)
	}
	return false
}

// count counts r, which is yielded or was yielded by an earlier run.
func (s *pastResults) count(r *Result) {
	if r.Origin.Member == "" {
		s.sure(r.Origin.Offset + 1)
	}
	if !s.final {
		s.total++
		s.n++
		return
	}
	s.last = append(s.last, r.hash())
	if len(s.last) > maxLast {
		s.last = s.last[1:]
		s.total++
		s.n++
	}
}

// A renumbering changes the numbers in Results to those of the whole file.
type renumbering struct {
	front delta // numbers of the point where this run starts
	res   Result
}

// moved returns r with the numbers of the whole file. It is valid until the next call.
func (m *renumbering) moved(r *Result) *Result {
	if m.front.lines == 0 && m.front.messages == 0 {
		return r
	}
	m.res = *r
	m.front.addToLines(&m.res)
	m.front.addToMessage(&m.res.Origin)
	return &m.res
}

// fileDigests are digests of the bytes of a resumed file, from its beginning to where it was read.
type fileDigests struct {
	stored, text digest.Digest // of the file, and of its decompressed stream
	in           digest.Reader
	layers       *compress.Pool // decompresses the file
	packed       bool           // the file is compressed
	packedKnown  bool           // packed is known
}

// seek continues reading at the offset at of the file, which r reads.
func (d *fileDigests) seek(file io.Seeker, r io.Reader, at int64) bool {
	_, err := file.Seek(at, io.SeekStart)
	d.in = digest.Reader{R: r, At: at, Sum: &d.stored}
	return err == nil
}

// noteCompression records whether the file is compressed. Its decompressed stream is open.
func (d *fileDigests) noteCompression() {
	if !d.packedKnown {
		d.packed, d.packedKnown = d.layers.Compressions() > 0, true
	}
}

// tapText adds p, which is at the offset at of the decompressed stream, to the digest of that
// stream.
func (d *fileDigests) tapText(at int64, p []byte) {
	if d.noteCompression(); d.packed {
		d.text.Reread(at, p)
	}
}
