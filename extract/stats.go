package extract

import "sync/atomic"

// Stats are counts of the work of an Extractor since it was made.
type Stats struct {
	Sources  int64 // read to their end, or as far as they could be
	Members  int64 // of archives, and attachments that hold files
	Messages int64 // of mail and news
	Parts    int64 // of them that were read, header blocks included

	DiskBytes int64 // read from sources, as they are stored
	RawBytes  int64 // of those decompressed
	TextBytes int64 // of those decoded

	Candidates int64 // what was set apart like a reference
	Skipped    int64 // what was longer than a reference may be
	Accepted   int64 // candidates that Options.Grammar takes
	Refused    int64 // and others
	Errors     int64
}

// counts are Stats that several workers add to. The order is that of [counts.add].
type counts [12]atomic.Int64

// fields are the counts of s, in the order in which they are declared.
func (s *Stats) fields() [12]*int64 {
	return [...]*int64{
		&s.Sources, &s.Members, &s.Messages, &s.Parts, &s.DiskBytes, &s.RawBytes, &s.TextBytes,
		&s.Candidates, &s.Skipped, &s.Accepted, &s.Refused, &s.Errors,
	}
}

// add moves what s counts to c.
func (c *counts) add(s *Stats) {
	for i, n := range s.fields() {
		if *n != 0 {
			c[i].Add(*n)
			*n = 0
		}
	}
}

func (c *counts) load() (s Stats) {
	for i, n := range s.fields() {
		*n = c[i].Load()
	}
	return s
}
