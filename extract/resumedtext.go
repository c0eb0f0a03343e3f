package extract

import (
	"bytes"
	"io"
	"slices"
	"time"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/digest"
	"github.com/urlsift/urlsift/extract/internal/document"
)

// This file decides which results of a resumed file were yielded by earlier runs. If a run has the
// same options as the last one, it leaves out as many results as the last run has found after the
// point of restart. If it has other options, it leaves out the results in the stretch where the
// last run has found all. So it prints only results from the new text.

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

// settle records whether the file is compressed. Its decompressed stream is open.
func (d *fileDigests) settle() {
	if !d.packedKnown {
		d.packed, d.packedKnown = d.layers.Compressions() > 0, true
	}
}

// tapText adds p, which is at the offset at of the decompressed stream, to the digest of that
// stream.
func (d *fileDigests) tapText(at int64, p []byte) {
	if d.settle(); d.packed {
		d.text.Reread(at, p)
	}
}

// The rest of this file reads running text that is resumed. It records which results were
// found, and from which line a later run can start.

// captureEvery is how many bytes of text are read until the reader searches for a later point of
// restart; captureLast is the same at the end of a file. Only tests change them.
var (
	captureEvery int64 = 8 << 20
	captureLast  int64 = 32 << 10
)

// twinBytes is how much text is scanned again to find such a point.
const twinBytes = 4 << 10

// A resumedText reads running text that is resumed.
type resumedText struct {
	s    *resumption
	t    *document.Text
	tail []byte           // the last bytes that were read
	twin *delimit.Scanner // see capture
}

// Read reads once. It returns io.EOF without bytes.
func (r *resumedText) Read(p []byte) (int, error) {
	s, at := r.s, r.t.RawRead()
	if s.warming = s.warming && at < s.upto; s.warming {
		p = p[:min(int64(len(p)), s.upto-at)]
	} else {
		if at-s.upto >= captureEvery {
			r.capture(at)
		}
		if s.isDue(time.Now()) {
			r.decided()
			s.reportPlace()
		}
	}
	n, err := r.t.Read(p)
	r.keepTail(p[:n])
	if err == io.EOF && n > 0 {
		return n, nil
	}
	if err == io.EOF && !s.warming {
		r.decided()
		if at-s.upto >= captureLast {
			r.capture(at)
		}
		s.held = s.held || s.file.Growing
		s.final = true
	}
	return n, err
}

// decided records which results were found. The caller is in a Read of the scanner.
func (r *resumedText) decided() { r.s.sure(r.s.state(r.t).Floor + r.s.mark) }

// keepTail keeps the last bytes that were read.
func (r *resumedText) keepTail(p []byte) {
	if len(p) >= twinBytes {
		r.tail = append(r.tail[:0], p[len(p)-twinBytes:]...)
		return
	}
	if drop := len(r.tail) + len(p) - twinBytes; drop > 0 {
		r.tail = r.tail[:copy(r.tail, r.tail[drop:])]
	}
	r.tail = append(r.tail, p...)
}

// capture moves the point of restart to a line near the offset at, which is the offset of the
// next byte. It does so if a scanner that begins at that line has the same state as the current
// one. The caller is in a Read of the scanner.
func (r *resumedText) capture(at int64) {
	s := r.s
	i := bytes.IndexByte(r.tail, '\n') + 1
	if i == 0 || s.skip > 0 || len(s.known) > 0 {
		return
	}
	again := r.tail[i:]
	from := at - int64(len(again))
	if r.twin == nil {
		r.twin = delimit.NewScanner(nil, s.x.opts.Delimit)
	}
	in := &twinText{text: again, of: r.twin}
	r.twin.Reset(in)
	var c delimit.Candidate
	for r.twin.Next(&c) == nil { // the number of candidates is bounded by the length of the tail
	}
	now := s.state(r.t)
	if !in.known || in.state.Offset+from-s.mark != now.Offset || !in.state.Agrees(now) {
		return
	}
	s.from, s.upto, s.n = from, at, 0
	s.lines = s.front.lines + now.Line - 1 - int64(bytes.Count(again, []byte{'\n'}))
}

// A twinText reads a text, and records the state of the scanner at its end.
type twinText struct {
	text  []byte
	of    *delimit.Scanner
	state delimit.State
	known bool
}

// Read reads once.
func (t *twinText) Read(p []byte) (int, error) {
	if len(t.text) == 0 {
		if !t.known {
			t.state, t.known = t.of.State(), true
		}
		return 0, io.EOF
	}
	n := copy(p, t.text)
	t.text = t.text[n:]
	return n, nil
}
