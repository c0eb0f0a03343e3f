// Package ledger counts the bytes of a stream by what was done with them, and the things
// found in it. Each worker has one Ledger and adds it to the shared totals from time to
// time:
//
//	l.Add(ledger.RawText, n)
//
// Each Count means the same as the field of extract.Stats with its name. The package
// imports nothing of ours.
package ledger

// A Count is a class of bytes or things that are counted.
type Count uint8

const (
	Sources Count = iota
	Members
	Messages
	Parts

	DiskBytes
	DiskLeft

	RawBytes
	RawText
	RawNested
	RawFraming
	RawData
	RawOverLimit
	RawDamaged
	Cut

	TextBytes
	Skipped
	SkippedBytes

	Candidates
	Accepted
	Refused

	Errors
	OpenErrors
	ReadErrors
	PackErrors
	TextErrors
	LimitErrors
	Warnings

	Classes // the number of Counts
)

// A Ledger has a number for each Count. Only one goroutine may use it at a time.
type Ledger [Classes]int64

// Add adds n to the count of c.
func (l *Ledger) Add(c Count, n int64) { l[c] += n }
