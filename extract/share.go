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

	of      *divided
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

// A sharer is the component of a worker that reads large sources together with other
// workers.
type sharer struct {
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
func (h *sharer) begin(src *Source, r io.Reader, may bool) {
	h.size = src.Size
	if may && h.producer != nil && src.Size > 2*h.x.split && src.Enough == nil {
		h.whole = divisible(r)
	}
	if h.whole == nil {
		h.settled()
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
func (h *sharer) settled() {
	if h.producer != nil {
		h.producer.Settled()
	}
}

// keep makes this worker the only reader of the source.
func (h *sharer) keep() {
	if h.whole != nil {
		h.whole = nil
		h.settled()
	}
}

// layout offers the source's outermost stream to other workers if possible. For a mailbox
// it returns the function that is called between messages.
func (h *sharer) layout(l document.Layout, mark int64) func(at int64, before int) bool {
	switch l {
	case document.Lines:
		if h.offer(mark, false) && h.file.compressed {
			h.next = compress.Unknown
		}
	case document.Messages:
		// The size limit may end the stream within a message, in front of what other
		// workers have already read.
		if h.x.opts.Limits.Size == 0 && h.offer(mark, true) {
			return messageSegment{h}.between
		}
	}
	h.keep()
	return nil
}

// offer lets other workers read the source too, if it is a large file that is all text or
// all mailbox. It reports whether they can.
func (h *sharer) offer(mark int64, mbox bool) bool {
	f := h.divide(mark, mbox)
	if f == nil {
		return false
	}
	h.shareState = shareState{of: f, file: f.State.file, next: f.After(mark)}
	h.producer.Offer(f)
	return true
}

// divide returns the source as a file that can be read in segments; nil if it cannot be.
func (h *sharer) divide(mark int64, mbox bool) *divided {
	whole, size, limit := h.whole, h.size, h.x.opts.Limits.Size
	if limit > 0 {
		size = min(size, limit)
	}
	if whole == nil || size == 0 {
		return nil
	}
	f := &sharedFile{name: h.source, base: h.base, size: h.size, opened: h.reader.Size(), at: whole, mark: mark, mbox: mbox, warm: h.x.warm}
	of := &divided{State: splitState{file: f}, Split: h.x.split, Close: func() { _ = whole.Close() }} // the file was not written, so this cannot fail
	if h.pool.Compressions() > 0 {
		if limit > 0 {
			return nil
		}
		split := h.x.split
		if !mbox {
			split = max(1, split/compressedShare)
		}
		splits, ok := h.pool.Divide(whole, size, split, h.x.warm)
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
type messageSegment struct{ *sharer }

// between is called where the reader of a mailbox has found the beginning of a message. before is
// the number of earlier messages. It reports whether the message is to be read. Each iteration
// handles a split point.
func (h messageSegment) between(at int64, before int) bool {
	if h.segment != nil && before == 0 {
		return true // reading started here
	}
	for {
		split, start, ok := h.next, compress.MemberStart{}, h.next >= 0 && h.next <= at
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

// open starts the document at the first message of s. It reports whether there is
// one in front of the next split point.
func (h messageSegment) open(s *segment, in *bufio.Reader, from, split int64) bool {
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
