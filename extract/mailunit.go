package extract

import (
	"github.com/urlsift/urlsift/extract/internal/mail"
)

// Units of a mailbox: how its reader and that of a unit come together (unit.go), at
// a line that begins a message.

// mailBehind is how many bytes before a line say whether a blank line stands there.
const mailBehind = 8

// offerMailbox lets other workers read the current stream too, if that is a file and
// a mailbox of that framing, and nothing else.
func (w *worker) offerMailbox(as mail.Framing) {
	w.bound()
	// A limit may end the stream in a message, which its reader sees from afar.
	size := w.piece.size
	if as != mail.Mbox || w.x.opts.Limits.Size > 0 {
		size = 0
	}
	if f := w.cut(size, true); f != nil {
		w.piece = piece{file: f, next: f.seamAfter(w.mark)}
		w.out.(*batcher).run.offer(f)
		w.decided()
	}
	w.keep()
}

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
		seam, frame, ok := p.next, passage{}, p.next >= 0 && p.next <= at
		if f.packed {
			seam, frame, ok = w.layers.frames.cut(at - mailBehind)
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
				line, _, _ := w.lines.Position(at)
				w.storedUpTo(u, w.raw.read-at)
				w.out.(*batcher).follow(u, shift{lines: line - 1, messages: before, bytes: by, mail: true})
				return false
			}
		}
		if f.packed {
			w.layers.frames.done(seam)
		} else {
			p.next = f.seamAfter(seam)
		}
	}
}

// mailUnit reads u of a mailbox from its first message on, and returns what ended it.
func (w *worker) mailUnit(u *unit, seam int64) error {
	if !w.toMessage(u, seam) {
		return errStopped
	}
	at := w.raw.read
	w.staged = true
	w.lines.ResetAt(&w.raw, at)
	w.chain.Reset(&w.lines, 0)
	w.booked, w.done = at, at
	w.piece.mute = false
	w.piece.next = u.of.seamAfter(at)
	w.n = Stats{DiskBytes: w.storedFrom(u)}
	u.known, u.at = true, at
	close(u.ready)
	return w.messages(&w.lines, at, mail.Mbox, "")
}

// toMessage passes over what stands before the first line behind the seam of u that
// begins a message for certain, and reports whether there is one before the next
// seam. Each turn passes a buffer, but for a line.
func (w *worker) toMessage(u *unit, seam int64) bool {
	const line = 1 << 10 // bytes of a line that may begin a message; of a longer one the reader knows more
	r := w.raw.r
	for u.of.packed && w.layers.frames.at < u.end || !u.of.packed && w.raw.read < u.end {
		_, err := r.Peek(r.Size())
		b, _ := r.Peek(r.Buffered())
		pass := mail.FindMessage(b, int(max(0, seam-w.raw.read)))
		found := pass >= 0
		if !found {
			pass = len(b) - line
		}
		if pass <= 0 || w.stopped() {
			return false
		}
		_, _ = r.Discard(pass)
		if w.raw.read += int64(pass); found {
			return u.of.packed || w.raw.read < u.end
		}
		if err != nil || w.out.(*batcher).isVoid() {
			return false
		}
	}
	return false
}
