package extract

import (
	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/ledger"
)

// Segments of a compressed file: one that is many frames of zstd, or members of gzip, as
// the blocks of BGZF are. Such a file is cut by what is stored. The worker that claims a
// segment looks for the first member after the split, by its magic number, and reads from
// there; how much text stands in front of it, it does not know, and counts from a place of
// its own. A reader that comes to that member knows: so the split point is some lines after
// the beginning of the member, and the places that the two count differ by a number there.
//
//	stored   ──────┼─ split ──┼─────── split ───┼──────
//	members  ├───────────┤├───────────┤├───────────┤
//	                      ├─ split point: the segment's reader begins at the member, and
//	                         emits nothing up to the split point
//
// Only the reader that comes to a place can say whether a member begins there: a magic
// number by chance is one that it never meets, and what was found after it is discarded. So
// is a segment whose reader meets damage in front of the split point. All else of a member,
// damage too, its reader meets as one that reads alone. Nothing is kept of the members that
// were passed, and nothing of their text but what the layers and the scanner of each reader
// hold, however long a segment is.
//
// Limits.Ratio counts from the beginning of a file, which the reader of a segment does not
// know. As long as no more came of any segment than half of what may come of as many bytes,
// the limit is far. A reader of which more came waits until it is committed, knows how much
// came in front of it, and reads alone from there on: so the limit is met at the same byte
// whoever reads, at the member that is too much.

// packedShare is how many times smaller segments of text are where they are of compressed
// bytes. Those of a mailbox are not: where a message is longer, what is decompressed to look
// for another one is lost.
const packedShare = 8

// nearRatio is called once the expansion ratio is near its limit: the worker of a segment
// waits until that is committed, and learns how much came in front of it. It reports whether
// to read on.
func (w *worker) nearRatio() (lag int64, ok bool) {
	s := w.share.segment
	if s == nil {
		return 0, true
	}
	if w.share.warming || !w.shared.Await(s.Decided()) || w.shared.Discarded() {
		return 0, false
	}
	return s.Base(), true
}

// isHopeless reports whether the reader of a segment should give up: it is known to be
// discarded, or frames to be skipped lead it far, as false ones may.
func (w *worker) isHopeless() bool {
	s := w.share.segment
	return s != nil && w.share.file.packed &&
		(w.shared.Discarded() || w.share.warming && w.pool.Source.Stored() > s.End+maxSearch)
}

// maxSearch is how far after its end, in what is stored, the beginning of a segment is
// looked for.
const maxSearch = 1 << 20

// atMembers is atSplit where the split points that were passed since are of members. Each
// iteration is for a split.
func (w *worker) atMembers(read int64) error {
	h, frames := &w.share, &w.pool.Frames
	for {
		split, start, ok := frames.Passed(read - h.file.warm)
		if !ok {
			h.next = frames.NextCompared()
			return nil
		}
		if err := w.meet(w.shared.Reach(h.of, split), start); err != nil {
			return err
		}
		frames.Done(split)
	}
}

// lag returns how far the places that the segment of e counts lag behind; same reports
// whether it begins with the member of start.
func (e *edge) lag(start compress.Start) (lag int64, same bool) {
	if !e.file.packed {
		return 0, true
	}
	return start.Text - e.file.origin(), e.first == start.At
}

// origin is the raw offset that readers of segments of a compressed file begin to count
// from: not that of the first line.
func (f *sharedFile) origin() int64 { return f.mark + 1 }

// countUpTo counts what is stored up to where s begins, and no more: its reader counts the
// rest. held is how much of the raw stream was read that is the other's.
func (w *worker) countUpTo(s *segment, held int64) {
	if s.Edge.file.packed {
		w.pool.Source.Count(s.Edge.first)
	} else {
		w.ledger.Add(ledger.DiskBytes, -held-int64(w.pool.Buffered(compress.Mark{})))
	}
}

// storedFrom returns how many bytes of what is stored were read of the segment of e, at its
// split point.
func (w *worker) storedFrom(e *edge) int64 {
	if e.file.packed {
		return w.pool.Source.Counted() - e.first
	}
	return int64(w.pool.Buffered(compress.Mark{}))
}
