package extract

import (
	"bytes"
	"io"
	"math"
	"os"
	"time"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/document"
	"github.com/urlsift/urlsift/extract/internal/files"
	"github.com/urlsift/urlsift/extract/internal/ledger"
	"github.com/urlsift/urlsift/extract/internal/mail"
	"github.com/urlsift/urlsift/uri"
)

// This file cuts sources into blocks, and reads them; schedule/block.go has the plan. A block begins and ends at a neutral place: in running
// text where delimit.Neutral says so, in a mailbox where a message begins.
//
// Of a regular file that is not compressed, running text or a mailbox, each worker claims blocks. Where the next one begins is known when
// the one in front of it was claimed.
//
// A file of short compressed members is read in parts, which workers join (parts.go).
//
// A pipe or another compressed file is a stream, which one worker reads. It ends its own text at a neutral place, hands out what it has read in
// advance, and begins a new text after that. A line, a message or a stretch without a neutral place may be of any length: it is read by
// this worker, as if there were no other.

const (
	blockBytes = 512 << 10 // what is read in advance for a block of a stream; bytes of a block of a file, at least
	leastBlock = 48 << 10  // a shorter stretch is scanned by the worker that has read it
	placeBytes = 64 << 10  // how far the worker searches the place at which its own text ends
)

// A sharedStream describes a source of which several workers scan blocks. They only read its fields.
type sharedStream struct {
	name   string
	format Format    // Source.Format
	base   uri.Ref   // Source.Base
	opened io.Reader // the source; for its time of modification
	bom    int64     // length of the byte order mark
	kind   document.Division

	memory chan []byte // of blocks that were read
}

// A block is a stretch of a source.
type block struct {
	of   *sharedStream
	at   int64    // raw offset of its first byte
	end  int64    // raw offset at which it ends
	data [][]byte // the bytes of a block of a stream, and in a mailbox some of those after it

	file *fileBlocks // which the block of a file is in, or nil

	parts *fileParts // which it is a part of, or nil; then only part is known
	part  compress.Part
}

// A largeFile is a regular file that several workers read.
type largeFile struct {
	sharedFile
	stream sharedStream
	x      *common
	file   *os.File
	size   int64 // when it was opened
	listed int64 // Source.Size, for Stats
	next   int64 // up to this offset it is claimed
}

// newLargeFile returns the source, which is a large file. When nothing more is read of it, it is closed, and what was not claimed is counted as not read.
func (sr *sharedReading) newLargeFile(l document.Division, bom int64) largeFile {
	return largeFile{stream: sharedStream{name: sr.source, format: sr.format, base: sr.base, opened: sr.whole, bom: bom, kind: l, memory: make(chan []byte, 4)},
		x: sr.x, file: sr.whole, size: sr.reader.Size(), listed: sr.size}
}

// offer lets other workers claim blocks.
func (f *largeFile) offer(p *producer, cut func(together int) (*block, bool)) {
	f.Next = func(together int) (*block, bool) {
		if f.x.pausing != nil {
			f.x.pausing(true)
		}
		return cut(together)
	}
	f.Close = func() {
		f.x.counts[ledger.StoredNotRead].Add(max(0, f.listed-f.next))
		_ = f.file.Close() // the file was not written, so this cannot fail
	}
	p.Share(&f.sharedFile)
}

// A fileBlocks is a file that is cut into blocks.
type fileBlocks struct {
	largeFile
	buf []byte
}

// cutIntoBlocks lets other workers read the source, if it is a large file that is all text or all mailbox. This worker reads
// the first block. It reports whether the source has more of them.
func (sr *sharedReading) cutIntoBlocks(l document.Division, bom int64) bool {
	limit := sr.x.opts.Limits.Size
	if sr.pool.Compressions() > 0 || limit > 0 && limit < sr.reader.Size() || l != document.Lines && l != document.Messages {
		return false
	}
	f := &fileBlocks{largeFile: sr.newLargeFile(l, bom)}
	b, last := f.nextBlock(1, sr.pool.Source.Stored())
	if last {
		return false
	}
	sr.reader.EndAt(b.readTo())
	sr.blocks, sr.first.blockCount = f, blockCount{b: b, o: sr.doc.Outermost()}
	f.offer(sr.producer, func(together int) (*block, bool) {
		left := (f.size - f.next) / int64(2*f.x.opts.Workers*f.x.blockBytes)
		return f.nextBlock(min(together, max(1, int(left))), 0)
	})
	return true
}

