package delimit

// greatestLen is the most that Options.MaxLen can be. A scanner's window is eight times
// as large.
const greatestLen = 4 << 20

// Options steer a [Scanner]. The zero Options are good to use.
type Options struct {
	Extras Extra // none, unless asked for

	// Known reports whether scheme, in any case, is used in prose without
	// "//". If nil, it is [Known], helped by what must follow each.
	Known func(scheme []byte) bool

	// MaxLen bounds a reference as it stands in the text, in bytes, and
	// MaxBreaks the line breaks in a wrapper. If 0 or less, they are 8192 and
	// 32. MaxLen is at most 4 MiB; what is more counts as that. A bare run
	// beyond MaxLen is skipped whole, and counted. MaxLen also fixes the
	// scanner's memory: a window of eight times MaxLen, at least 128 KiB, and
	// scratch of MaxLen. Neither ever grows.
	MaxLen    int
	MaxBreaks int

	// NoLines leaves Line and Column of a [Candidate] 0. To know them costs little
	// where candidates are rare, and a tenth of the time where they are dense.
	NoLines bool
}
