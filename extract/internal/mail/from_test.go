package mail

import (
	"strings"
	"testing"
)

// TestFindMessage checks that a message begins at a complete From_ line with a date, after a blank
// line.
func TestFindMessage(t *testing.T) {
	const from = "From a@b.example Mon Mar  1 10:00:00 1999\n"
	for _, c := range []struct {
		text string
		from int
		want int
	}{
		{"", 0, -1},
		{"", 9, -1},
		{from, 0, -1}, // the line before is unknown
		{"\n" + from, 0, -1},
		{"x\n\n" + from, 0, 3},
		{"x\n\n" + from, 3, 3},
		{"x\n\n" + from, 4, -1},
		{"x\r\n\r\n" + from, 0, 5},
		{"x\r\r\n\r\r\n" + from, 0, 7},
		{"x\n" + from, 0, -1},
		{"x\n\nFrom a@b.example\nTo: x\n\n" + from, 0, 3},
		{"x\n\nFrom \nTo: x\n\n" + from, 0, 3},
		{"x\n\nFrom \nTo", 0, -1},
		{"x\n\nFrom \nso\n\n" + from, 0, 13},
		{"x\nFrom \nTo: x\n\n" + from, 0, 15},
		{"x\n\n>" + from, 0, -1},
		{"x\n\n" + from[:len(from)-1], 0, -1},
		{"x\n\nFrom here on\n\n" + from, 0, 17},
		{"x\n\n" + from + "\n\n" + from, 4, 47},
	} {
		if got := FindMessage([]byte(c.text), c.from); got != c.want {
			t.Errorf("%q from %d: %d, want %d", c.text, c.from, got, c.want)
		}
	}
}

// TestOnMessage stops reading a mailbox at each message in turn. Exactly the messages before it
// must have been read.
func TestOnMessage(t *testing.T) {
	for stop := range 4 {
		var r Reader
		r.Reset(strings.NewReader("\n\nFrom a@b.example Mon Mar  1 10:00:00 1999\nSubject: x\n\none\n\nFrom a@b.example Mon Mar  1 10:00:00 1999\nSubject: x\n\ntwo\n\n\nFrom a@b.example Mon Mar  1 10:00:00 1999\nSubject: x\n\nthree\n"), 10, Mbox, 3, "")
		var at []int64
		r.OnMessage(func(off int64, before int) bool {
			if at = append(at, off); before != len(at)-1 {
				t.Errorf("%d messages before the %d.", before, len(at))
			}
			return before != stop
		})
		messages := 0
		for {
			p, err := r.Next()
			if err != nil {
				break
			}
			messages = p.Message
		}
		if want := min(stop, 3); messages != want {
			t.Errorf("%d messages, want %d", messages, want)
		}
		if all := r.Counts().All; stop < 3 && all != at[stop] {
			t.Errorf("%d is taken, want %d of %d", all, at[stop], at)
		}
	}
}