// endFirst counts what was read of the first block.
func (sr *sharedReading) endFirst() {
	src := &sr.pool.Source
	sr.first.counted, sr.first.failed = sr.first.all(sr.scan), src.Failed()
	sr.first.b.settle(src, &sr.ledger)
}

// nextBlock returns the next block, as long as so many of the least length, which ends after the offset least. last says that nothing follows it. If something
// cannot be read, that is left to the worker that reads the block.
func (f *fileBlocks) nextBlock(together int, least int64) (b *block, last bool) {
	b = &block{of: &f.stream, at: f.next, file: f}
	wish := max(least, b.at+int64(together*f.x.blockBytes))
	switch {
	case wish >= f.size:
		b.end = f.size
	case f.stream.kind == document.Messages:
		if f.buf == nil {
			f.buf = make([]byte, mail.NeutralBuffer)
		}
		var err error
		if b.end, err = mail.NextNeutral(f.file, b.at, wish, f.buf); err != nil {
			b.end = f.size
		}
	default:
		b.end = f.line(wish)
	}
	b.end = min(b.end, f.size)
	f.next = b.end
	return b, b.end == f.size
}

// line returns the first neutral place in the text at or after from. If there is none near it, it is searched twice as far from the beginning of
// the block.
func (f *fileBlocks) line(from int64) int64 {
	for from < f.size {
		at, err := neutralLine(f.file, &f.x.opts.Delimit, f.stream.bom, from, from+placeBytes, &f.buf)
		if err != nil {
			break
		}
		if at >= 0 {
			return at
		}
		from += max(from-f.next, placeBytes)
	}
	return f.size
}

// A handingOut is the state of a worker that reads a stream and hands out blocks. It is zero if
// the source is not such a stream.
type handingOut struct {
	stream *sharedStream
	ready  func() bool // reports whether a Read of the source returns without waiting

	end    int64 // raw offset at which the worker's own text ends; -1 if that is not decided
	tried  int64 // in front of this raw offset there is no place at which to end
	passed delta // what the worker has counted in the text or the messages that have ended
}

// A shareState is a worker's share of a source that several workers read. It is zero if one
// worker reads the source.
type shareState struct {
	handingOut

	whole  *os.File    // the source, until it is decided whether it is cut into blocks
	size   int64       // of the source
	parts  *fileParts  // the source, if it is read in parts
	blocks *fileBlocks // the source, if it is cut into blocks; this worker reads the first
	block  *block      // another block, which this worker reads
	first  struct {    // of the first block
		blockCount
		failed bool // it could not be read
	}

	handedOver time.Time // when results were last delivered
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
	if s.blocks == nil && s.block == nil {
		return s.whole == nil // otherwise nothing was found yet
	}
	now := time.Now()
	if now.Sub(s.handedOver) < soon {
		return false
	}
	s.handedOver = now
	return true
}

// begin prepares for src, which is open as r. If may is false, no other worker may read src. If no
// other worker can read it, begin wakes the workers that wait.
func (sr *sharedReading) begin(src *Source, r io.Reader, may bool) {
	sr.size = src.Size
	if may && sr.producer != nil && src.Size > sr.x.wholeSize() && src.Enough == nil {
		sr.whole = divisible(r)
	}
	if sr.whole == nil {
		sr.settled()
	}
}

// wholeSize is the largest size of a file that is not cut into blocks.
func (x *common) wholeSize() int64 { return int64(4 * x.blockBytes) }

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

