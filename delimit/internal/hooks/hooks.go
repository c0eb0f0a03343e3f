// Package hooks holds what package split needs of package delimit, and what is not in
// delimit's public face. Package delimit sets the functions; each takes a *delimit.Scanner
// as scanner.
package hooks

import "io"

// A State is what the results of a Scanner depend on beside the text that it has not
// read yet; see package split.
type State struct {
	End      int64 // how far the text was read
	Look     int64 // how far it was scanned
	From     int64 // nothing before it matters
	Floor    int64 // no candidate begins before it
	Skipping bool  // a run that is too long is being skipped
	IDs      int64 // lines since the last Message-ID, plus one; 0 if it does not matter
}

// Set by package delimit.
var (
	NextInto func(scanner, candidate any) error
	ResetAt  func(scanner any, r io.Reader, at int64)
	StateOf  func(scanner any) State
	Reached  func(scanner any) (line, column int64)
)
