package follow

import "hash/maphash"

// mostTold bounds the messages that are known to be told.
const mostTold = 1 << 16

// A Teller remembers which errors were reported. Rounds meet most of them again.
type Teller struct {
	seed  maphash.Seed
	told  map[uint64]bool
	was   map[uint64]int // how many rounds in a row had an error of opening
	is    map[uint64]int
	first bool // the round is the first one
}

// NewTeller returns a Teller for the first round.
func NewTeller() *Teller {
	return &Teller{seed: maphash.MakeSeed(), told: map[uint64]bool{}, was: map[uint64]int{}, is: map[uint64]int{}, first: true}
}

// Read reports whether an error of reading a file is new.
func (t *Teller) Read(message string) bool {
	h := maphash.String(t.seed, message)
	if t.told[h] {
		return false
	}
	if len(t.told) >= mostTold {
		clear(t.told)
	}
	t.told[h] = true
	return true
}

// Open reports whether an error of opening a file is to be reported: at once in the first
// round, and later when the next round has it as well. A file that is being rotated has no
// name for a moment. When it was there again, the error is new.
func (t *Teller) Open(message string) bool {
	h := maphash.String(t.seed, message)
	n := t.was[h] + 1
	before := t.is[h]
	if t.is[h] = max(n, before); t.first {
		t.is[h] = 2
		return before < 2
	}
	return n == 2 && before < 2
}

// EndRound ends a round over all files.
func (t *Teller) EndRound() {
	t.was, t.is, t.first = t.is, t.was, false
	clear(t.is)
}