// settled wakes the workers that wait to know whether this source is cut into blocks.
func (sr *sharedReading) settled() {
	if sr.producer != nil {
		sr.producer.Settled()
	}
}

// onDivision lets other workers read the source's outermost stream too, if possible. For a mailbox
// it returns the function that is called between messages.
func (sr *sharedReading) onDivision(l document.Division, bom int64) func(at int64, before int) bool {
	if l != document.Whole && sr.whole != nil && !(l == document.Lines && sr.doc.Outermost().IsBinary()) { // only one worker alone knows that nothing is found in data that is not text
		switch {
		case sr.cutIntoParts(l, bom):
			return func(int64, int) bool { return false }
		case sr.cutIntoBlocks(l, bom):
			return sr.first.message
		}
	}
	if sr.whole != nil {
		sr.whole = nil
		sr.settled()
	}
	if l != document.Whole {
		if sr.handOut(l, bom); sr.stream != nil && l.OfMessages() {
			return sr.betweenMessages
		}
	}
	return nil
}

// leave ends this worker's reading of the source. It reports whether others may still read it.
func (sr *sharedReading) leave() bool {
	switch {
	case sr.parts != nil:
		sr.producer.EndFirst(&sr.parts.sharedFile, delta{}, false)
	case sr.blocks != nil:
		sr.producer.EndFirst(&sr.blocks.sharedFile, sr.first.counted, sr.first.failed)
	default:
		return false
	}
	return true
}

// handOut prepares for handing out blocks of the source, if it is a stream of which other workers can
// scan blocks.
func (sr *sharedReading) handOut(l document.Division, bom int64) {
	regular, packed := sr.reader.Regular(), sr.pool.Compressions()
	plain := packed == 0 && (!regular || l == document.Records)
	if sr.producer == nil || !sr.producer.MayHand() || sr.enough != nil || sr.x.opts.Limits.Size > 0 ||
		!plain && !(packed == 1 && regular) || !regular && !files.Pollable(sr.opened) {
		return
	}
	sr.ready = sr.reader.Ready
	if regular {
		sr.ready = func() bool { return true }
	}
	sr.stream = &sharedStream{name: sr.source, format: sr.format, base: sr.base, opened: sr.opened, bom: bom, kind: l, memory: make(chan []byte, 4)}
	sr.end, sr.tried, sr.passed = -1, 0, delta{mail: sr.stream.kind.OfMessages()}
}

// mayPause reports whether others wait for blocks, and there are enough bytes for one after the next own bytes, whose raw
// offset is at.
func (sr *sharedReading) mayPause(at int64, own int) (data []byte, ok bool) {
	if sr.x.pausing != nil {
		sr.x.pausing(false)
	}
	if at < sr.tried || !sr.producer.Wanted() {
		return nil, false
	}
	data, _ = sr.doc.Outermost().Ahead(sr.x.blockBytes, sr.ready)
	if len(data) < own+sr.x.leastBlock+delimit.NeutralAfter {
		sr.tried = at + int64(len(data))
		return nil, false
	}
	return data, true
}

// A streamReader reads the text of a stream of which blocks are handed out.
type streamReader struct {
	*sharedReading
	t *document.Text
}

// Read reads once. It ends the text at a neutral place if blocks are wanted.
func (r *streamReader) Read(p []byte) (int, error) {
	sr, at := r.sharedReading, r.t.RawRead()
	if sr.end < 0 {
		sr.end = r.place(at)
	}
	if sr.end >= 0 {
		if p = p[:min(int64(len(p)), sr.end-at)]; len(p) == 0 {
			sr.doc.Outermost().Pause()
			return 0, io.EOF
		}
	}
	return r.t.Read(p)
}

