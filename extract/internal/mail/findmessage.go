package mail

import "bytes"

// Where reading of a mailbox can start in the middle, and end there.

// FindMessage returns the index of the first line in b, at or after from, that begins a
// message of an [Mbox] independent of what is in front of it (except for a
// Content-Length): a From_ line with a date, after a blank line. It returns -1 if there
// is none. Each line is examined once.
func FindMessage(b []byte, from int) int {
	for i := min(len(b), max(0, from-1)); ; {
		k := bytes.Index(b[i:], fromBegins)
		if k < 0 {
			return -1
		}
		at := i + k + 1
		above := bytes.TrimRight(b[:at-1], "\r")
		if line, _, full := cutLine(b[at:]); full && at >= from && bytes.HasSuffix(above, newline) && fromLine(line) == dated {
			return at
		}
		i = at
	}
}

var (
	fromBegins = []byte("\nFrom ")
	newline    = []byte{'\n'}
)

// OnMessage makes r call begins, until its Reset, where a message of an [Mbox] begins.
// begins gets the raw offset of the first line after blank lines, and the number of
// messages in front of it. Only this number depends on earlier messages. If begins
// returns false, the stream ends for r.
func (r *Reader) OnMessage(begins func(at int64, before int) bool) { r.onMessage = begins }
