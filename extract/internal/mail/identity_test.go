package mail

import (
	"strings"
	"testing"
)

// identityOf returns the identity of a message, written size bytes at a time.
func identityOf(message string, size int) uint64 {
	var d Identity
	for ; len(message) > size; message = message[size:] {
		d.Write([]byte(message[:size]))
	}
	d.Write([]byte(message))
	return d.Sum()
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
			if same := identityOf(message, 1000) == identityOf(changed, size); same != c.same {
				t.Errorf("%q, %d bytes at a time: %t, not %t", changed, size, same, c.same)
			}
		}
	}
}

// FuzzIdentity divides a message in several ways, and adds a field that is left out to its header.
func FuzzIdentity(f *testing.F) {
	f.Add("From a@b.example Mon Nov 23 00:10:00 2026\nSubject: s\nStatus: x\n\ntext\n", 3)
	f.Add("From "+strings.Repeat("x", 5000)+"://\r\n\r\r\r\n\r\n", 4095)
	f.Fuzz(func(t *testing.T, message string, size int) {
		want := identityOf(message, max(1, len(message)))
		for _, n := range []int{1, 1 + size&0xFFFF} {
			if got := identityOf(message, n); got != want {
				t.Fatalf("%q, %d bytes at a time: another identity", message, n)
			}
		}
		if from, rest, ok := strings.Cut(message, "\n"); ok && strings.HasPrefix(from, "From ") && !strings.HasPrefix(rest, " ") && !strings.HasPrefix(rest, "\t") {
			if identityOf(from+"\nX-Status: 1\n"+rest, 100) != want {
				t.Fatalf("%q: another identity with a status", message)
			}
		}
	})
}
