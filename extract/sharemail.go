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
func (w *worker) between(at int64, before int) bool {
	h := &w.share
	if h.segment != nil && before == 0 {
		return true // reading started here
	}
	for {
		split, start, ok := h.next, compress.Start{}, h.next >= 0 && h.next <= at
		if h.file.compressed {
			split, start, ok = w.pool.Frames.Passed(at - document.LineContext)
		}
		if !ok {
			return true
		}
		if s := w.shared.Reach(h.of, split); s != nil {
			if !w.shared.Await(s.Ready) {
				return false
			}
			e := &s.State
			lag, same := e.lag(start)
			if e.known && same && at < e.at+lag {
				return true // s begins with a later message
			}
			switch w.resolve(s, e.known && same && at == e.at+lag, delta{bytes: lag, sum: start.Sum}) {
			case schedule.GiveUp:
				return false
			case schedule.EndHere:
				line, _ := w.doc.Position(at)
				w.countUpTo(s, w.doc.Read()-at)
				w.doc.ForgetLost(at)
				w.shared.Follow(s, delta{lines: line - 1, messages: before, bytes: lag, mail: true})
				return false
			}
		}
		if h.file.compressed {
			w.pool.Frames.Done(split)
		} else {
			h.next = h.of.After(split)
		}
	}
}

// openMessages starts the document at the first message of s. It reports whether there is
// one in front of the next split point.
func (w *worker) openMessages(s *segment, in *bufio.Reader, from, split int64) bool {
	f, e := s.State.file, &s.State
	more := func(read int64) bool {
		switch {
		case w.shared.Discarded():
			return false
		case f.compressed:
			return w.pool.Frames.At() < s.End
		}
		return read < s.End
	}
	at, found := w.doc.OpenMessages(in, from, split, more, w.between)
	if !found || w.share.early || !f.compressed && at >= s.End {
		return false
	}
	w.share.warming = false
	w.share.next = s.File.After(at)
	w.ledger = ledger.Ledger{}
	w.ledger.Add(ledger.DiskBytes, w.storedFrom(e))
	e.known, e.at = true, at
	close(s.Ready)
	return true
}
