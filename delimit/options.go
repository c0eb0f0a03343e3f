package delimit

// greatestLen is the greatest Options.MaxLen. A scanner's window is eight times as large.
const greatestLen = 4 << 20

// Options configure a [Scanner]. The zero Options are valid.
type Options struct {
	Extras Extra // off by default

	// Known reports whether scheme, in any case, is used in text without "//". If it
	// is nil, the function [Known] decides, and what follows the colon (rule 2).
	Known func(scheme []byte) bool

	// MaxLen is the most bytes that a reference has in the text, with line breaks
	// and all that is removed. MaxBreaks is the most line breaks in a wrapper. If
	// they are 0 or less, 8192 and 32 are used. If MaxLen is above 4 MiB, 4 MiB is
	// used. A bare run that is longer than MaxLen is skipped as a whole and counted.
	// MaxLen also determines the memory of the scanner: a window of eight times
	// MaxLen, at least 128 KiB, and scratch of MaxLen. Neither grows.
	MaxLen    int
	MaxBreaks int

	// NoLines leaves Line and Column of a [Candidate] 0. Counting lines takes a tenth
	// of the time if candidates are dense, and less if they are rare.
	NoLines bool
}
