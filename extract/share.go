package extract

import (
	"io"
	"os"
	"time"

	"github.com/urlsift/urlsift/delimit/split"
	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/document"
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
	first int64       // in a compressed file: where, in what is stored, its first member begins
	at    int64       // in a mailbox: where its first message begins
	state split.State // in text
	line  int64       // number of the line there, as counted from where the reader began
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
	f := &sharedFile{name: w.source, size: w.share.size, opened: w.from.Size(), at: whole, mark: mark, mbox: mbox, warm: w.x.warm}
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
