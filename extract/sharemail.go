package extract

import (
	"bufio"

	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/document"
	"github.com/urlsift/urlsift/extract/internal/ledger"
	"github.com/urlsift/urlsift/extract/internal/schedule"
)

// Segments of a mailbox. Only numbers are carried over from one message to the next. So
// the worker that claims a segment searches, after the split point, for a line that
// certainly begins a message, and reads from there. A reader that arrives agrees if one
// of its messages begins at that line.

// between is called where the reader of a mailbox has found the beginning of a message,
// after before other ones. It reports whether the message is to be read. Each iteration
// handles a split point.
func (h *sharer) between(at int64, before int) bool {
	if h.segment != nil && before == 0 {
		return true // reading started here
	}
	for {
		split, start, ok := h.next, compress.Start{}, h.next >= 0 && h.next <= at
		if h.file.compressed {
			split, start, ok = h.pool.Frames.Passed(at - document.LineContext)
		}
		if !ok {
			return true
		}
		if s := h.producer.Share.Reach(split); s != nil {
			if !h.producer.Share.Await(s.Ready) {
				return false
			}
			e := &s.State
			lag, same := e.lag(start)
			if e.known && same && at < e.at+lag {
				return true // s begins with a later message
			}
			switch h.resolve(s, e.known && same && at == e.at+lag, delta{bytes: lag, sum: start.Sum}) {
			case schedule.GiveUp:
				return false
			case schedule.EndHere:
				line, _ := h.doc.Outermost().Position(at)
				h.countUpTo(s, h.doc.Outermost().Read()-at)
				h.doc.Outermost().Lost.Forget(at)
				h.producer.Follow(s, delta{lines: line - 1, messages: before, bytes: lag, mail: true})
				return false
			}
		}
		if h.file.compressed {
			h.pool.Frames.Done(split)
		} else {
			h.next = h.of.After(split)
		}
	}
}

// openMessages starts the document at the first message of s. It reports whether there is
// one in front of the next split point.
func (h *sharer) openMessages(s *segment, in *bufio.Reader, from, split int64) bool {
	f, e := s.State.file, &s.State
	more := func(read int64) bool {
		switch {
		case h.producer.Share.Discarded():
			return false
		case f.compressed:
			return h.pool.Frames.At() < s.End
		}
		return read < s.End
	}
	at, found := h.doc.Outermost().OpenMessages(in, from, split, more, h.between)
	if !found || h.early || !f.compressed && at >= s.End {
		return false
	}
	h.warming = false
	h.next = s.File.After(at)
	h.ledger = ledger.Ledger{}
	h.ledger.Add(ledger.DiskBytes, h.storedFrom(e))
	e.known, e.at, e.text = true, at, h.pool.Frames.Prefix()
	close(s.Ready)
	return true
}
