package extract

import (
	"sync/atomic"

	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/ledger"
)

// Stats count the work of an Extractor since it was made. When none of its sequences is
// running, the counts of bytes add up:
//
//	RawBytes = RawText + RawNested + RawFraming + RawData + RawOverLimit + RawDamaged
//
// and DiskBytes + DiskLeft is the size of all sources whose sizes are known and did not
// change. Each field is a separate count, so Stats has many fields without nesting, like
// runtime.MemStats.
type Stats struct {
	Sources  int64 // read to their end, or as far as possible
	Members  int64 // members of archives, and attachments that contain files
	Messages int64 // messages of mail and news
	Parts    int64 // parts of messages that were read, including header blocks

	DiskBytes int64 // stored bytes read from sources
	DiskLeft  int64 // stored bytes not read: of sources that did not open, after damage, over a limit, or after the caller stopped

	// RawBytes counts the bytes of all raw streams: sources, members and attachments
	// after decompression. The bytes of a member are also bytes of its archive, and
	// counted there as RawNested. Bytes that a damaged stream, or one over a limit, never
	// produced are unknown; they are visible only in Cut and DiskLeft.
	RawBytes     int64
	RawText      int64 // read as text, including encodings, markup and headers
	RawNested    int64 // members and attachments that are read as streams of their own
	RawFraming   int64 // separators of files, messages and parts; byte order marks
	RawData      int64 // parts and files that are not read: images, PDF, uuencoded data, parts left out by Options.Parts
	RawOverLimit int64 // members and attachments that were skipped because of a limit
	RawDamaged   int64 // members and attachments that are damaged, encrypted or in a format that is not read; bytes searched for the end of damage
	Cut          int64 // raw streams that damage or a limit has ended

	TextBytes    int64 // decoded from RawText
	Skipped      int64 // runs of text that were longer than a reference may be
	SkippedBytes int64 // bytes of these runs, in TextBytes

	Candidates int64 // possible references found in text
	Accepted   int64 // candidates that Options.Grammar accepts
	Refused    int64 // candidates that Options.Grammar does not accept

	Errors      int64 // the sum of the following
	OpenErrors  int64 // sources that could not be listed or opened
	ReadErrors  int64 // sources that could not be read any further
	PackErrors  int64 // damaged compressions and archives
	TextErrors  int64 // errors in messages, encodings and charsets
	LimitErrors int64 // stretches over one of Options.Limits

	Warnings int64 // how many of Errors have the Severity [Warning]
}

// counts is the sum of the ledgers of all workers.
type counts [ledger.Classes]atomic.Int64

// fields returns the counts of s in the order of their declaration, which is that of the
// classes of package ledger.
func (s *Stats) fields() [ledger.Classes]*int64 {
	return [...]*int64{
		&s.Sources, &s.Members, &s.Messages, &s.Parts, &s.DiskBytes, &s.DiskLeft,
		&s.RawBytes, &s.RawText, &s.RawNested, &s.RawFraming, &s.RawData, &s.RawOverLimit, &s.RawDamaged, &s.Cut,
		&s.TextBytes, &s.Skipped, &s.SkippedBytes, &s.Candidates, &s.Accepted, &s.Refused,
		&s.Errors, &s.OpenErrors, &s.ReadErrors, &s.PackErrors, &s.TextErrors, &s.LimitErrors, &s.Warnings,
	}
}

// classes maps each class of damage to its count in the ledger.
var classes = [...]ledger.Count{
	damage.Read:  ledger.ReadErrors,
	damage.Pack:  ledger.PackErrors,
	damage.Text:  ledger.TextErrors,
	damage.Limit: ledger.LimitErrors,
}

// add moves the counts of l to c.
func (c *counts) add(l *ledger.Ledger) {
	for i, n := range l {
		if n != 0 {
			c[i].Add(n)
			l[i] = 0
		}
	}
}

func (c *counts) load() (s Stats) {
	for i, n := range s.fields() {
		*n = c[i].Load()
	}
	return s
}
