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

// TestNeutral asks whether a message begins at the second From_ line whatever stands in front of it.
func TestNeutral(t *testing.T) {
	const from, head = "From a@a.example Thu Jan  1 00:00:00 2004\n", "Subject: x\n\n"
	body := "text\n\n"
	for field, want := range map[string]bool{
		"": true, "Content-Length: 6\n": true, "Content-Length: 7\n": false, "content-length: 200\r\n": false, "CONTENT-LENGTH:99999\n": false, "Content-Length: x\n": true, "Content-Length:\n 7\n": false, "Content-Length : 7\n": false, "Content-Lengths: 50\n": true,
		"X-Content-Length: 50\n": true, "Content-Length: 6\nContent-Length: 60\n": false, "Lines: 50\n": true,
	} {
		b := []byte(from + field + head + body + from + head + body)
		at := FindMessage(b, 1)
		if at != len(from+field+head+body) {
			t.Fatalf("%q: a message at %d", field, at)
		}
		if got := neutral(b, at); got != want {
			t.Errorf("%q: %v", field, got)
		}
	}
}

// TestNeutralLines asks for messages that continue one in front, or that a multipart may hold as text.
func TestNeutralLines(t *testing.T) {
	const from = "From a@a.example Thu Jan  1 00:00:00 2004\n"
	for text, want := range map[string]bool{
		from + "Subject: x\n\nmessage/partial\n":                                    true,
		from + "Subject: x\nContent-Type: Message/Partial;\n id=a; number=2\n\nx\n": false,
		from + "Subject: x\r\nContent-Type: message/partial; number=2\r\n\r\nx\r\n": false,
		"From here on then\nSubject: x\n\n":                                         false,
		"From a@a.example\nSubject: x\n\n":                                          true,
	} {
		b := []byte(from + "Subject: y\n\ntext\n\n" + text)
		at := len(b) - len(text)
		if FindMessage(b, 1) != at || neutral(b, at) != want {
			t.Errorf("%q: not %v, or no message", text, want)
		}
	}
}

// TestLastMessage compares LastMessage with all messages that FindMessage finds.
func TestLastMessage(t *testing.T) {
	const from, head = "From a@a.example Thu Jan  1 00:00:00 2004\n", "Subject: x\n\n"
	var b []byte
	var begins []int
	for i := range 60 {
		begins = append(begins, len(b))
		b = append(b, from+head...)
		for range i * i * i % 5000 {
			b = append(b, "a line of text\n"...)
		}
		b = append(b, '\n')
	}
	for end := 1; end < len(b); end += 1 + end%977 {
		want := -1
		for _, at := range begins[1:] {
			if at+len("From ") <= end {
				want = at
			}
		}
		if got := LastMessage(b, end); got != want {
			t.Fatalf("in front of %d: %d, want %d", end, got, want)
		}
	}
}
