package extract

import (
	"bufio"

	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/document"
	"github.com/urlsift/urlsift/extract/internal/ledger"
)

// Units of a mailbox: how its reader and that of a unit come together (unit.go), at
// a line that begins a message.

// between is called where a message begins that the reader of a mailbox has come to,
// with as many before it, and reports whether it is to be read. Each turn of the loop
// passes a seam.
func (w *worker) between(at int64, before int) bool {
	p := &w.piece
	f := p.file
	if p.unit != nil && before == 0 {
		return true // it has begun here
	}
	for {
		seam, frame, ok := p.next, compress.Start{}, p.next >= 0 && p.next <= at
		if f.packed {
			seam, frame, ok = w.pool.Frames.Passed(at - document.MessageBehind)
		}
		if !ok {
			return true
		}
		if u := f.run.reach(f, seam); u != nil {
			if !w.await(u.ready) {
				return false
			}
			by, same := u.byFrames(frame)
			if u.known && same && at < u.at+by {
				return true // u begins with a later message
			}
			switch w.settle(u, u.known && same && at == u.at+by, by) {
			case giveUp:
				return false
			case endHere:
				line, _ := w.doc.Position(at)
				w.storedUpTo(u, w.doc.Read()-at)
				w.out.(*batcher).follow(u, shift{lines: line - 1, messages: before, bytes: by, mail: true})
				return false
			}
		}
		if f.packed {
			w.pool.Frames.Done(seam)
		} else {
			p.next = f.seamAfter(seam)
		}
	}
}

// openMailUnit starts the document at the first message of u, and reports whether there is
// one before the next seam.
func (w *worker) openMailUnit(u *unit, in *bufio.Reader, from, seam int64) bool {
	f := u.of
	more := func(read int64) bool {
		if w.out.(*batcher).isVoid() {
			return false
		}
		if f.packed {
			return w.pool.Frames.At() < u.end
		}
		return read < u.end
	}
	at, found := w.doc.OpenMessages(in, from, seam, more, w.between)
	if !found || !f.packed && at >= u.end {
		return false
	}
	w.piece.mute = false
	w.piece.next = f.seamAfter(at)
	w.ledger = ledger.Ledger{}
	w.ledger.Add(ledger.DiskBytes, w.storedFrom(u))
	u.known, u.at = true, at
	close(u.ready)
	return true
}
