package extract

import (
	"bufio"
	"io"

	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/document"
	"github.com/urlsift/urlsift/extract/internal/files"
	"github.com/urlsift/urlsift/extract/internal/ledger"
	"github.com/urlsift/urlsift/extract/internal/schedule"
)

// How the reader of a segment starts, and what readers do at a split point.

// A segmentReader reads the text of a share. It ends a Read at each split point. The Read
// that begins there compares the state of the scanner.
type segmentReader struct {
	w *worker
	t *document.Text
}

// Read reads once.
func (s *segmentReader) Read(p []byte) (int, error) {
	w, h, read := s.w, &s.w.share, s.t.RawRead()
	if h.segment != nil && w.shared.Discarded() {
		return 0, damage.ErrStopped
	}
	if h.file.compressed && !h.warming {
		h.next = w.pool.Frames.NextCompared()
	}
	if read == h.next {
		if err := w.atSplit(read); err != nil {
			return 0, err
		}
	}
	if h.next >= 0 {
		p = p[:min(int64(len(p)), h.next-read)]
	}
	return s.t.Read(p)
}

// atSplit is called when a Read of running text begins at a split point. An error ends
// reading.
func (w *worker) atSplit(split int64) error {
	h := &w.share
	warm := !h.warming
	if !warm {
		if h.early {
			return damage.ErrStopped
		}
		w.emit(split)
	}
	switch {
	case h.file.compressed:
		return w.atMembers(split)
	case !warm:
		return nil
	}
	h.next = h.of.After(split)
	return w.meet(w.shared.Reach(h.of, split), compress.Start{})
}

// meet is called for the reader that has arrived at the split point of s; s is nil if
// nobody has claimed that segment. In a compressed file, at is the member there. An error
// ends reading.
func (w *worker) meet(s *segment, at compress.Start) error {
	if s == nil {
		return nil
	}
	if !w.shared.Await(s.Ready) {
		return damage.ErrStopped
	}
	h, e := &w.share, &s.State
	lag, same := e.lag(at)
	switch w.resolve(s, e.known && same && e.scan.Moved(lag) == w.scan.State(), delta{bytes: lag, sum: at.Sum}) {
	case schedule.ReadOn:
		return nil
	case schedule.EndHere:
		h.until[0], h.until[1] = w.scan.Skipped()
		w.countUpTo(s, 0)
		line, _ := w.reached(w.direct)
		w.shared.Follow(s, delta{lines: line - e.line, bytes: lag})
	}
	return damage.ErrStopped
}

// resolve returns what this worker does at the split point of s.
func (w *worker) resolve(s *segment, agree bool, lag delta) schedule.Decision {
	do := w.shared.Resolve(w.share.of, s, agree && !w.pool.Frames.Near(), lag)
	w.share.ended = do == schedule.EndHere
	return do
}

// Segment reads s to its end, or until another reader continues.
func (w *worker) Segment(s *segment) (leave func()) {
	f := s.State.file
	w.ledger, w.left = ledger.Ledger{}, false
	w.share = share{of: s.File, file: f, segment: s, warming: true}
	w.source = f.name
	w.judge.bases.begin(f.base)
	w.doc.Close()
	if w.openSegment(s) {
		w.texts()
		if !w.share.warming {
			w.countLeft(f.size)
		}
	}
	w.doc.Close()
	if w.share.warming { // the split point was not reached
		w.ledger = ledger.Ledger{}
		w.shared.Fail()
	}
	return w.leave
}

// openSegment starts the document in front of the split point of s. It reports whether
// there is anything to read.
func (w *worker) openSegment(s *segment) bool {
	f := s.State.file
	warm := f.warm
	if f.mbox {
		warm = document.LineContext
	}
	from, split := f.origin(), f.origin()+warm
	var in *bufio.Reader
	if f.compressed {
		open := func(at int64) io.Reader { return &files.Section{File: f.at, Offset: at, Size: f.opened} }
		in, s.State.first = w.pool.OpenAt(open, f.splits, s.Begin, s.End, from)
		if in == nil {
			return false
		}
	} else {
		from, split = max(f.mark, s.Begin-warm), s.Begin
		in = w.pool.OpenPlain(&files.Section{File: f.at, Offset: from, Size: f.opened, Step: s.File.Split}, from)
		w.pool.Source.SetOut(from)
	}
	if f.mbox {
		return w.openMessages(s, in, from, split)
	}
	w.share.next = split
	return w.doc.OpenLines(in, f.mark, from, split)
}

// emit starts the output of a segment: its split point is reached.
func (w *worker) emit(at int64) {
	h, e := &w.share, &w.share.segment.State
	h.warming = false
	w.doc.ForgetLost(0)
	w.ledger = ledger.Ledger{}
	w.ledger.Add(ledger.DiskBytes, w.storedFrom(e))
	h.skipped[0], h.skipped[1] = w.scan.Skipped()
	h.next = h.of.After(at) // of a file that is not compressed
	e.known, e.scan = true, w.scan.State()
	e.line, _ = w.reached(w.direct)
	close(h.segment.Ready)
}

// leave ends the worker's share, when its queue is closed.
func (w *worker) leave() {
	n := w.ledger
	w.ledger = ledger.Ledger{}
	h := w.share
	w.share, w.left = share{}, false
	w.shared.Leave(h.of, h.ended, func() { w.x.counts.add(&n) })
}
