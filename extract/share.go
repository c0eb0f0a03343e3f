package extract

import (
	"bufio"
	"io"
	"os"
	"time"

	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/document"
	"github.com/urlsift/urlsift/extract/internal/ledger"
	"github.com/urlsift/urlsift/extract/internal/schedule"
)

// This file lets a worker read a source together with other workers; schedule/segment.go has
// the plan. It compares readers at a split point: in running text by the state of the scanner,
// in a mailbox by the message that begins there. Compressed files of many compressed members
// are divided by stored offsets (shareread.go).

const (
	splitSize = 1 << 20  // bytes between split points
	warmUp    = 16 << 10 // a segment's reader searches for the beginning of a line within this many bytes before its split point
)

// A shareState is a worker's share of a source that several workers read. It is zero if one
// worker reads the source.
type shareState struct {
	whole *os.File // the source, until it is decided whether it is divided
	size  int64    // of the source

	of      *dividedFile
	file    *sharedFile
	segment *segment // nil for the beginning of the file
	warming bool     // the segment's split point is not reached: no results are emitted
	early   bool     // text in front of the warm-up is needed, so the segment is not read
	ended   bool     // ended at a split point: another worker continues

	handedOver time.Time // when results were last delivered
	next       int64     // the next split point; -1 if there is none
	skipped    [2]int64  // long runs that the scanner has counted, but that do not belong to this share
	until      [2]int64  // if ended: the long runs that must be counted
}

// A sharedReading is the component of a worker that reads large sources together with other
// workers.
type sharedReading struct {
	*core
	shareState
}

// mayWait reports whether results are delivered before a Read of the source. In a big
// file, reads are fast, so this is done only after some time.
func (s *shareState) mayWait() bool {
	if s.of == nil {
		return true
	}
	now := time.Now()
	if now.Sub(s.handedOver) < soon {
		return false
	}
	s.handedOver = now
	return true
}

// counted returns how much of the runs and bytes skipped by the scanner is counted.
func (s *shareState) counted(runs, bytes int64) (int64, int64) {
	switch {
	case s.warming:
		return 0, 0
	case s.ended:
		runs, bytes = s.until[0], s.until[1]
	}
	return runs - s.skipped[0], bytes - s.skipped[1]
}

// begin prepares for src, which is open as r. may says that other workers may read it too. If they
// cannot, begin wakes those that wait.
func (sr *sharedReading) begin(src *Source, r io.Reader, may bool) {
	sr.size = src.Size
	if may && sr.producer != nil && src.Size > 2*sr.x.split && src.Enough == nil {
		sr.whole = divisible(r)
	}
	if sr.whole == nil {
		sr.settled()
	}
}

// divisible returns r if it is a regular file of which nothing was read; otherwise nil.
func divisible(r io.Reader) *os.File {
	f, ok := r.(*os.File)
	if !ok {
		return nil
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	if at, err := f.Seek(0, io.SeekCurrent); err != nil || at != 0 {
		return nil
	}
	return f
}

// settled wakes the workers that wait to know whether this source has segments.
func (sr *sharedReading) settled() {
	if sr.producer != nil {
		sr.producer.Settled()
	}
}

// keep makes this worker the only reader of the source.
func (sr *sharedReading) keep() {
	if sr.whole != nil {
		sr.whole = nil
		sr.settled()
	}
}

// layout offers the source's outermost stream to other workers if possible. For a mailbox
// it returns the function that is called between messages.
func (sr *sharedReading) layout(l document.Layout, mark int64) func(at int64, before int) bool {
	switch l {
	case document.Lines:
		if sr.offer(mark, false) && sr.file.compressed {
			sr.next = compress.Unknown
		}
	case document.Messages:
		// The size limit may end the stream within a message, in front of what other
		// workers have already read.
		if sr.x.opts.Limits.Size == 0 && sr.offer(mark, true) {
			return messageSegment{sr}.between
		}
	}
	sr.keep()
	return nil
}

// offer lets other workers read the source too, if it is a large file that is all text or
// all mailbox. It reports whether they can.
func (sr *sharedReading) offer(mark int64, mbox bool) bool {
	f := sr.divide(mark, mbox)
	if f == nil {
		return false
	}
	sr.shareState = shareState{of: f, file: f.State.file, next: f.After(mark)}
	sr.producer.Offer(f)
	return true
}

// divide returns the source as a file that can be read in segments; nil if it cannot be.
func (sr *sharedReading) divide(mark int64, mbox bool) *dividedFile {
	whole, size, limit := sr.whole, sr.size, sr.x.opts.Limits.Size
	if limit > 0 {
		size = min(size, limit)
	}
	if whole == nil || size == 0 {
		return nil
	}
	f := &sharedFile{name: sr.source, base: sr.base, size: sr.size, opened: sr.reader.Size(), at: whole, mark: mark, mbox: mbox, warm: sr.x.warm}
	of := &dividedFile{State: splitState{file: f}, Split: sr.x.split, Close: func() { _ = whole.Close() }} // the file was not written, so this cannot fail
	if sr.pool.Compressions() > 0 {
		if limit > 0 {
			return nil
		}
		split := sr.x.split
		if !mbox {
			split = max(1, split/compressedShare)
		}
		splits, ok := sr.pool.Divide(whole, size, split, sr.x.warm)
		if !ok {
			return nil
		}
		f.compressed, f.splits, f.warm = true, splits, splits.Warm
		of.Split, of.Next = splits.Split, int(splits.At/splits.Split)+1
	}
	of.Last = int((size - 1) / of.Split)
	return of
}

// A mailbox is divided into segments. Messages are independent except for numbers. So the
// worker that claims a segment searches, after the split point, for a line that certainly
// begins a message, and reads from there. A reader that arrives agrees if one of its messages
// begins at that line.

// A messageSegment reads a segment of a shared mailbox, message by message. A segmentReader
// does the same for running text.
type messageSegment struct{ *sharedReading }

// between is called where the reader of a mailbox has found the beginning of a message. before is
// the number of earlier messages. It reports whether the message is to be read. Each iteration
// handles a split point.
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
			lag, same := e.lag(start)
			if e.known && same && at < e.at+lag {
				return true // s begins with a later message
			}
			switch m.resolve(s, e.known && same && at == e.at+lag, delta{bytes: lag, sum: start.Sum}) {
			case schedule.GiveUp:
				return false
			case schedule.EndHere:
				line, _ := m.doc.Outermost().Position(at)
				m.countUpTo(s, m.doc.Outermost().Read()-at)
				m.doc.Outermost().Lost.Forget(at)
				m.producer.Follow(s, delta{lines: line - 1, messages: before, bytes: lag, mail: true})
				return false
			}
		}
		if m.file.compressed {
			m.pool.Frames.Done(split)
		} else {
			m.next = m.of.After(split)
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
	if !found || m.early || !f.compressed && at >= s.End {
		return false
	}
	m.warming = false
	m.next = s.File.After(at)
	m.ledger = ledger.Ledger{}
	m.ledger.Add(ledger.DiskBytes, m.storedFrom(e))
	e.known, e.at, e.text = true, at, m.pool.Frames.Prefix()
	close(s.Ready)
	return true
}
