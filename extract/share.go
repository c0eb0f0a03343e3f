package extract

import (
	"io"
	"os"
	"time"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/ledger"
	"github.com/urlsift/urlsift/extract/internal/schedule"
	"github.com/urlsift/urlsift/uri"
)

// This file has the state of a worker that reads a source together with other workers, and
// divides the source; schedule/segment.go has the plan. shareread.go compares readers at a split
// point: in running text by the state of the scanner, in a mailbox by the message that begins
// there. Compressed files of many compressed members are divided by stored offsets (see
// compressedShare).

const (
	splitSize = 1 << 20  // bytes between split points
	warmUp    = 16 << 10 // a segment's reader searches for the beginning of a line within this many bytes before its split point
)

// A shareState is a worker's share of a source that several workers read. It is zero if one
// worker reads the source.
type shareState struct {
	handingOut

	cut   *fileBlocks // the source, if it is cut into blocks; this worker reads the first
	block *block      // another block, which this worker reads
	first struct {    // of the first block
		blockCount
		failed bool // it could not be read
	}

	whole *os.File // the source, until it is decided whether it is divided
	size  int64    // of the source

	divided          *dividedFile // the source, if it is read in segments
	file             *sharedFile
	segment          *segment // nil for the beginning of the file
	inWarmUp         bool     // the segment's split point is not reached: no results are emitted
	needsEarlierText bool     // set by before: text in front of the warm-up is needed, so the segment is not read
	ended            bool     // ended at a split point: another worker continues

	handedOver   time.Time // when results were last delivered
	next         int64     // offset of the next split point; -1 if there is none
	skipped      [2]int64  // long runs that the scanner has counted, but that do not belong to this share
	skippedAtEnd [2]int64  // if ended: the long runs that must be counted
}

// A splitState is the state of a segment's reader at its split point.
type splitState struct {
	file  *sharedFile
	known bool          // the reader has reached the split point, and set the other fields
	first int64         // in a compressed file: stored offset of the segment's first compressed member
	at    int64         // in a mailbox: offset of the segment's first message
	scan  delimit.State // in text; lines count from where the reader started
	text  []byte        // in a file of bzip2: the beginning of the text of the segment's first block

	block *block // if it is not a segment of a file
}

// A sharedFile describes a source that several workers read. The workers only read its fields.
type sharedFile struct {
	name       string
	base       uri.Ref  // Source.Base
	size       int64    // in bytes, when the source was listed; for Stats
	opened     int64    // its size in bytes when it was opened
	at         *os.File // the file, for ReadAt
	bom        int64    // length of the byte order mark
	mbox       bool     // a mailbox, otherwise text
	compressed bool     // compressed: segments are stretches of stored bytes
	splits     compress.Splits
	warm       int64 // length of a warm-up in bytes
}

// A sharedReading is the component of a worker that reads large sources together with other
// workers.
type sharedReading struct {
	*core
	shareState
}

// mayWait is called before each Read of the source, because a Read may wait. It reports whether
// results are delivered first. Reads of a file that several workers read are fast, so for such a file mayWait returns
// true only from time to time: see soon.
func (s *shareState) mayWait() bool {
	if s.divided == nil && s.cut == nil && s.block == nil {
		return true
	}
	now := time.Now()
	if now.Sub(s.handedOver) < soon {
		return false
	}
	s.handedOver = now
	return true
}

// counted returns how many of the long runs that the scanner has skipped, and of their bytes,
// belong to this share.
func (s *shareState) counted(runs, bytes int64) (int64, int64) {
	switch {
	case s.inWarmUp:
		return 0, 0
	case s.ended:
		runs, bytes = s.skippedAtEnd[0], s.skippedAtEnd[1]
	}
	return runs - s.skipped[0], bytes - s.skipped[1]
}

