package extract_test

import (
	"testing"
	"time"
)

// fourfold checks that four times the input takes at most eight times the processor time.
// made makes an input of size n and returns a function that reads it. Only that function is timed.
// The shortest time of several rounds counts, because other work on the machine can only make a
// round longer. The short form of the test ends with the first round within the bound.
func fourfold(t *testing.T, what string, n, rounds int, made func(n int) func()) (few, many time.Duration) {
	t.Helper()
	least := func(before time.Duration, read func()) time.Duration {
		start := clock()
		read()
		return min(before, clock()-start)
	}
	one, four := made(n), made(4*n)
	few, many = time.Hour, time.Hour
	for range rounds {
		few, many = least(few, one), least(many, four)
		if !long && within(few, many) {
			break
		}
	}
	if !within(few, many) {
		t.Errorf("%s: %v for %d, %v for four times as much", what, few, n, many)
	}
	return few, many
}

// within reports whether many, the time for four times the input of few, is within the
// bound.
func within(few, many time.Duration) bool { return many <= 8*few+20*time.Millisecond }
