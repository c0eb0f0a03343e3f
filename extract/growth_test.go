package extract_test

import (
	"testing"
	"time"
)

// fourfold checks that four times the input takes no more than eight times the processor
// time. made makes input of size n and returns what reads it, whose time alone counts.
// Of several rounds the least counts, since a busy machine stretches any; the short form
// ends with the first round that is within the bound.
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

// within is whether many, the time for four times the input of few, grows with it.
func within(few, many time.Duration) bool { return many <= 8*few+20*time.Millisecond }
