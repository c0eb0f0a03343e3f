package count

import (
	"math"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/names"
)

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

// An Order is the order of rows. Rows that are equal in it are in the order of their keys.
type Order uint8

const (
	ByCount Order = iota // the largest count first
	ByKey                // by the bytes of the keys
	ByFirst              // the earliest first time first; rows without times are the last
	ByLast               // the latest last time first; rows without times are the last
)

// Orders are the names of the Orders, as the constants are listed.
var Orders = []string{"count", "key", "first", "last"}

// UnmarshalText sets o to the order of that name.
func (o *Order) UnmarshalText(name []byte) error { return names.Parse(o, "order", name, Orders) }

// rank returns a number for s: rows with smaller ones come first.
func (o Order) rank(s *Sum) uint64 {
	switch {
	case o == ByCount:
		return ^uint64(s.Count)
	case o == ByKey:
		return 0
	case !s.Timed():
		return math.MaxUint64
	case o == ByFirst:
		return uint64(s.First) ^ 1<<63
	}
	return ^(uint64(s.Last) ^ 1<<63)
}
