package extract

import (
	"bufio"
	"io"
	"os"
	"time"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/document"
	"github.com/urlsift/urlsift/extract/internal/ledger"
	"github.com/urlsift/urlsift/extract/internal/schedule"
)

// What a worker does with a source that several workers read; schedule/segment.go has the
// plan. Here is what is compared at a split point: of running text the state of the
// scanner, of a mailbox the message that begins there (sharemail.go). Compressed files of
// many members are divided by what is stored (sharemembers.go).

const (
	splitSize = 1 << 20  // bytes from split point to split point
	warmUp    = 16 << 10 // bytes before the split point within which a segment's reader looks for a line to begin with
)

// A sharedFile is a source that several workers read. It does not change.
type sharedFile struct {
	name   string
	size   int64    // when it was met; for Stats
	opened int64    // when it was opened
	at     *os.File // where it can be read
	mark   int64    // length of the byte order mark
	mbox   bool     // it is a mailbox, or else text
	packed bool     // it is compressed, and segments are of what is stored
	splits compress.Splits
	warm   int64
}

// An edge is what the reader of a segment knows at its split point.
type edge struct {
	file  *sharedFile
	known bool
	first int64         // in a compressed file: where, in what is stored, its first member begins
	at    int64         // in a mailbox: where its first message begins
	state delimit.State // in text
	line  int64         // number of the line there, as counted from where the reader began
}

// A share is a worker's part of a source that several workers read. The zero share is that
// of a source that one reads.
type share struct {
	whole *os.File // of a source of which that is not yet decided
	size  int64    // of the source

	of      *divided
	file    *sharedFile
	segment *segment // nil for the beginning of the file
	warming bool     // the segment's split point is ahead: nothing is emitted
	ended   bool     // at a split point: another worker reads on

	handedOver time.Time // when what was found was last handed over
	next       int64     // the split point that comes next; -1 if none
	skipped    [2]int64  // runs too long that the scanner has counted, and that are not to be
	until      [2]int64  // likewise, if ended: those that are
}

