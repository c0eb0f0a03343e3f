package delimit

import (
	"bytes"

	"github.com/urlsift/urlsift/delimit/internal/window"
)

// A State is what the results of a [Scanner] depend on, apart from text that it has not read.
// It lets several Scanners share one big text: each begins at a line somewhere in it, with
// [Scanner.ResetAt], and reads on into the part of the next one. As soon as the States of the
// two are equal at the same place, the next one finds what the first would have found.
// Usually this takes a few lines.
//
// If two Scanners have equal Options and equal States, and have read the same text up to
// that point, they find the same candidates in the following text, at the same offsets and
// columns. Only line numbers may differ. Compare States with ==.
type State struct {
	end            int64 // how far the text was read
	look           int64 // how far it was scanned
	from           int64 // nothing in front of it matters
	floor          int64 // no candidate begins in front of it
	skipping       bool  // a run that is too long is being skipped
	sinceMessageID int64 // lines since the last Message-ID, plus one; 0 if it does not matter
}

// Moved returns st with all offsets increased by by.
func (st State) Moved(by int64) State {
	st.end += by
	st.look += by
	st.from += by
	st.floor += by
	return st
}

// Floor returns the offset in front of which no more candidates begin.
func (st State) Floor() int64 { return st.floor }

// State returns the State of s. It may only be called by the reader of s, inside Read, and
// describes what was read before that call. It takes time in proportion to the part of the
// window that is not scanned yet.
func (s *Scanner) State() State {
	f := &s.find
	look := f.Base + int64(f.Look)
	from := max(s.start, look-window.LookBehind)
	st := State{end: f.Base + int64(f.End), look: look, from: from, floor: max(from, f.Base+int64(f.Floor)), skipping: f.skipping}
	if f.messageIDLine > 0 {
		line := f.Lines + 1
		if f.Look >= f.Mark {
			line += int64(bytes.Count(f.Buf[f.Mark:f.Look], window.Newline))
		} else {
			line -= int64(bytes.Count(f.Buf[f.Look:f.Mark], window.Newline))
		}
		st.sinceMessageID = max(0, f.messageIDLine+2-line)
	}
	return st
}

// Reached returns line and column, both from 1, of the byte that s reads next. It may be
// called when State may be called, and also after [io.EOF] or an error. It takes as long.
// It is for programs that divide a text among workers.
func (s *Scanner) Reached() (line, column int64) {
	f := &s.find
	lines, start := f.Reached()
	return lines + 1, f.Base + int64(f.End) - start + 1
}
