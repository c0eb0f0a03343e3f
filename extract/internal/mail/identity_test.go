package mail

import (
	"io"
	"slices"
	"strings"
	"testing"
)

// A trickle yields at most size bytes at a time.
type trickle struct {
	rest string
	size int
}

func (r *trickle) Read(p []byte) (int, error) {
	n := copy(p, r.rest[:min(r.size, len(r.rest))])
	if r.rest = r.rest[n:]; n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// identitiesOf returns the identities of the messages of a mailbox, which is read size bytes at a time.
func identitiesOf(mailbox string, size int) (list []uint64) {
	var r Reader
	r.Reset(&trickle{mailbox, size}, 0, Mbox, 10, "")
	r.Identify()
	r.OnMessage(func(_ int64, before int) bool {
		if before > 0 {
			list = append(list, r.Identity())
		}
		return true
	})
	for {
		part, err := r.Next()
		switch {
		case err == io.EOF:
			return append(list, r.Identity())
		case err == nil && size%2 == 0: // else Next skips the text
			_, _ = io.CopyBuffer(struct{ io.Writer }{io.Discard}, struct{ io.Reader }{part.Body}, make([]byte, size))
		}
	}
}

// TestIdentity compares messages with one that a program has changed in place.
func TestIdentity(t *testing.T) {
	const message = "From a@b.example Mon Nov 23 00:10:00 2026\nSubject: s\nFrom: a@b.example\n\n\ntext\n\nStatus: text\n"
	for _, c := range []struct {
		old, new string
		same     bool
	}{
		{"", "", true},
		{"Subject", "Status: RO\nX-Status: A\nContent-Length: 20\nLines: 3\nSubject", true},
		{"example\n\n", "example\nX-UID: 12\nX-UIDL: 0f\nX-Keywords: a b\n\tc\nX-IMAP: 1 2\nX-IMAPbase: 1 2\n\n", true},
		{"Subject", "X-Mozilla-Status: 0001\nX-Mozilla-Status2: 00000000\nX-Mozilla-Keys: $label1      \nsTATUS: O\nSubject", true},
		{"From a@b.example Mon Nov 23 00:10:00 2026\n", "From - Tue Nov 24 00:10:00 2026\n", true},
		{"From a@b.example Mon Nov 23 00:10:00 2026\n", "From \r\n", true},
		{"From a@b.example Mon Nov 23 00:10:00 2026\n", "", true},
		{"Status: text\n", "Status: text\n\n\r\n", true},
		{"Status: text\n", "Status: text", true},
		{"From a@b.example Mon Nov 23 00:10:00 2026\n", "From http://a.example/ Mon Nov 23 00:10:00 2026\n", false},
		{"Status: text", "Status: other", false},
		{"Subject", "X-Keywords: http://a.example/\nSubject", false},
		{"Subject", "X-Keywords: a\n\twww.example\nStatus: RO\nSubject", false},
		{"Subject", "X-Keywords: =?utf-8?q?http=3A//a?=\nSubject", false},
		{"Status: text", "", false},
		{"Subject: s", "Subject: s\n and more", false},
		{"Subject: s", "X-Statuses: s\nSubject: s", false},
		{"Subject: s", "Status-: s\nSubject: s", false},
		{"Subject", "X-Mozilla: s\nSubject", false},
		{"text\n\n", "text\n\n\n", false},
		{"\n\n\ntext", "\n\ntext", false},
	} {
		changed := strings.Replace(message, c.old, c.new, 1)
		for _, size := range []int{1, 2, 3, 7, 16, 1000} {
			if same := slices.Equal(identitiesOf(message, 1000), identitiesOf(changed, size)); same != c.same {
				t.Errorf("%q, %d bytes at a time: %t, not %t", changed, size, same, c.same)
			}
		}
	}
}

// FuzzIdentity reads a mailbox in several ways, and adds a field that is left out to its first header.
func FuzzIdentity(f *testing.F) {
	f.Add("From a@b.example Mon Nov 23 00:10:00 2026\nSubject: s\nStatus: x\n\ntext\n\nFrom a@b.example Mon Nov 23 00:10:00 2026\nX-UID: 1\n\ntext", 3)
	f.Add("From "+strings.Repeat("x", 5000)+"://\r\n\r\r\r\n\r\n", 4095)
	f.Fuzz(func(t *testing.T, mailbox string, size int) {
		want := identitiesOf(mailbox, max(1, len(mailbox)))
		for _, n := range []int{1, 2, 1 + size&0xFFFF} {
			if got := identitiesOf(mailbox, n); !slices.Equal(got, want) {
				t.Fatalf("%q, %d bytes at a time: %x, not %x", mailbox, n, got, want)
			}
		}
		const from = "From a@b.example Mon Nov 23 00:10:00 2026\n"
		if header, ok := strings.CutPrefix(mailbox, from); ok && !strings.HasPrefix(header, " ") && !strings.HasPrefix(header, "\t") {
			if got := identitiesOf(from+"X-Status: 1\n"+header, 100); !slices.Equal(got, want) {
				t.Fatalf("%q: %x, not %x, with a status", mailbox, got, want)
			}
		}
	})
}
