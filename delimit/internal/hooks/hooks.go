// Package hooks has the functions of package delimit that package split needs but that
// are not public. Package delimit sets them. The argument scanner is a *delimit.Scanner.
//
//	hooks.ResetAt(scanner, r, at)
//	state := hooks.StateOf(scanner)
package hooks

import "io"

// A State is what the results of a Scanner depend on, apart from text that it has not
// read; see package split.
type State struct {
	End            int64 // how far the text was read
	Look           int64 // how far it was scanned
	From           int64 // nothing in front of it matters
	Floor          int64 // no candidate begins in front of it
	Skipping       bool  // a run that is too long is being skipped
	SinceMessageID int64 // lines since the last Message-ID, plus one; 0 if it does not matter
}

// Set by package delimit.
var (
	NextInto func(scanner, candidate any) error
	ResetAt  func(scanner any, r io.Reader, at int64)
	StateOf  func(scanner any) State
	Reached  func(scanner any) (line, column int64)
)
