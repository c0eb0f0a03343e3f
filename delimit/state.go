package delimit

import (
	"bytes"
	"io"

	"github.com/urlsift/urlsift/delimit/internal/hooks"
)

// The functions that package split calls; see there.

func init() {
	hooks.NextInto = func(s, c interface{}) error { return s.(*Scanner).nextInto(c.(*Candidate)) }
	hooks.ResetAt = func(s interface{}, r io.Reader, at int64) { s.(*Scanner).resetAt(r, at) }
	hooks.StateOf = func(s interface{}) hooks.State { return s.(*Scanner).state() }
	hooks.Reached = func(s interface{}) (line, column int64) { return s.(*Scanner).lineReached() }
}

// resetAt is [Scanner.Reset] for the rest of a text, from the offset at on.
func (s *Scanner) resetAt(r io.Reader, at int64) {
	s.Reset(r)
	s.start, s.base, s.cutStart, s.lineStart = at, at, at, at
}

// state returns the State of the search.
func (s *Scanner) state() hooks.State {
	look := s.base + int64(s.look)
	from := max(s.start, look-lookBehind)
	st := hooks.State{End: s.base + int64(s.end), Look: look, From: from, Floor: max(from, s.base+int64(s.floor)), Skipping: s.skipping}
	if s.messageIDLine > 0 {
		line := s.lines + 1
		if s.look >= s.mark {
			line += int64(bytes.Count(s.buf[s.mark:s.look], newline))
		} else {
			line -= int64(bytes.Count(s.buf[s.look:s.mark], newline))
		}
		st.SinceMessageID = max(0, s.messageIDLine+2-line)
	}
	return st
}

// lineReached returns line and column of the byte that is read next.
func (s *Scanner) lineReached() (line, column int64) {
	lines, start := s.reached()
	return lines + 1, s.base + int64(s.end) - start + 1
}
