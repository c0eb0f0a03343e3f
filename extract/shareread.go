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

// This file starts the reader of a segment, and decides what readers do at a split point.

// A segmentReader reads the text of a shared source. A Read ends at the latest at the next split
// point. The Read after that compares the state of the scanner.
type segmentReader struct {
	*sharedReading
	t *document.Text
}

// Read reads once.
func (r *segmentReader) Read(p []byte) (int, error) {
	h, read := r.sharedReading, r.t.RawRead()
	if h.segment != nil && h.producer.Share.Discarded() {
		return 0, damage.ErrStopped
	}
	if h.file.compressed && !h.inWarmUp {
		h.next = h.pool.Frames.NextCompared()
	}
	if read == h.next {
		if err := r.atSplit(read); err != nil {
			return 0, err
		}
	}
	if h.next >= 0 {
		p = p[:min(int64(len(p)), h.next-read)]
	}
	return r.t.Read(p)
}

// atSplit is called when a Read of running text begins at a split point. An error ends
// reading.
func (r *segmentReader) atSplit(split int64) error {
	h := r.sharedReading
	started := !h.inWarmUp
	if !started {
		if h.needsEarlierText {
			return damage.ErrStopped
		}
		r.emit(split)
	}
	switch {
	case h.file.compressed:
		return r.atMembers(split)
	case !started:
		return nil
	}
	h.next = h.divided.After(split)
	return r.meet(r.producer.Share.Reach(split), compress.MemberStart{})
}

// meet is called when the reader has arrived at the split point of s; s is nil if no worker
// has claimed that segment. In a compressed file, the compressed member called member
// begins there. An error ends reading.
func (r *segmentReader) meet(s *segment, member compress.MemberStart) error {
	if s == nil {
		return nil
	}
	if !r.producer.Share.Await(s.Ready) {
		return damage.ErrStopped
	}
	sr, e := r.sharedReading, &s.State
	shift, same := e.shift(member)
	at := r.state(r.direct)
	switch r.resolve(s, e.known && same && e.scan.Offset+shift == at.Offset && e.scan.Agrees(at), delta{bytes: shift, sum: member.Sum}) {
	case schedule.ReadOn:
		return nil
	case schedule.EndHere:
		sr.skippedAtEnd[0], sr.skippedAtEnd[1] = r.scan.Skipped()
		r.countUpTo(s, 0)
		r.producer.Follow(s, delta{lines: at.Line - e.scan.Line, bytes: shift})
	}
	return damage.ErrStopped
}

// atMembers is atSplit for a file divided by compressed members. Each iteration handles a
// split point.
func (r *segmentReader) atMembers(read int64) error {
	sr, frames := r.sharedReading, &r.pool.Frames
	for {
		split, start, ok := frames.Passed(read - sr.file.warm)
		if !ok {
			sr.next = frames.NextCompared()
			return nil
		}
		if err := r.meet(r.producer.Share.Reach(split), start); err != nil {
			return err
		}
		frames.Done(split)
	}
}

// emit starts the output of a segment. It is called when the reader has reached the segment's split
// point, whose raw offset is at.
func (r *segmentReader) emit(at int64) {
	sr, e := r.sharedReading, &r.segment.State
	sr.inWarmUp = false
	sr.doc.Outermost().Lost.Forget(0)
	r.ledger = ledger.Ledger{}
	r.ledger.Add(ledger.StoredRead, r.storedFrom(e))
	sr.skipped[0], sr.skipped[1] = r.scan.Skipped()
	sr.next = sr.divided.After(at) // for a file that is not compressed
	e.known, e.scan, e.text = true, r.state(r.direct), r.pool.Frames.Prefix()
	close(sr.segment.Ready)
}

// openSegment starts the document in front of the split point of s. It reports whether
// there is anything to read.
func (sr *sharedReading) openSegment(s *segment) bool {
	f := s.State.file
	warm := f.warm
	if f.mbox {
		warm = document.LineContext
	}
	from, split := f.firstOffset(), f.firstOffset()+warm
	var in *bufio.Reader
	if f.compressed {
		open := func(at int64) io.Reader { return &files.Section{File: f.at, Offset: at, Size: f.opened} }
		in, s.State.first = sr.pool.OpenAt(open, f.splits, s.Begin, s.End, from)
		if in == nil {
			return false
		}
	} else {
		from, split = max(f.bom, s.Begin-warm), s.Begin
		in = sr.pool.OpenPlain(&files.Section{File: f.at, Offset: from, Size: f.opened, Step: s.File.SplitSize}, from)
		sr.pool.Source.SetDecompressed(from)
	}
	if f.mbox {
		return messageSegment{sr}.open(s, in, from, split)
	}
	sr.next = split
	return sr.doc.Outermost().OpenLines(in, f.bom, from, split)
}

