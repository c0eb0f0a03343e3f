package extract

import (
	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/ledger"
)

// Segments of a compressed file with many members: frames of zstd, blocks of bzip2, or
// members of gzip, such as the blocks of BGZF. Such a file is divided by stored offsets. The worker that
// claims a segment searches for the first member after the split, by its magic number,
// and reads from there. It does not know how much text is in front, and counts from a
// number of its own. A reader that arrives at that member does know. So the split point
// is some lines after the beginning of the member, and there the counts of the two differ
// by a constant.
//
//	stored   ──────┼─ split ──┼─────── split ───┼──────
//	members  ├───────────┤├───────────┤├───────────┤
//	                      ├─ split point: the segment's reader begins at the member, and
//	                         emits nothing up to the split point
//
// Only a reader that arrives from the front knows whether a member begins at an offset.
// If a magic number is there by chance, it never arrives at it, and the segment is
// discarded. So is a segment whose reader finds damage in front of its split point.
// Otherwise the segment's reader reads its members, including damage, as a single reader
// would. Nothing is stored of members that were read, and of their text only what the
// decompressors and the scanner hold, however long a segment is.
//
// Limits.Ratio counts from the beginning of a file, which the reader of a segment does
// not know. While each segment stays below half of the allowed ratio, the limit cannot be
// exceeded. A reader that exceeds this half waits until its segment is committed. Then it
// knows how much text came before, and reads alone from there on. So the limit is
// exceeded at the same byte for any number of workers.

// compressedShare is the factor by which segments of compressed text are smaller. It does not
// apply to mailboxes: if a message is longer than a segment, the text that is
// decompressed to find the next one is lost.
const compressedShare = 8

// before waits until the worker's segment is committed. Then it is known what came before it:
// how much text, and which blocks of bzip2. before reports whether to continue.
func (h *sharer) before() (lag int64, sum compress.Sum, ok bool) {
	s := h.segment
	if s == nil {
		return 0, sum, true
	}
	if h.warming { // the reader in front waits for the end of the warm-up
		h.early = true
		return 0, sum, false
	}
	if !h.producer.Share.Await(s.Decided()) || h.producer.Share.Discarded() {
		return 0, sum, false
	}
	return s.Base().bytes, s.Base().sum, true
}

// lend returns the text with which the block of start begins, if the segment of split begins
// with that block, too.
func (h *sharer) lend(split int64, start compress.Start) []byte {
	if h.warming {
		return nil // nothing is compared
	}
	s := h.producer.Share.Reach(split)
	if s == nil || !h.producer.Share.Await(s.Ready) || !s.State.known {
		return nil
	}
	if _, same := s.State.lag(start); !same {
		return nil
	}
	return s.State.text
}

// isHopeless reports whether the reader of a segment should give up: the segment is known
// to be discarded, or skippable frames, which may be false ones, lead too far.
func (h *sharer) isHopeless() bool {
	s := h.segment
	return s != nil && h.file.compressed &&
		(h.producer.Share.Discarded() || h.warming && h.pool.Source.Stored() > s.End+maxSearch)
}

// maxSearch is how many stored bytes after its end are searched for the beginning of a
// segment.
const maxSearch = 1 << 20

// lag returns by how much the offsets that the segment of e counts are smaller. same
// reports whether the segment begins with the member of start.
func (e *splitState) lag(start compress.Start) (lag int64, same bool) {
	if !e.file.compressed {
		return 0, true
	}
	return start.Text - e.file.origin(), e.first == start.At && (start.Level == 0 || start.Level == e.file.splits.Level)
}

// origin is the raw offset from which readers of segments of a compressed file count. It
// differs from that of the first line.
func (f *sharedFile) origin() int64 { return f.mark + 1 }

// countUpTo counts the stored bytes up to the beginning of s; its reader counts the rest.
// held is how much of the raw stream was read that belongs to s.
func (h *sharer) countUpTo(s *segment, held int64) {
	if s.State.file.compressed {
		h.pool.Source.Count(s.State.first)
	} else {
		h.ledger.Add(ledger.DiskBytes, -held-int64(h.pool.Buffered(compress.Mark{})))
	}
}

// storedFrom returns how many stored bytes of the segment of e were read up to its split
// point.
func (h *sharer) storedFrom(e *splitState) int64 {
	if e.file.compressed {
		return h.pool.Source.Counted() - e.first
	}
	return int64(h.pool.Buffered(compress.Mark{}))
}
