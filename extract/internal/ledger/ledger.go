// Package ledger counts what became of the bytes of a stream, and what was found
// in it. Each worker has one Ledger, and adds it to the common counts from time to
// time:
//
//	l.Add(ledger.RawText, n)
//
// The meaning of each Class is that of the field of extract.Stats with the same
// name. The package imports nothing of ours.
package ledger

// A Class is one of the counts.
type Class uint8

const (
	Sources Class = iota
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

	Classes // how many there are
)

// A Ledger has a count for each Class. It is used by one goroutine at a time.
type Ledger [Classes]int64

// Add adds n to the count of c.
func (l *Ledger) Add(c Class, n int64) { l[c] += n }
