package extract

import (
	"io"
	"os"
	"slices"
	"sync"

	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/document"
	"github.com/urlsift/urlsift/extract/internal/files"
	"github.com/urlsift/urlsift/extract/internal/ledger"
	"github.com/urlsift/urlsift/extract/internal/mail"
)

// A file of short compressed members has parts (see compress/parts.go), which workers decompress by themselves. A line or message may go on in the next
// part. So when a part is decompressed, its worker waits for its turn. Then it joins the part to those in front: it puts what they have left in front of the
// text, ends its block at the last neutral place, and leaves the rest to the next part. After that it scans the block:
//
//	worker 1  ├─ decompresses 1 ─┤joins├── scans ──┤├─ decompresses 3 ─┤joins├── scans ──┤
//	worker 2  ├── decompresses 2 ──┤waits┤joins├── scans ──┤
//
// Whatever else there is (damage, a long member, a long stretch without a neutral place, a limit that is near, a part that is none) is not for parts: the
// worker whose turn it is reads the rest of the file as a stream, from the last place that is known, and the others discard what they have decompressed.

// A fileParts is a file that is read in parts.
type fileParts struct {
	cutFile
	stream sharedStream
	x      *common
	file   *os.File
	size   int64 // when it was opened
	listed int64 // Source.Size, for Stats
	parts  *compress.Parts

	mu      sync.Mutex
	changed sync.Cond
	turn    int            // number of the part whose turn it is
	rest    bool           // a worker reads the rest as a stream
	claimed int64          // where the next part begins
	least   int64          // bytes of a part, of which the text is as long as a block
	left    []byte         // text in front of the joint that is in no block
	joint   compress.Joint // where the part in front ends
}

const (
	partRoom = 256 << 10 // room in front of the text of a part, for what is left of the one in front
	mostText = 4 << 20   // of a part, and of what is left of one
)

// cutIntoParts lets other workers read the source, if it is a large file of short compressed members that is all text, mailbox or web archive. It reports whether
// it does. Then this worker reads nothing of it.
func (sr *sharedReading) cutIntoParts(l document.Division, bom int64) bool {
	whole := sr.whole
	if whole == nil || sr.pool.Compressions() != 1 || sr.x.opts.Limits.Size > 0 {
		return false
	}
	parts := sr.pool.Parts(whole, sr.reader.Size())
	if parts == nil {
		return false
	}
	f := &fileParts{stream: sharedStream{name: sr.source, format: sr.format, base: sr.base, opened: whole, bom: bom, kind: l, memory: make(chan []byte, 2*sr.x.opts.Workers)},
		x: sr.x, file: whole, size: sr.reader.Size(), listed: sr.size, parts: parts, least: int64(sr.x.fileBlock / 8)}
	f.changed.L = &f.mu
	f.Cut = f.claim
	f.Close = func() {
		f.x.counts[ledger.StoredNotRead].Add(max(0, f.listed-f.claimed))
		_ = f.file.Close() // the file was not written, so this cannot fail
	}
	sr.parts = f
	sr.producer.Cut(&f.cutFile)
	return true
}

// claim claims the next part.
func (f *fileParts) claim(int) (*block, bool) {
	f.mu.Lock()
	least := f.least
	f.mu.Unlock()
	p, last := f.parts.Next(least)
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.rest {
		f.claimed = p.End
	}
	if f.x.pausing != nil {
		f.x.pausing(true)
	}
	return &block{of: &f.stream, parts: f, part: p}, last
}

// await waits for the turn of the part with that number. It returns false if the work has ended.
func (f *fileParts) await(w *worker, number int) bool {
	w.stop.Enter(f.changed.Broadcast) // if it comes in front of Wait, it is repeated
	defer w.stop.Leave()
	f.mu.Lock()
	defer f.mu.Unlock()
	for f.turn != number && !f.rest && !w.stop.Is() {
		f.changed.Wait()
	}
	return !w.stop.Is()
}

// pass ends the turn of a part. rest says that the rest of the file is read by the worker whose turn it is.
func (f *fileParts) pass(rest bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.turn++
	if f.joint.Text > 0 {
		f.least = int64(f.x.fileBlock) * f.joint.Stored / f.joint.Text
	}
	if f.rest = rest; rest {
		f.claimed = f.listed
	}
	f.changed.Broadcast()
}

