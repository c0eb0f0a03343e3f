package count

import (
	"math"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/names"
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
