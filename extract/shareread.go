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

// A segmentReader reads the text of a shared source. It ends a Read at each split point. The next
// Read compares the state of the scanner.
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
	if h.file.compressed && !h.warming {
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
	lag, same := e.lag(member)
	at := r.state(r.direct)
	switch r.resolve(s, e.known && same && e.scan.Offset+lag == at.Offset && e.scan.Agrees(at), delta{bytes: lag, sum: member.Sum}) {
	case schedule.ReadOn:
		return nil
	case schedule.EndHere:
		sr.until[0], sr.until[1] = r.scan.Skipped()
		r.countUpTo(s, 0)
		r.producer.Follow(s, delta{lines: at.Line - e.scan.Line, bytes: lag})
	}
	return damage.ErrStopped
}

// atMembers is atSplit for a file divided by compressed members. Each iteration handles a
// split.
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

// emit starts the output of a segment: its split point is reached.
func (r *segmentReader) emit(at int64) {
	sr, e := r.sharedReading, &r.segment.State
	sr.warming = false
	sr.doc.Outermost().Lost.Forget(0)
	r.ledger = ledger.Ledger{}
	r.ledger.Add(ledger.DiskBytes, r.storedFrom(e))
	sr.skipped[0], sr.skipped[1] = r.scan.Skipped()
	sr.next = sr.of.After(at) // for a file that is not compressed
	e.known, e.scan, e.text = true, r.state(r.direct), r.pool.Frames.Prefix()
	close(sr.segment.Ready)
}

// resolve returns what this worker does at the split point of s.
func (sr *sharedReading) resolve(s *segment, agree bool, lag delta) schedule.Decision {
	do := sr.producer.Share.Resolve(s, agree && !sr.pool.Frames.Near(), lag)
	sr.ended = do == schedule.EndHere
	return do
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
		from, split = max(f.mark, s.Begin-warm), s.Begin
		in = sr.pool.OpenPlain(&files.Section{File: f.at, Offset: from, Size: f.opened, Step: s.File.Split}, from)
		sr.pool.Source.SetOut(from)
	}
	if f.mbox {
		return messageSegment{sr}.open(s, in, from, split)
	}
	sr.next = split
	return sr.doc.Outermost().OpenLines(in, f.mark, from, split)
}

// leave ends the worker's share, when its queue is closed.
func (sr *sharedReading) leave() {
	n := sr.ledger
	sr.ledger = ledger.Ledger{}
	was := sr.shareState
	sr.shareState, sr.left = shareState{}, false
	sr.producer.Share.Leave(was.ended, func() { sr.x.counts.add(&n) })
}

// A compressed file with many compressed members is divided into segments by stored offsets.
// The members are frames of zstd, blocks of bzip2, or members of gzip, such as the blocks of
// BGZF. In this source file, "member" always means a compressed member. The worker that claims
// a segment searches for the first member after the split, by its magic number, and reads from
// there. It does not know how much text is in front, so it counts from where it started. A
// reader that arrives at that member knows it. So the split point is some lines after the
// beginning of the member, and at the split point the counts of the two readers differ by a
// constant.
//
//	stored   ──────┼─ split ──┼─────── split ───┼──────
//	members  ├───────────┤├───────────┤├───────────┤
//	                      ├─ split point: the segment's reader begins at the member, and
//	                         emits nothing up to the split point
//
// Only a reader that arrives from the front knows whether a member begins at an offset. If a
// magic number is there by chance, no reader arrives at it, and the segment is discarded. A
// segment whose reader finds damage in front of its split point is discarded too. Otherwise the
// segment's reader reads its members, including damage, as a single reader would. Nothing is
// stored of members that were read, and of their text only what the decompressors and the
// scanner hold, however long a segment is.
//
// Limits.Ratio counts from the beginning of a file, which the reader of a segment does
// not know. While each segment stays below half of the allowed ratio, the limit cannot be
// exceeded. A reader that exceeds this half waits until its segment is committed. Then it
// knows how much text came before, and reads alone from there on. So the limit is
// exceeded at the same byte for any number of workers.

// compressedShare is the factor by which segments of compressed text are smaller. It does not
// apply to mailboxes. There a worker may have to decompress a message that is longer than a
// segment to find the next message, and that work is lost.
const compressedShare = 8

// before waits until the worker's segment is committed. Then it is known what came before it:
// how much text, and which blocks of bzip2. before reports whether to continue.
func (sr *sharedReading) before() (lag int64, sum compress.Checksum, ok bool) {
	s := sr.segment
	if s == nil {
		return 0, sum, true
	}
	if sr.warming { // the reader in front waits for the end of the warm-up
		sr.early = true
		return 0, sum, false
	}
	if !sr.producer.Share.Await(s.Decided()) || sr.producer.Share.Discarded() {
		return 0, sum, false
	}
	return s.Delta().bytes, s.Delta().sum, true
}

// firstText returns the beginning of the text of the block of start, if the segment of split
// begins with the same block; otherwise nil.
func (sr *sharedReading) firstText(split int64, start compress.MemberStart) []byte {
	if sr.warming {
		return nil // nothing is compared
	}
	s := sr.producer.Share.Reach(split)
	if s == nil || !sr.producer.Share.Await(s.Ready) || !s.State.known {
		return nil
	}
	if _, same := s.State.lag(start); !same {
		return nil
	}
	return s.State.text
}

// isHopeless reports whether the reader of a segment should give up: the segment is known
// to be discarded, or skippable frames, which may be false ones, lead too far.
func (sr *sharedReading) isHopeless() bool {
	s := sr.segment
	return s != nil && sr.file.compressed &&
		(sr.producer.Share.Discarded() || sr.warming && sr.pool.Source.Stored() > s.End+maxSearch)
}

// maxSearch is how many stored bytes after the end of a segment may be read before its split
// point is reached.
const maxSearch = 1 << 20

// lag returns by how much the offsets counted in the segment of e are smaller than those in
// the whole text. same reports whether the segment begins with the compressed member of
// start.
func (e *splitState) lag(start compress.MemberStart) (lag int64, same bool) {
	if !e.file.compressed {
		return 0, true
	}
	return start.Text - e.file.firstOffset(), e.first == start.At && (start.Level == 0 || start.Level == e.file.splits.Level)
}

// firstOffset is the raw offset from which readers of segments of a compressed file count. It
// differs from the offset of the first line.
func (f *sharedFile) firstOffset() int64 { return f.mark + 1 }

// countUpTo counts the stored bytes up to the beginning of s; its reader counts the rest.
// held is the number of bytes of the raw stream that were read and belong to s.
func (sr *sharedReading) countUpTo(s *segment, held int64) {
	if s.State.file.compressed {
		sr.pool.Source.Count(s.State.first)
	} else {
		sr.ledger.Add(ledger.DiskBytes, -held-int64(sr.pool.Buffered(compress.Mark{})))
	}
}

// storedFrom returns how many stored bytes of the segment of e were read up to its split
// point.
func (sr *sharedReading) storedFrom(e *splitState) int64 {
	if e.file.compressed {
		return sr.pool.Source.Counted() - e.first
	}
	return int64(sr.pool.Buffered(compress.Mark{}))
}
