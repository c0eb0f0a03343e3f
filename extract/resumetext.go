package extract

import (
	"bytes"
	"io"
	"time"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract/internal/document"
	"github.com/urlsift/urlsift/extract/internal/mail"
)

// Running text that is resumed, and where a file that is growing ends for now.

// captureEvery is how many bytes of text are read until a later point is looked for from
// which reading can go on, and captureLast how many at the end of a file. Only tests change
// them.
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

// Read reads once. It returns the end alone.
func (r *resumedText) Read(p []byte) (int, error) {
	s, at := r.s, r.t.RawRead()
	if s.muted = s.muted && at < s.upto; s.muted {
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
	if err == io.EOF && !s.muted {
		r.decided()
		if at-s.upto >= captureLast {
			r.capture(at)
		}
		s.held = s.held || s.file.Growing
		s.final = true
	}
	return n, err
}

// decided notes which results were found. The caller is in a Read of the scanner.
func (r *resumedText) decided() { r.s.sure(r.s.scan.State().Floor() + r.s.mark) }

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

// capture makes a line near the offset at, which is read next, the point from which reading
// goes on, if a scanner that begins there has the state that this one has now. The caller
// is in a Read of the scanner.
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
	r.twin.ResetAt(in, from-s.mark)
	var c delimit.Candidate
	for r.twin.NextInto(&c) == nil { // at most one for each few bytes of a tail
	}
	if !in.known || in.state != s.scan.State() {
		return
	}
	line, _ := s.reached(s.direct)
	s.from, s.upto, s.n = from, at, 0
	s.lines = s.base.lines + line - 1 - int64(bytes.Count(again, []byte{'\n'}))
}

// A twinText reads a text, and keeps the state that the scanner has at its end.
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

// searchStep is how many bytes of a file are searched at a time, from its end.
const searchStep = 64 << 10

// lastLine returns the end of the last line of the file r of size bytes that has one, or 0.
// Each iteration searches a step.
func lastLine(r io.ReaderAt, size int64) int64 {
	buf := make([]byte, min(size, searchStep))
	for end := size; end > 0; {
		b := buf[:min(end, searchStep)]
		end -= int64(len(b))
		n, _ := r.ReadAt(b, end)
		if k := bytes.LastIndexByte(b[:n], '\n'); k >= 0 {
			return end + int64(k) + 1
		}
	}
	return 0
}

// lastMessage returns where the last message begins in the mailbox r of size bytes, or from
// if none is known to begin after that. Each iteration searches a step, which overlaps with
// the next one by the longest line that is examined.
func lastMessage(r io.ReaderAt, from, size int64) int64 {
	const overlap = 1 << 10
	buf := make([]byte, searchStep)
	for end := size; end > from; {
		begin := max(0, from-document.LineContext, end-searchStep)
		n, _ := r.ReadAt(buf[:end-begin], begin)
		if k := mail.LastMessage(buf[:n], n); k >= 0 && begin+int64(k) > from {
			return begin + int64(k)
		}
		if begin == 0 || begin <= from {
			break
		}
		end = begin + overlap
	}
	return from
}

// complete reports whether the file of s is compressed and ends where it should: then it
// does not grow, as far as is known. It decompresses all of it.
func (s *resumption) complete() bool {
	defer s.pool.Reset()
	s.pool.Source.Reset(io.NewSectionReader(s.file.at, 0, s.file.Size), nil)
	in, over := s.pool.Open(&s.pool.Source)
	if over != nil || s.pool.Compressions() == 0 {
		return false
	}
	for { // a buffer in each iteration
		_, err := in.Peek(1)
		if err != nil {
			return err == io.EOF
		}
		if _, err = in.Discard(in.Buffered()); err != nil || s.done() {
			return false
		}
	}
}
