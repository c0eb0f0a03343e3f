package follow

import "hash/maphash"

// mostReported bounds the messages that are remembered.
const mostReported = 1 << 16

// A Reported remembers which errors were reported, since most of them occur again in each
// round.
type Reported struct {
	seed  maphash.Seed
	known map[uint64]bool
	was   map[uint64]int // up to the last round: how many rounds in a row had an error of opening
	is    map[uint64]int // the same, up to this round
	first bool           // the round is the first one
}

// NewReported returns a Reported for the first round.
func NewReported() *Reported {
	return &Reported{seed: maphash.MakeSeed(), known: map[uint64]bool{}, was: map[uint64]int{}, is: map[uint64]int{}, first: true}
}

// Read reports whether an error of reading a file is new.
func (r *Reported) Read(message string) bool {
	h := maphash.String(r.seed, message)
	if r.known[h] {
		return false
	}
	if len(r.known) >= mostReported {
		clear(r.known)
	}
	r.known[h] = true
	return true
}

// Open reports whether an error of opening a file should be reported: in the first round
// at once, in later rounds when two rounds in a row have the same error. A file that is being
// rotated has no name for a moment. After a round without the error, the error is new again.
func (r *Reported) Open(message string) bool {
	h := maphash.String(r.seed, message)
	n := r.was[h] + 1
	before := r.is[h]
	if r.is[h] = max(n, before); r.first {
		r.is[h] = 2
		return before < 2
	}
	return n == 2 && before < 2
}

// EndRound ends a round over all files.
func (r *Reported) EndRound() {
	r.was, r.is, r.first = r.is, r.was, false
	clear(r.is)
}
