package delimit

import (
	"bytes"
	"io"
)

// Where a search may be taken up in mid-text. What a Scanner will find depends on
// the text to come, on at most lookBehind bytes before the place that it looks at,
// on the line that place is in, and on little else, which is a State. So one that
// begins at any line comes to the same as one that began with the text, as soon as
// the States are equal: mostly within the next few lines.

// ResetAt is [Scanner.Reset] for a text of which r is what comes from the offset
// at on, the first byte of a line. Offsets are those of the whole text, and lines
// count from that one, which is 1.
func (s *Scanner) ResetAt(r io.Reader, at int64) {
	s.Reset(r)
	s.start, s.base, s.cutStart, s.lineStart = at, at, at, at
}

// A State is what the search of a [Scanner] depends on beside the text that it has
// yet to read. Two Scanners with equal Options and equal States, that have read the
// same text up to there, find the same in what follows, and say the same of it but
// for the count of lines: at the same offsets, with the same columns.
type State struct {
	end      int64 // how far the text was read
	look     int64
	from     int64 // nothing before it has a say
	floor    int64
	skipping bool
	ids      int64 // how many lines ago a Message-ID was met, plus one; 0 if that has no say
}

// State returns how far the search has come. It may be called by the reader that
// the Scanner reads from, in its Read, and means what was read before that; at other
// times it has no meaning. It takes time for what of the window was not looked at.
func (s *Scanner) State() State {
	look := s.base + int64(s.look)
	from := max(s.start, look-lookBehind)
	st := State{end: s.base + int64(s.end), look: look, from: from, floor: max(from, s.base+int64(s.floor)), skipping: s.skipping}
	if s.idLine > 0 {
		line := s.lines + 1
		if s.look >= s.mark {
			line += int64(bytes.Count(s.buf[s.mark:s.look], newline))
		} else {
			line -= int64(bytes.Count(s.buf[s.look:s.mark], newline))
		}
		st.ids = max(0, s.idLine+2-line)
	}
	return st
}

// Moved returns st for a text in which all that was read lies by bytes further behind.
func (st State) Moved(by int64) State {
	st.end += by
	st.look += by
	st.from += by
	st.floor += by
	return st
}

// Reached returns line and column, both from 1, of the byte that is read next. It may
// be called like State, and takes as long; after [io.EOF] or an error, too.
func (s *Scanner) Reached() (line, column int64) {
	lines, start := s.reached()
	return lines + 1, s.base + int64(s.end) - start + 1
}
