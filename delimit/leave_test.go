package delimit

import (
	"slices"
	"strings"
	"testing"
)

// TestLeave leaves the loops over candidates, and over the readings of a candidate, at every item.
// The next loop must continue after the last candidate, or begin with the first reading.
func TestLeave(t *testing.T) {
	opts := Options{Extras: Abbreviated | Defanged | Rejoin | Address}
	want := scan(t, strings.NewReader(allForms), opts)
	for leave := 1; leave <= len(want); leave++ {
		s := NewScanner(strings.NewReader(allForms), opts)
		var got []slowCandidate
		var buf []byte
		for c, err := range s.All() {
			if err != nil {
				t.Fatal(err)
			}
			if got = append(got, plain(&c, &buf)); len(got) == leave {
				break
			}
		}
		for c, err := range s.All() {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, plain(&c, &buf))
		}
		if !slices.EqualFunc(got, want, func(a, b slowCandidate) bool { return a.String() == b.String() }) {
			t.Errorf("left at %d: %v", leave, differ(got, want))
		}
	}

	readings := 0
	s := NewScanner(strings.NewReader(allForms), opts)
	for c, err := range s.All() {
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for why, text := range c.Readings(nil) {
			all = append(all, why.String()+string(text))
		}
		for leave := range all {
			n := 0
			for why, text := range c.Readings(nil) {
				if why.String()+string(text) != all[n] {
					t.Errorf("reading %d is %v %s, was %s", n, why, text, all[n])
				}
				if n++; n > leave {
					break
				}
			}
			readings++
		}
	}
	if readings < 3 {
		t.Errorf("%d readings only", readings)
	}
}