// onDivision offers the source's outermost stream to other workers if possible. For a mailbox
// it returns the function that is called between messages.
func (sr *sharedReading) onDivision(l document.Division, bom int64) func(at int64, before int) bool {
	switch l {
	case document.Lines:
		// Only one worker alone knows that nothing is found in data that is not text.
		if sr.whole != nil && !sr.doc.Outermost().IsBinary() {
			if sr.cutIntoBlocks(l, bom) {
				return nil
			}
			if sr.pool.Compressions() > 0 && sr.offer(bom, false) {
				sr.next = compress.Unknown
			}
		}
	case document.Messages:
		if sr.cutIntoBlocks(l, bom) {
			return sr.first.message
		}
		// The size limit may end the stream within a message, in front of what other
		// workers have already read.
		if sr.pool.Compressions() > 0 && sr.x.opts.Limits.Size == 0 && sr.offer(bom, true) {
			return messageSegment{sr}.between
		}
	}
	sr.readAlone()
	if l != document.Whole {
		if sr.handOut(l, bom); sr.stream != nil && l.OfMessages() {
			return sr.betweenMessages
		}
	}
	return nil
}

// A mailbox is divided into segments. Messages are independent except for numbers. So the
// worker that claims a segment searches, after the split point, for a line that certainly
// begins a message, and reads from there. A reader that arrives agrees if one of its messages
// begins at that line.

// A messageSegment reads a segment of a shared mailbox, message by message. A segmentReader
// does the same for running text.
type messageSegment struct{ *sharedReading }

// between is called when the reader of a mailbox has found the beginning of a message; at is its
// raw offset. before is the number of messages that this reader has found earlier. between reports
// whether to read the message. Each iteration handles a split point.
func (m messageSegment) between(at int64, before int) bool {
	if m.segment != nil && before == 0 {
		return true // reading started here
	}
	for {
		split, start, ok := m.next, compress.MemberStart{}, m.next >= 0 && m.next <= at
		if m.file.compressed {
			split, start, ok = m.pool.Frames.Passed(at - document.LineContext)
		}
		if !ok {
			return true
		}
		if s := m.producer.Share.Reach(split); s != nil {
			if !m.producer.Share.Await(s.Ready) {
				return false
			}
			e := &s.State
			shift, same := e.shift(start)
			if e.known && same && at < e.at+shift {
				return true // s begins with a later message
			}
			switch m.resolve(s, e.known && same && at == e.at+shift, delta{bytes: shift, sum: start.Sum}) {
			case schedule.GiveUp:
				return false
			case schedule.EndHere:
				line, _ := m.doc.Outermost().Position(at)
				m.countUpTo(s, m.doc.Outermost().Read()-at)
				m.doc.Outermost().Lost.Forget(at)
				m.producer.Follow(s, delta{lines: line - 1, messages: before, bytes: shift, mail: true})
				return false
			}
		}
		if m.file.compressed {
			m.pool.Frames.Done(split)
		} else {
			m.next = m.divided.After(split)
		}
	}
}

// open starts the document at the first message of s. It reports whether there is
// one in front of the next split point.
func (m messageSegment) open(s *segment, in *bufio.Reader, from, split int64) bool {
	f, e := s.State.file, &s.State
	more := func(read int64) bool {
		switch {
		case m.producer.Share.Discarded():
			return false
		case f.compressed:
			return m.pool.Frames.At() < s.End
		}
		return read < s.End
	}
	at, found := m.doc.Outermost().OpenMessages(in, from, split, more, m.between)
	if !found || m.needsEarlierText || !f.compressed && at >= s.End {
		return false
	}
	m.inWarmUp = false
	m.next = s.File.After(at)
	m.ledger = ledger.Ledger{}
	m.ledger.Add(ledger.StoredRead, m.storedFrom(e))
	e.known, e.at, e.text = true, at, m.pool.Frames.Prefix()
	close(s.Ready)
	return true
}
