package delimit

import (
	"bytes"
	"io"

	"github.com/urlsift/urlsift/delimit/internal/hooks"
	"github.com/urlsift/urlsift/delimit/internal/window"
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
	s.start, s.Base, s.CutStart, s.LineStart = at, at, at, at
}

// state returns the State of the search.
func (s *Scanner) state() hooks.State {
	look := s.Base + int64(s.Look)
	from := max(s.start, look-window.LookBehind)
	st := hooks.State{End: s.Base + int64(s.End), Look: look, From: from, Floor: max(from, s.Base+int64(s.Floor)), Skipping: s.skipping}
	if s.messageIDLine > 0 {
		line := s.Lines + 1
		if s.Look >= s.Mark {
			line += int64(bytes.Count(s.Buf[s.Mark:s.Look], window.Newline))
		} else {
			line -= int64(bytes.Count(s.Buf[s.Look:s.Mark], window.Newline))
		}
		st.SinceMessageID = max(0, s.messageIDLine+2-line)
	}
	return st
}

// lineReached returns line and column of the byte that is read next.
func (s *Scanner) lineReached() (line, column int64) {
	lines, start := s.Reached()
	return lines + 1, s.Base + int64(s.End) - start + 1
}
