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
	Sources  Count = iota // sources read to their end, or as far as possible
	Members               // members of archives, and attachments that contain files
	Messages              // messages of mail and news
	Parts                 // parts of messages that were read, including header blocks

	StoredRead    // stored bytes read from sources
	StoredNotRead // stored bytes not read

	RawAll       // bytes of all raw streams
	RawText      // of these, read as text
	RawPacked    // of these, members and attachments that are read as streams of their own
	RawFraming   // of these, separators of files, messages and parts; byte order marks
	RawData      // of these, parts and files that are not read
	RawOverLimit // of these, members and attachments skipped because of a limit
	RawDamaged   // of these, damaged, encrypted or in a format that is not read
	CutStreams   // raw streams that damage or a limit has ended

	Text         // bytes decoded from RawText
	SkippedRuns  // runs of text longer than a reference may be
	SkippedBytes // bytes of these runs

	Candidates // possible references
	Found      // candidates that the grammar accepts
	Refused    // candidates that the grammar does not accept

	ErrorsAll     // the sum of the five below
	ErrorsOpen    // sources that could not be listed or opened
	ErrorsRead    // sources that could not be read any further
	ErrorsPacking // damaged compressions and archives
	ErrorsText    // errors in messages, encodings and charsets
	ErrorsLimit   // stretches over a limit
	Warnings      // how many of ErrorsAll are only warnings

	Classes // the number of Counts
)

// A Ledger has a number for each Count. Only one goroutine may use it at a time.
type Ledger [Classes]int64

// Add adds n to the count of c.
func (l *Ledger) Add(c Count, n int64) { l[c] += n }
