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

// capturedLines is how many lines are examined to find such a point.
const capturedLines = 200

// A resumedText reads running text that is resumed.
type resumedText struct {
	s    *resumption
	t    *document.Text
	tail []byte // the last bytes that were read: as many as capture needs
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
	most := r.s.x.opts.Delimit.NeutralBefore() + 2*delimit.NeutralAfter
	if len(p) >= most {
		r.tail = append(r.tail[:0], p[len(p)-most:]...)
		return
	}
	if drop := len(r.tail) + len(p) - most; drop > 0 {
		r.tail = r.tail[:copy(r.tail, r.tail[drop:])]
	}
	r.tail = append(r.tail, p...)
}

// capture moves the point of restart to the last line that is known to begin at a neutral place: a new
// scanner that begins there finds what the current one finds. The offset of the next byte is at. Like decided, capture may be called only
// by Read. It asks for at most capturedLines lines.
func (r *resumedText) capture(at int64) {
	s, opts := r.s, &r.s.x.opts.Delimit
	if s.stillToLeaveOut > 0 || len(s.leaveOutHashes) > 0 {
		return
	}
	end := len(r.tail) - delimit.NeutralAfter
	for range capturedLines {
		i := bytes.LastIndexByte(r.tail[:max(0, end)], '\n') + 1
		if i < opts.NeutralBefore() {
			return
		}
		if opts.Neutral(r.tail, i, false) {
			again := r.tail[i:]
			s.from, s.upto, s.leaveOut = at-int64(len(again)), at, 0
			s.lines = s.numbersAtStart.lines + s.state(r.t).Line - 1 - int64(bytes.Count(again, []byte{'\n'}))
			return
		}
		end = i - 1
	}
}
