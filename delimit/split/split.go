// Package split is for scanning one big text with several Scanners of package delimit at
// the same time, each of which begins at a line somewhere in the text:
//
//	split.ResetAt(s, r, at)              // r is at a line that begins at the offset at
//	for split.Next(s, &c) == nil { ... } // in the Read at a split point, r asks StateOf(s)
//
// What a Scanner will find depends on the text that follows, on a bounded number of bytes
// before the current place, on the line of that place, and on little else: that is a
// [State]. So a Scanner that begins at any line finds the same as one that began with the
// text, as soon as their States are equal. Mostly that is within a few lines.
//
// Package extract reads big files in this way. Most programs need package delimit alone.
package split

import (
	"io"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/delimit/internal/hooks"
)

// Next is [delimit.Scanner.Next] for a caller that has memory for the Candidate, which is
// large. It sets *c to the next candidate, or to the zero Candidate if it returns an
// error. The previous contents of *c do not matter. The candidate's slices are valid
// until the next call.
func Next(s *delimit.Scanner, c *delimit.Candidate) error { return hooks.NextInto(s, c) }

// ResetAt is [delimit.Scanner.Reset] for the rest of a text: r reads it from the offset at
// on, which is the first byte of a line. Offsets are those of the whole text. Lines count
// from that line, which is 1.
func ResetAt(s *delimit.Scanner, r io.Reader, at int64) { hooks.ResetAt(s, r, at) }

// A State is what the results of a Scanner depend on beside the text that it has not
// read yet. If two Scanners have equal Options and equal States, and have read the same
// text up to there, they find the same candidates in what follows, at the same offsets
// and columns. Only the line numbers may differ. States are compared with ==.
type State struct{ s hooks.State }

// StateOf returns how far the search of s has come. It may only be called by the reader of
// s, inside Read, and describes what was read before that call. It takes time in
// proportion to the part of the window that was not scanned yet.
func StateOf(s *delimit.Scanner) State { return State{hooks.StateOf(s)} }

// Moved returns st for a text in which all that was read is at offsets greater by by.
func (st State) Moved(by int64) State {
	st.s.End += by
	st.s.Look += by
	st.s.From += by
	st.s.Floor += by
	return st
}

// Reached returns line and column, both from 1, of the byte that s reads next. It may be
// called when StateOf may be, and also after [io.EOF] or an error. It takes as long.
func Reached(s *delimit.Scanner) (line, column int64) { return hooks.Reached(s) }
