package count

import "math"

// NoTime is the time of an event without one.
const NoTime = math.MinInt64

// A Sum is the sum of the events of one key.
type Sum struct {
	Count       int64
	First, Last int64 // times; First > Last if no event has a time
	Sources     int64 // how many

	from, to int64 // the first and the last of the sources
}

// Timed reports whether First and Last are times.
func (s *Sum) Timed() bool { return s.First <= s.Last }

// add adds the sum of later events.
func (s *Sum) add(later *Sum) {
	s.Count += later.Count
	s.First, s.Last = min(s.First, later.First), max(s.Last, later.Last)
	s.Sources += later.Sources
	if s.to == later.from {
		s.Sources--
	}
	s.to = later.to
}

// A Row is a key and its sum. Key is valid until the next row.
type Row struct {
	Key []byte
	Sum
}

// The times of a Sum without times.
const (
	noFirst = math.MaxInt64
	noLast  = math.MinInt64
)
