package document

import (
	"bufio"
	"bytes"

	"github.com/urlsift/urlsift/extract/internal/mail"
)

// This file starts reading in the middle of the source's outermost stream. Another worker
// reads what is in front of it.

// Outermost is the outermost stream of the source that a Reader reads. Reading of it can start
// in the middle, and its damage may be passed over: see lost.go.
type Outermost struct {
	Lost  Losses // damage that did not end it
	d     *Reader
	until int64                    // see StopAt; -1 for none
	tap   func(at int64, p []byte) // see Tap
	tar   *untar                   // reads it, if it is a tar archive
}

// reset forgets what was set for the last source.
func (o *Outermost) reset() { o.Lost.list, o.until, o.tap, o.tar = o.Lost.list[:0], -1, nil, nil }

// OpenLines starts the Reader in the middle of a stream of running text. in is at the offset at of
// the stream; mark is the length of its byte order mark. OpenLines skips the rest of the
// line there. The ledger counts the text that Next returns from the offset from on.
// OpenLines returns false if no line begins before from. Each iteration consumes at least
// a byte.
func (o *Outermost) OpenLines(in *bufio.Reader, mark, at, from int64) bool {
	d := o.d
	s := d.down(in)
	s.mark, s.raw.read, s.begun = mark, at, true
	found := at == mark
	for !found && s.raw.read < from {
		b, err := in.ReadSlice('\n')
		s.raw.read += int64(len(b))
		found = bytes.HasSuffix(b, newline)
		if err != nil && len(b) == 0 || d.hooks.Stopped() {
			return false
		}
	}
	if !found || s.raw.read >= from {
		return false
	}
	s.first, s.from, s.classed = s.raw.read, from, from
	t := d.newText(s)
	t.Direct, t.Mark, t.Start = true, mark, s.raw.read-mark
	s.direct = true
	d.held = t
	return true
}

// maxFromLine is how many bytes of a line are examined to see whether it begins a
// message. For a longer line only the reader of the mailbox can decide.
const maxFromLine = 1 << 10

// LineContext is how many bytes in front of a line show whether it follows a blank
// line.
const LineContext = 8

// OpenMessages starts the Reader in the middle of a mailbox, whose offset at is where in
// begins. It skips everything in front of the first line, at or after the offset from, that
// certainly begins a message. It returns the offset of the message, or false if none was
// found or more returned false; more is called before each step. begins is that of
// [Hooks].Layout. Each iteration discards what is buffered, except for maxFromLine bytes.
func (o *Outermost) OpenMessages(in *bufio.Reader, at, from int64, more func(read int64) bool, begins func(at int64, before int) bool) (int64, bool) {
	d := o.d
	s := d.down(in)
	s.raw.read, s.begun = at, true
	for more(s.raw.read) {
		_, err := in.Peek(in.Size())
		b, _ := in.Peek(in.Buffered())
		pass := mail.FindMessage(b, int(max(0, from-s.raw.read)))
		found := pass >= 0
		if !found {
			pass = len(b) - maxFromLine
		}
		if pass <= 0 && !found || d.hooks.Stopped() {
			return 0, false
		}
		_, _ = in.Discard(pass)
		if s.raw.read += int64(pass); found {
			at = s.raw.read
			s.staged, s.mail = true, true
			s.lines.ResetAt(&s.raw, at)
			s.chain.Reset(&s.lines, 0)
			s.classed, s.done = at, at
			s.messages(d, &s.lines, at, mail.Mbox, "")
			s.boxes[0].OnMessage(begins)
			return at, true
		}
		if err != nil {
			return 0, false
		}
	}
	return 0, false
}

// Position returns the line and column of the offset at of the current mailbox, counted
// from where reading started.
func (o *Outermost) Position(at int64) (line, column int64) {
	line, column, _ = o.d.streams[0].lines.Position(at)
	return line, column
}

// Read returns how many bytes of the source's outermost stream were read: the offset of
// the next byte.
func (o *Outermost) Read() int64 { return o.d.streams[0].raw.read }