// mayWait reports whether what was found is to be handed over before a Read of the source.
// A big file is read fast, and if not, that is so after a while.
func (s *share) mayWait() bool {
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

// counted returns what is to be counted of the runs that the scanner has skipped.
func (s *share) counted(runs, bytes int64) (int64, int64) {
	switch {
	case s.warming:
		return 0, 0
	case s.ended:
		runs, bytes = s.until[0], s.until[1]
	}
	return runs - s.skipped[0], bytes - s.skipped[1]
}

// divisible returns r if nothing was read of it, it is a file that can be divided, and
// there are other workers; else nil.
func (w *worker) divisible(size int64, r io.Reader) *os.File {
	f, ok := r.(*os.File)
	if !ok || w.shared == nil || size <= 2*w.x.split {
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

// decided tells workers that wait for it that segments of what is read are on offer, or
// that there will be none.
func (w *worker) decided() {
	if w.shared != nil {
		w.shared.Decided()
	}
}

// keep says that no other worker can read what is read now.
func (w *worker) keep() {
	if w.share.whole != nil {
		w.share.whole = nil
		w.decided()
	}
}

// layout is told how the source's outermost stream can be divided, and offers it to other
// workers where that is so. Of a mailbox it returns what is called between messages.
func (w *worker) layout(l document.Layout, mark int64) func(at int64, before int) bool {
	switch l {
	case document.Lines:
		if w.offer(mark, false) && w.share.file.packed {
			w.share.next = compress.Unknown
		}
	case document.Messages:
		// A limit may end the stream in a message, which its reader sees from afar.
		if w.x.opts.Limits.Size == 0 && w.offer(mark, true) {
			return w.between
		}
	}
	w.keep()
	return nil
}

// offer lets other workers read the source too, if it is a file and large enough; it holds
// nothing but text, or a mailbox. It reports whether others may.
func (w *worker) offer(mark int64, mbox bool) bool {
	f := w.divide(mark, mbox)
	if f == nil {
		return false
	}
	w.share = share{of: f, file: f.Edge.file, next: f.After(mark)}
	w.shared.Offer(f)
	return true
}

// divide returns the source as one that can be read in segments; nil if it cannot.
func (w *worker) divide(mark int64, mbox bool) *divided {
	whole, size, limit := w.share.whole, w.share.size, w.x.opts.Limits.Size
	if limit > 0 {
		size = min(size, limit)
	}
	if whole == nil || size == 0 {
		return nil
	}
	f := &sharedFile{name: w.source, size: w.share.size, opened: w.from.size, at: whole, mark: mark, mbox: mbox, warm: w.x.warm}
	of := &divided{Edge: edge{file: f}, Split: w.x.split, Close: func() { _ = whole.Close() }} // nothing was written
	if w.pool.Compressions() > 0 {
		if limit > 0 {
			return nil
		}
		split := w.x.split
		if !mbox {
			split = max(1, split/packedShare)
		}
		splits, ok := w.pool.Divide(whole, size, split, w.x.warm)
		if !ok {
			return nil
		}
		f.packed, f.splits, f.warm = true, splits, splits.Warm
		of.Split, of.Next = splits.Split, int(splits.At/splits.Split)+1
	}
	of.Last = int((size - 1) / of.Split)
	return of
}

// A segmentReader reads the text of a share: it ends a Read at each split point, and at the
// Read that begins there it looks at what the scanner that it feeds has come to.
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
	if h.file.packed && !h.warming {
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

// atSplit is called where a Read of running text begins at a split point. An error ends
// what is read.
func (w *worker) atSplit(split int64) error {
	h := &w.share
	warm := !h.warming
	if !warm {
		w.emit(split)
	}
	switch {
	case h.file.packed:
		return w.atMembers(split)
	case !warm:
		return nil
	}
	h.next = h.of.After(split)
	return w.meet(w.shared.Reach(h.of, split), compress.Start{})
}

// meet is what a reader does that comes to the split point of s, which is nil if nobody has
// claimed that; of a compressed file, where it came to the member of at. An error ends what
// is read.
func (w *worker) meet(s *segment, at compress.Start) error {
	if s == nil {
		return nil
	}
	if !w.shared.Await(s.Ready) {
		return damage.ErrStopped
	}
	h, e := &w.share, &s.Edge
	lag, same := e.lag(at)
	switch w.resolve(s, e.known && same && e.state.Moved(lag) == w.scan.State(), lag) {
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

// resolve returns what this worker is to do at the split point of s.
func (w *worker) resolve(s *segment, agree bool, lag int64) schedule.Decision {
	do := w.shared.Resolve(w.share.of, s, agree && !w.pool.Frames.Near(), lag)
	w.share.ended = do == schedule.EndHere
	return do
}

// Segment reads s on, until an end or a reader that is further on.
func (w *worker) Segment(s *segment) (leave func()) {
	f := s.Edge.file
	w.ledger, w.left = ledger.Ledger{}, false
	w.share = share{of: s.File, file: f, segment: s, warming: true}
	w.source = f.name
	w.doc.Close()
	if w.openSegment(s) {
		w.texts()
		if !w.share.warming {
			w.countLeft(f.size)
		}
	}
	w.doc.Close()
	if w.share.warming { // it did not come as far
		w.ledger = ledger.Ledger{}
		w.shared.Fail()
	}
	return w.leave
}

// openSegment starts the document in front of the split point of s, and reports whether
// there is anything to read.
func (w *worker) openSegment(s *segment) bool {
	f := s.Edge.file
	warm := f.warm
	if f.mbox {
		warm = document.MessageBehind
	}
	from, split := f.origin(), f.origin()+warm
	var in *bufio.Reader
	if f.packed {
		open := func(at int64) io.Reader { return &section{f.at, at, f.opened} }
		in, s.Edge.first = w.pool.OpenAt(open, f.splits, s.Begin, s.End, from)
		if in == nil {
			return false
		}
	} else {
		from, split = max(f.mark, s.Begin-warm), s.Begin
		in = w.pool.OpenPlain(&splitReader{section{f.at, from, f.opened}, s.File.Split}, from)
		w.pool.Source.SetOut(from)
	}
	if f.mbox {
		return w.openMessages(s, in, from, split)
	}
	w.share.next = split
	return w.doc.OpenLines(in, f.mark, from, split)
}

// emit begins what a segment has to say: its split point has come.
func (w *worker) emit(split int64) {
	h, e := &w.share, &w.share.segment.Edge
	h.warming = false
	w.ledger = ledger.Ledger{}
	w.ledger.Add(ledger.DiskBytes, w.storedFrom(e))
	h.skipped[0], h.skipped[1] = w.scan.Skipped()
	h.next = h.of.After(split) // of one that is not compressed
	e.known, e.state = true, w.scan.State()
	e.line, _ = w.reached(w.direct)
	close(h.segment.Ready)
}

// leave ends the worker's share, when its queue has ended.
func (w *worker) leave() {
	n := w.ledger
	w.ledger = ledger.Ledger{}
	h := w.share
	w.share, w.left = share{}, false
	w.shared.Leave(h.of, h.ended, func() { w.x.counts.add(&n) })
}
