package delimit

import (
	"bytes"
	"io"
)

// Hooks for package extract, which splits a big file and scans its segments at the same
// time. What a Scanner will find depends on the text that follows, on at most
// lookBehind bytes before the current place, on the line of that place, and on little
// else: that is a State. So a Scanner that begins at any line finds the same as one that
// began with the text, as soon as their States are equal. Mostly that is within a few
// lines.

// ResetAt is [Scanner.Reset] for the rest of a text: r reads it from the offset at on,
// which is the first byte of a line. Offsets are those of the whole text. Lines count
// from that line, which is 1.
func (s *Scanner) ResetAt(r io.Reader, at int64) {
	s.Reset(r)
	s.start, s.base, s.cutStart, s.lineStart = at, at, at, at
}

// A State is what the results of a [Scanner] depend on beside the text that it has not
// read yet. If two Scanners have equal Options and equal States, and have read the same
// text up to there, they find the same candidates in what follows, at the same offsets
// and columns. Only the line numbers may differ.
type State struct {
	end      int64 // how far the text was read
	look     int64
	from     int64 // nothing before it matters
	floor    int64
	skipping bool
	ids      int64 // lines since the last Message-ID, plus one; 0 if it does not matter
}

// State returns how far the search has come. It may only be called by the Scanner's
// reader, inside Read, and describes what was read before that call. It takes time in
// proportion to the part of the window that was not scanned yet.
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

// Moved returns st for a text in which all that was read is at offsets greater by by.
func (st State) Moved(by int64) State {
	st.end += by
	st.look += by
	st.from += by
	st.floor += by
	return st
}

// Reached returns line and column, both from 1, of the byte that is read next. It may be
// called when State may be, and also after [io.EOF] or an error. It takes as long.
func (s *Scanner) Reached() (line, column int64) {
	lines, start := s.reached()
	return lines + 1, s.base + int64(s.end) - start + 1
}
