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
	*sharer
	t *document.Text
}

// Read reads once.
func (s *segmentReader) Read(p []byte) (int, error) {
	h, read := s.sharer, s.t.RawRead()
	if h.segment != nil && h.producer.Share.Discarded() {
		return 0, damage.ErrStopped
	}
	if h.file.compressed && !h.warming {
		h.next = h.pool.Frames.NextCompared()
	}
	if read == h.next {
		if err := s.atSplit(read); err != nil {
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
func (r *segmentReader) atSplit(split int64) error {
	h := r.sharer
	warm := !h.warming
	if !warm {
		if h.early {
			return damage.ErrStopped
		}
		r.emit(split)
	}
	switch {
	case h.file.compressed:
		return r.atMembers(split)
	case !warm:
		return nil
	}
	h.next = h.of.After(split)
	return r.meet(r.producer.Share.Reach(split), compress.Start{})
}

// meet is called for the reader that has arrived at the split point of s; s is nil if
// nobody has claimed that segment. In a compressed file, at is the member there. An error
// ends reading.
func (r *segmentReader) meet(s *segment, at compress.Start) error {
	if s == nil {
		return nil
	}
	if !r.producer.Share.Await(s.Ready) {
		return damage.ErrStopped
	}
	h, e := r.sharer, &s.State
	lag, same := e.lag(at)
	switch r.resolve(s, e.known && same && e.scan.Moved(lag) == r.scan.State(), delta{bytes: lag, sum: at.Sum}) {
	case schedule.ReadOn:
		return nil
	case schedule.EndHere:
		h.until[0], h.until[1] = r.scan.Skipped()
		r.countUpTo(s, 0)
		line, _ := r.reached(r.direct)
		r.producer.Follow(s, delta{lines: line - e.line, bytes: lag})
	}
	return damage.ErrStopped
}

// atMembers is atSplit for a file divided by members. Each iteration handles a split.
func (r *segmentReader) atMembers(read int64) error {
	h, frames := r.sharer, &r.pool.Frames
	for {
		split, start, ok := frames.Passed(read - h.file.warm)
		if !ok {
			h.next = frames.NextCompared()
			return nil
		}
		if err := r.meet(r.producer.Share.Reach(split), start); err != nil {
			return err
		}
		frames.Done(split)
	}
}

// emit starts the output of a segment: its split point is reached.
func (r *segmentReader) emit(at int64) {
	h, e := r.sharer, &r.segment.State
	h.warming = false
	h.doc.Outermost().Lost.Forget(0)
	r.ledger = ledger.Ledger{}
	r.ledger.Add(ledger.DiskBytes, r.storedFrom(e))
	h.skipped[0], h.skipped[1] = r.scan.Skipped()
	h.next = h.of.After(at) // of a file that is not compressed
	e.known, e.scan, e.text = true, r.scan.State(), r.pool.Frames.Prefix()
	e.line, _ = r.reached(r.direct)
	close(h.segment.Ready)
}

// resolve returns what this worker does at the split point of s.
func (h *sharer) resolve(s *segment, agree bool, lag delta) schedule.Decision {
	do := h.producer.Share.Resolve(s, agree && !h.pool.Frames.Near(), lag)
	h.ended = do == schedule.EndHere
	return do
}

// openSegment starts the document in front of the split point of s. It reports whether
// there is anything to read.
func (h *sharer) openSegment(s *segment) bool {
	f := s.State.file
	warm := f.warm
	if f.mbox {
		warm = document.LineContext
	}
	from, split := f.origin(), f.origin()+warm
	var in *bufio.Reader
	if f.compressed {
		open := func(at int64) io.Reader { return &files.Section{File: f.at, Offset: at, Size: f.opened} }
		in, s.State.first = h.pool.OpenAt(open, f.splits, s.Begin, s.End, from)
		if in == nil {
			return false
		}
	} else {
		from, split = max(f.mark, s.Begin-warm), s.Begin
		in = h.pool.OpenPlain(&files.Section{File: f.at, Offset: from, Size: f.opened, Step: s.File.Split}, from)
		h.pool.Source.SetOut(from)
	}
	if f.mbox {
		return h.openMessages(s, in, from, split)
	}
	h.next = split
	return h.doc.Outermost().OpenLines(in, f.mark, from, split)
}

// leave ends the worker's share, when its queue is closed.
func (h *sharer) leave() {
	n := h.ledger
	h.ledger = ledger.Ledger{}
	was := h.shareState
	h.shareState, h.left = shareState{}, false
	h.producer.Share.Leave(was.ended, func() { h.x.counts.add(&n) })
}