// begin prepares for src, which is open as r. If may is false, no other worker may read src. If no
// other worker can read it, begin wakes the workers that wait.
func (sr *sharedReading) begin(src *Source, r io.Reader, may bool) {
	sr.size = src.Size
	if may && sr.producer != nil && src.Size > 2*sr.x.splitSize && src.Enough == nil {
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

// readAlone makes this worker the only reader of the source.
func (sr *sharedReading) readAlone() {
	if sr.whole != nil {
		sr.whole = nil
		sr.settled()
	}
}

// offer lets other workers read the source too, if it is a large file that is all text or
// all mailbox. It reports whether they can.
func (sr *sharedReading) offer(bom int64, mbox bool) bool {
	f := sr.divide(bom, mbox)
	if f == nil {
		return false
	}
	sr.shareState = shareState{divided: f, file: f.State.file, next: f.After(bom)}
	sr.producer.Offer(f)
	return true
}

// divide returns the source as a file that can be read in segments; nil if it cannot be.
func (sr *sharedReading) divide(bom int64, mbox bool) *dividedFile {
	whole, size, limit := sr.whole, sr.size, sr.x.opts.Limits.Size
	if limit > 0 {
		size = min(size, limit)
	}
	if whole == nil || size == 0 {
		return nil
	}
	f := &sharedFile{name: sr.source, base: sr.base, size: sr.size, opened: sr.reader.Size(), at: whole, bom: bom, mbox: mbox, warm: sr.x.warm}
	of := &dividedFile{State: splitState{file: f}, SplitSize: sr.x.splitSize, Close: func() { _ = whole.Close() }} // the file was not written, so this cannot fail
	if sr.pool.Compressions() > 0 {
		if limit > 0 {
			return nil
		}
		splitSize := sr.x.splitSize
		if !mbox {
			splitSize = max(1, splitSize/compressedShare)
		}
		splits, ok := sr.pool.Divide(whole, size, splitSize, sr.x.warm)
		if !ok {
			return nil
		}
		f.compressed, f.splits, f.warm = true, splits, splits.Warm
		of.SplitSize, of.Next = splits.SplitSize, int(splits.At/splits.SplitSize)+1
	}
	of.Last = int((size - 1) / of.SplitSize)
	return of
}

// resolve returns what this worker does at the split point of s. agree says that this worker and
// the reader of s have the same state there; shift is the difference between the numbers of the
// two.
func (sr *sharedReading) resolve(s *segment, agree bool, shift delta) schedule.Decision {
	decision := sr.producer.Share.Resolve(s, agree && !sr.pool.Frames.NearRatio(), shift)
	sr.ended = decision == schedule.EndHere
	return decision
}

// leave ends the worker's share. If the share is committed, now or later, what the worker has
// counted is added to the totals.
func (sr *sharedReading) leave() {
	n := sr.ledger
	sr.ledger = ledger.Ledger{}
	was := sr.shareState
	sr.shareState, sr.stoppedByCaller = shareState{}, false
	sr.producer.Share.Leave(was.ended, func() { sr.x.counts.add(&n) })
}

// A compressed file with many compressed members is divided into segments by stored offsets.
// The members are frames of zstd, blocks of bzip2, or members of gzip, such as the blocks of
// BGZF. In this source file, "member" always means a compressed member. The worker that claims
// a segment searches for the first member after the split point, by its magic number, and reads
// from there. It does not know how much text is in front, so it counts from where it started. The
// reader of the stretch in front does know, and arrives at the same member later. The two readers
// are compared some lines after the beginning of the member; only there the split point counts as
// reached. From there on, their counts differ by a constant.
//
//	stored   ──────┼─ split point ─┼── split point ──┼──────
//	members  ├───────────┤├───────────┤├───────────┤
//	                      ├─ the segment's reader begins at the member, and emits
//	                         nothing until the split point counts as reached
//
// Only a reader that arrives from the front knows whether a member begins at an offset. If a
// magic number is there by chance, no reader arrives at it, and the segment is discarded. A
// segment whose reader finds damage in front of its split point is discarded too. Otherwise the
// segment's reader reads its members, including damage, as a single reader would. However long a
// segment is, a reader stores only the text that its decompressors and its scanner hold.
//
// Limits.Ratio counts from the beginning of a file, which the reader of a segment does
// not know. While each segment stays below half of the allowed ratio, the limit cannot be
// exceeded. A reader that exceeds this half waits until its segment is committed. Then it
// knows how much text came before, and reads alone from there on. So the limit is
// exceeded at the same byte for any number of workers.

// compressedShare is the factor by which segments of compressed text are smaller. It does not
// apply to mailboxes: if a message is longer than a segment, a worker has to decompress the rest
// of it to find the next message, and that work is lost.
const compressedShare = 8

// before waits until the worker's segment is committed. Then it returns what is in front of the
// segment: the number of bytes of text, and the checksum of the blocks of bzip2. ok says whether to
// continue.
func (sr *sharedReading) before() (shift int64, sum compress.Checksum, ok bool) {
	s := sr.segment
	if s == nil {
		return 0, sum, true
	}
	if sr.inWarmUp { // waiting would not end: the reader in front waits for the end of this warm-up
		sr.needsEarlierText = true
		return 0, sum, false
	}
	if !sr.producer.Share.Await(s.Decided()) || sr.producer.Share.Discarded() {
		return 0, sum, false
	}
	return s.Delta().bytes, s.Delta().sum, true
}

// firstText returns the beginning of the text of the block at start, if the segment whose split
// point is split begins with that block; otherwise nil.
func (sr *sharedReading) firstText(split int64, start compress.MemberStart) []byte {
	if sr.inWarmUp {
		return nil // nothing is compared
	}
	s := sr.producer.Share.Reach(split)
	if s == nil || !sr.producer.Share.Await(s.Ready) || !s.State.known {
		return nil
	}
	if _, same := s.State.shift(start); !same {
		return nil
	}
	return s.State.text
}

// isHopeless reports whether the reader of a segment should give up. Either the segment was
// discarded, or the reader has read maxSearch bytes past its end without reaching the split point:
// skippable frames that are there by chance can lead it that far.
func (sr *sharedReading) isHopeless() bool {
	s := sr.segment
	return s != nil && sr.file.compressed &&
		(sr.producer.Share.Discarded() || sr.inWarmUp && sr.pool.Source.Stored() > s.End+maxSearch)
}

// maxSearch is how many stored bytes after the end of a segment may be read before its split
// point is reached.
const maxSearch = 1 << 20

// shift returns by how much the offsets counted in the segment of e are smaller than those in
// the whole text. same reports whether the segment begins with the compressed member of
// start.
func (e *splitState) shift(start compress.MemberStart) (shift int64, same bool) {
	if !e.file.compressed {
		return 0, true
	}
	return start.Text - e.file.firstOffset(), e.first == start.At && (start.BlockLevel == 0 || start.BlockLevel == e.file.splits.BlockLevel)
}

// firstOffset is the raw offset from which readers of segments of a compressed file count. It is
// one more than the offset of the file's first line. A compressed member may begin within a line.
// If counting began at the offset of the first line, the rest of that line would be read as a whole
// line: see [document.Outermost.OpenLines].
func (f *sharedFile) firstOffset() int64 { return f.bom + 1 }

// countUpTo counts the stored bytes up to the beginning of s. The reader of s counts the rest.
// inSegment is the number of bytes of the raw stream that this worker has read and that belong to s.
func (sr *sharedReading) countUpTo(s *segment, inSegment int64) {
	if s.State.file.compressed {
		sr.pool.Source.Count(s.State.first)
	} else {
		sr.ledger.Add(ledger.StoredRead, -inSegment-int64(sr.pool.Buffered(compress.PoolState{})))
	}
}

// storedFrom returns how many stored bytes of the segment of e were read up to its split
// point.
func (sr *sharedReading) storedFrom(e *splitState) int64 {
	if e.file.compressed {
		return sr.pool.Source.InLedger() - e.first
	}
	return int64(sr.pool.Buffered(compress.PoolState{}))
}
