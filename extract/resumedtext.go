package extract

import (
	"bytes"
	"io"
	"time"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract/internal/document"
)

// This file reads running text that is resumed. It records which results were found, and from which
// line a later run can start.

// After captureEvery bytes of text, the reader searches for a later point of restart. At the end of
// a file it does so after captureLast bytes. Only tests change them.
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
	if s.inWarmUp = s.inWarmUp && at < s.upto; s.inWarmUp {
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
	if err == io.EOF && !s.inWarmUp {
		r.decided()
		if at-s.upto >= captureLast {
			r.capture(at)
		}
		s.undecided = s.undecided || s.file.Growing
		s.atFileEnd = true
	}
	return n, err
}

// decided records that all results in front of the scanner's Floor were found. It may be called
// only by Read, because the state of the scanner is complete there.
func (r *resumedText) decided() { r.s.noteAllFound(r.s.state(r.t).Floor + r.s.bom) }

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

// capture moves the point of restart to a line near the next byte, whose offset is at. It does so
// only if a new scanner that begins at that line reaches the state of the current one. Like
// decided, it may be called only by Read.
func (r *resumedText) capture(at int64) {
	s := r.s
	i := bytes.IndexByte(r.tail, '\n') + 1
	if i == 0 || s.stillToLeaveOut > 0 || len(s.leaveOutHashes) > 0 {
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
	if !in.known || in.state.Offset+from-s.bom != now.Offset || !in.state.Agrees(now) {
		return
	}
	s.from, s.upto, s.leaveOut = from, at, 0
	s.lines = s.numbersAtStart.lines + now.Line - 1 - int64(bytes.Count(again, []byte{'\n'}))
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
