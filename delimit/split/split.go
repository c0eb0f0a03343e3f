// Package split scans one big text with several Scanners of package delimit in parallel.
// Each of them begins at a line somewhere in the text:
//
//	split.ResetAt(s, r, at)              // r is at a line that begins at the offset at
//	for split.Next(s, &c) == nil { ... } // at a split point, the Read of r calls StateOf(s)
//
// The results of a Scanner depend on the text that follows, on a bounded number of bytes
// in front of the current position, on the current line, and on little else. All of that
// is a [State]. So as soon as their States are equal, a Scanner that began at some line
// has the same results as one that began with the text. Usually this takes a few lines.
//
// Package extract reads big files in this way. Most programs need only package delimit.
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

// A State is what the results of a Scanner depend on, apart from text that it has not
// read. If two Scanners have equal Options and equal States, and have read the same text
// up to that point, they find the same candidates in the following text, at the same
// offsets and columns. Only line numbers may differ. Compare States with ==.
type State struct{ s hooks.State }

// StateOf returns the State of s. It may only be called by the reader of s, inside Read,
// and describes what was read before that call. It takes time in proportion to the part
// of the window that is not scanned yet.
func StateOf(s *delimit.Scanner) State { return State{hooks.StateOf(s)} }

// Moved returns st with all offsets increased by by.
func (st State) Moved(by int64) State {
	st.s.End += by
	st.s.Look += by
	st.s.From += by
	st.s.Floor += by
	return st
}

// Reached returns line and column, both from 1, of the byte that s reads next. It may be
// called when StateOf may be called, and also after [io.EOF] or an error. It takes as
// long.
func Reached(s *delimit.Scanner) (line, column int64) { return hooks.Reached(s) }