// place returns the raw offset of the next neutral place, if blocks are wanted; otherwise -1. at is the
// offset of the next byte.
func (r *streamReader) place(at int64) int64 {
	sr, opts := r.sharedReading, &r.x.opts.Delimit
	own := opts.NeutralBefore()
	if at == r.t.BOM+r.t.Start {
		own = 0
	}
	data, ok := sr.mayPause(at, own)
	if !ok {
		return -1
	}
	if sr.doc.Outermost().BeganBinary(data) { // only a worker that reads alone knows that nothing is found in it
		sr.tried = math.MaxInt64
		return -1
	}
	if i := neutralIn(opts, data, own, min(len(data)-sr.x.leastBlock, own+placeBytes), false); i >= 0 {
		return at + int64(i)
	}
	sr.tried = at + int64(len(data))
	return -1
}

// betweenMessages is called when the reader of a mailbox has found the beginning of a message; see
// [document.Hooks].
func (sr *sharedReading) betweenMessages(at int64, before int) bool {
	o := sr.doc.Outermost()
	if before == 0 {
		return true
	}
	if _, ok := sr.mayPause(o.Read(), 0); !ok {
		return true
	}
	line, _ := o.Position(at)
	sr.passed.lines, sr.passed.messages = line-1, before
	o.Pause()
	return false
}

// paused hands out blocks while they are wanted. It is called when the worker's own text has ended.
func (sr *sharedReading) paused() {
	o, s := sr.doc.Outermost(), sr.stream
	if !s.kind.OfMessages() {
		sr.passed.lines = sr.scan.State().Line - 1
	}
	shift := sr.passed
	sr.end, sr.passed = -1, delta{mail: s.kind.OfMessages()}
	any := false
	for !sr.stopped() && sr.producer.WantedToo() && sr.pool.Source.RatioExceeded() == nil {
		data, ended := o.Ahead(sr.x.blockBytes, sr.ready)
		n := lastPlace(&sr.x.opts.Delimit, s.kind, data, ended)
		if n < max(1, sr.x.leastBlock) {
			sr.tried = o.Read() + int64(len(data))
			break
		}
		memory := s.take()
		made := func() *block {
			b := &block{of: s, at: o.Read(), end: o.Read() + int64(n)}
			more := n
			if s.kind == document.Messages {
				more = min(len(data), n+mail.Lookahead)
			}
			b.data = [][]byte{o.Take(n, memory)[:more]}
			return b
		}
		if !sr.producer.Hand(made, shift) {
			break
		}
		if shift, any = sr.passed, true; sr.x.pausing != nil {
			sr.x.pausing(true)
		}
	}
	if !any {
		sr.producer.Shift(shift)
	}
}

// placesTried bounds the lines at which lastLine asks for a neutral place.
const placesTried = 1000

// lastPlace returns the index of the last neutral place in data, which begins at one, or 0. ended says that
// nothing follows data.
func lastPlace(opts *delimit.Options, kind document.Division, data []byte, ended bool) int {
	switch kind {
	case document.Records:
		at, _ := mail.LastRecord(data)
		return at
	case document.Messages:
		return mail.LastNeutral(data)
	}
	if ended && opts.Neutral(data, len(data), true) {
		return len(data)
	}
	return lastLine(opts, data, 1)
}

// lastLine returns the index of the last neutral place in data, which is text, at or after least, or 0.
func lastLine(opts *delimit.Options, data []byte, least int) int {
	end := len(data) - delimit.NeutralAfter
	for range placesTried {
		at := bytes.LastIndexByte(data[:max(0, end)], '\n') + 1
		if at < least {
			break
		}
		if opts.Neutral(data, at, false) {
			return at
		}
		end = at - 1
	}
	return 0
}

// Block reads b, which this worker has claimed.
func (w *worker) Block(b *block) {
	switch {
	case b.parts != nil:
		w.joinPart(b)
	case b.file != nil:
		w.begin(b.of, b)
		n := w.scanBlock(b, &files.Section{File: b.file.file, Offset: b.at, Size: b.file.size, End: b.readTo()})
		failed, undo := w.endFileBlock(b)
		w.producer.Counted(n, failed, undo)
	default:
		w.begin(b.of, b)
		n := w.scanBlock(b, nil)
		w.addCounts()
		b.of.keep(b.data[0])
		w.producer.Counted(n, false, nil)
	}
	w.opened = nil
}