// joinPart reads the part b, which this worker has claimed, and scans the block that it completes. If the part has more text than is held, each iteration
// reads and scans some of it.
func (w *worker) joinPart(b *block) {
	f, number := b.parts, b.part.Number
	w.begin(&f.stream, b)
	memory := f.stream.take()
	if cap(memory) < partRoom+f.x.fileBlock {
		memory = make([]byte, partRoom+2*f.x.fileBlock)
	}
	var counted delta
	for part, left, first := b.part, true, true; left; first = false {
		var (
			end compress.PartEnd
			err error
		)
		memory, end, err = w.pool.ReadPart(f.parts, part, memory[:partRoom], partRoom+mostText)
		if first && !f.await(w, number) {
			w.ledger.Add(ledger.StoredNotRead, part.End-part.Begin)
			break
		}
		if first && f.rest { // another worker reads it
			break
		}
		text, joint := memory[partRoom:], f.joint
		if err != nil || len(f.left) > mostText || !joint.Join(&end, len(text)) || w.pool.OverRatio(joint.Text, joint.Stored) != nil {
			w.readRest(f)
			return
		}
		part, left = end.Left(part)
		c := f.join(memory, joint.Stored == f.size)
		w.ledger.Add(ledger.StoredRead, joint.Stored-f.joint.Stored)
		f.joint = joint
		if !left {
			f.pass(false)
		}
		if c != nil {
			n := w.scanBlock(c, nil)
			counted = addDelta(counted, n)
			if left {
				w.producer.Shift(n)
			}
		}
	}
	w.addCounts()
	f.stream.keep(memory)
	w.producer.Counted(counted, false, nil)
}

// join returns the block that is complete when a part, whose text is in memory, has been joined; nil if there is none. The rest of the text is left to the next part. last says that
// there is none.
func (f *fileParts) join(memory []byte, last bool) *block {
	b := &block{of: &f.stream, at: f.joint.Text - int64(len(f.left))}
	if room := partRoom - len(f.left); room >= 0 {
		b.data = memory[room:]
		copy(b.data, f.left)
	} else {
		b.data = slices.Concat(f.left, memory[partRoom:])
	}
	n := len(b.data)
	if !last {
		n = lastPlace(&f.x.opts.Delimit, f.stream.kind, b.data, false)
	}
	f.left = append(f.left[:0], b.data[n:]...)
	b.end = b.at + int64(n)
	if b.at == 0 { // reading begins after the byte order mark
		b.at = min(f.stream.bom, b.end)
		b.data, n = b.data[b.at:], n-int(b.at)
	}
	if n == 0 {
		return nil
	}
	if f.stream.kind == document.Messages {
		n = min(len(b.data), n+mail.Lookahead)
	}
	b.data = b.data[:n]
	return b
}

// readRest reads f as a stream from its joint on. It is the turn of this worker.
func (w *worker) readRest(f *fileParts) {
	f.pass(true)
	sr, o := &w.share, w.doc.Outermost()
	left := f.left
	if f.joint.Text == int64(len(left)) { // the stream begins here
		left = left[min(int64(len(left)), f.stream.bom):]
	}
	at := document.Start{Offset: max(f.stream.bom, f.joint.Text-int64(len(f.left))), BOM: f.stream.bom, Kind: f.stream.kind}
	in := w.pool.OpenRest(func(at int64) io.Reader { return &files.Section{File: f.file, Offset: at, Size: f.size} }, f.parts, f.joint)
	w.pool.Source.SetDecompressed(f.joint.Text - int64(len(f.left)))
	if f.joint.Text == 0 {
		_, _ = in.Discard(int(f.stream.bom))
	}
	if w.producer.MayHand() {
		sr.stream, sr.ready, sr.handingOut.end = &f.stream, func() bool { return true }, -1
		sr.passed = delta{mail: f.stream.kind.OfMessages()}
	}
	o.OpenRest(in, left, at, func(at int64, before int) bool { return sr.stream == nil || sr.betweenMessages(at, before) })
	w.find.texts()
	w.countLeft(f.listed)
	w.doc.Close()
	w.addCounts()
	w.producer.Counted(delta{}, true, nil)
	sr.shareState = shareState{}
}
