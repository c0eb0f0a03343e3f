package extract

import (
	"sync/atomic"

	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/ledger"
)

// Stats are counts of the work of an Extractor since it was made. When none of its
// sequences is running, those of bytes add up:
//
//	RawBytes = RawText + RawPacked + RawFraming + RawData + RawBeyond + RawLost
//
// and DiskBytes and DiskLeft are the sizes of all sources, where those are known
// and did not change.
type Stats struct {
	Sources  int64 // read to their end, or as far as they could be
	Members  int64 // of archives, and attachments that hold files
	Messages int64 // of mail and news
	Parts    int64 // of them that were read, header blocks included

	DiskBytes int64 // read from sources, as they are stored
	DiskLeft  int64 // not read: of sources that did not open, after damage, over a limit, or after the caller stopped

	// RawBytes are the bytes of all raw streams: what sources, members and
	// attachments hold when compression is undone. Those of a member are bytes of its
	// archive too, and counted there as RawPacked. What never came out of a stream
	// that is damaged or over a limit is not known, and only in Cut and DiskLeft.
	RawBytes     int64
	RawText      int64 // read as text, encodings, markup and headers included
	RawNested    int64 // of members and attachments, read as streams of their own
	RawFraming   int64 // of what separates files, messages and parts; byte order marks
	RawData      int64 // of parts and files that are not read: images, uuencoded data, what Options.Parts leaves out
	RawOverLimit int64 // of members and attachments over a limit, and passed over
	RawDamaged   int64 // of members and attachments that are damaged or encrypted; what was searched for a place to go on
	Cut          int64 // raw streams that were ended by damage or a limit

	TextBytes    int64 // decoded from RawText
	Skipped      int64 // runs of text that were longer than a reference may be
	SkippedBytes int64 // of them, in TextBytes

	Candidates int64 // what stands in the text like a reference
	Accepted   int64 // candidates that Options.Grammar accepts
	Refused    int64 // candidates that it does not

	Errors      int64 // the sum of those that follow
	OpenErrors  int64 // sources that could not be listed or opened
	ReadErrors  int64 // sources that could not be read on
	PackErrors  int64 // damaged compressions and archives
	TextErrors  int64 // errors in messages, encodings and charsets
	LimitErrors int64 // what was over one of Options.Limits

	Warnings int64 // those of Errors whose Severity is [Warning]
}

// counts are the ledgers of several workers, added up.
type counts [ledger.Classes]atomic.Int64

// fields are the counts of s, in the order of the classes of package ledger, which is
// that in which they are declared.
func (s *Stats) fields() [ledger.Classes]*int64 {
	return [...]*int64{
		&s.Sources, &s.Members, &s.Messages, &s.Parts, &s.DiskBytes, &s.DiskLeft,
		&s.RawBytes, &s.RawText, &s.RawNested, &s.RawFraming, &s.RawData, &s.RawOverLimit, &s.RawDamaged, &s.Cut,
		&s.TextBytes, &s.Skipped, &s.SkippedBytes, &s.Candidates, &s.Accepted, &s.Refused,
		&s.Errors, &s.OpenErrors, &s.ReadErrors, &s.PackErrors, &s.TextErrors, &s.LimitErrors, &s.Warnings,
	}
}

// classes says in which count of the ledger damage of each class is.
var classes = [...]ledger.Class{
	damage.Read:  ledger.ReadErrors,
	damage.Pack:  ledger.PackErrors,
	damage.Text:  ledger.TextErrors,
	damage.Limit: ledger.LimitErrors,
}

// add moves what l counts to c.
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