// begin prepares for reading b, a block of s.
func (w *worker) begin(s *sharedStream, b *block) {
	w.stoppedByCaller, w.enough, w.find.resumed, w.share.shareState = false, nil, nil, shareState{block: b}
	w.source, w.format, w.base, w.opened = s.name, s.format, s.base, s.opened
	w.doc.Close()
	w.doc.Describe(s.name, document.Format(s.format), nil)
	w.find.validator.bases.begin(w.base)
}

// scanBlock scans b, whose bytes in reads if it has no data, and returns what it counts.
func (w *worker) scanBlock(b *block, in io.Reader) delta {
	o := w.doc.Outermost()
	c := blockCount{b: b, o: o}
	o.OpenBlock(b.data, in, document.Start{Offset: b.at, BOM: b.of.bom, Kind: b.of.kind}, c.message)
	w.find.texts()
	n := c.all(w.scan)
	if b.file == nil {
		w.doc.Close()
	}
	return n
}

// take returns memory for a block, or nil.
func (s *sharedStream) take() []byte {
	select {
	case memory := <-s.memory:
		return memory[:cap(memory)]
	default:
		return nil
	}
}

// keep keeps the memory of data for another block.
func (s *sharedStream) keep(data []byte) {
	select {
	case s.memory <- data:
	default:
	}
}

// A blockCount counts what is in a block.
type blockCount struct {
	b       *block
	o       *document.Outermost
	counted delta
	ended   bool // the beginning of the next block was reached
}

// message is called at the beginning of each message, and of the one after the block: see [document.Hooks].
func (c *blockCount) message(at int64, before int) bool {
	if c.counted.messages = before; at >= c.b.end && c.b.of.kind == document.Messages {
		line, _ := c.o.Position(at)
		c.counted.lines, c.ended = line-1, true
		return false
	}
	c.counted.messages++
	return true
}

// all returns the count. The block has ended; scan has scanned it if it is text.
func (c *blockCount) all(scan *delimit.Scanner) delta {
	n := c.counted
	switch n.mail = c.b.of.kind.OfMessages(); {
	case !n.mail:
		n.lines = scan.State().Line - 1
	case !c.ended:
		n.lines = c.o.LineEnds()
	}
	return n
}

// readTo returns up to where a block of a file is read, or 0 for the end of the file: the beginning of the message that follows a
// mailbox decides where it ends.
func (b *block) readTo() int64 {
	switch {
	case b.end == b.file.size:
		return 0
	case b.of.kind == document.Messages:
		return min(b.end+mail.Lookahead, b.file.size)
	}
	return b.end
}

// settle counts the stored bytes of a block of a file as read, or as not read.
func (b *block) settle(src *compress.Source, l *ledger.Ledger) {
	if b.end < b.file.size {
		l.Add(ledger.StoredRead, min(0, b.end-src.InLedger()))
		l.Add(ledger.StoredNotRead, max(0, b.end-src.Stored()))
	} else if !src.Ended() {
		l.Add(ledger.StoredNotRead, max(0, b.storedEnd()-src.Stored()))
	}
}

// storedEnd returns the offset at which a block of a file ends for Stats.
func (b *block) storedEnd() int64 {
	if b.end == b.file.size {
		return b.file.listed
	}
	return b.end
}

// endFileBlock closes the document, and counts what was read of b. It reports whether some of it could not be read. undo undoes the counting.
func (w *worker) endFileBlock(b *block) (failed bool, undo func()) {
	src := &w.pool.Source
	failed = src.Failed()
	b.settle(src, &w.ledger)
	w.doc.Close()
	n := w.ledger
	w.x.counts.add(&w.ledger)
	return failed, func() {
		for i := range n {
			n[i] = -n[i]
		}
		n[ledger.StoredNotRead] += b.storedEnd() - b.at
		w.x.counts.add(&n)
	}
}
