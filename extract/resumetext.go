package extract

import (
	"bytes"
	"io"
	"time"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract/internal/document"
)

// Running text that is resumed.

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
	s.lines = s.front.lines + line - 1 - int64(bytes.Count(again, []byte{'\n'}))
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
