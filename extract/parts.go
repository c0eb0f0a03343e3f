package extract

import (
	"io"
	"sync"
	"sync/atomic"

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
	largeFile
	parts *compress.Parts

	buffers chan *textBuffer // that are free

	mu      sync.Mutex
	changed sync.Cond
	turn    int   // number of the part whose turn it is
	rest    bool  // a worker reads the rest as a stream
	stopped bool  // a worker has stopped while it waited for its turn
	least   int64 // bytes of a part, of which the text is as long as a block

	// These belong to the worker whose turn it is.
	joint   compress.Joint // where the part in front ends
	left    []piece        // text in front of the joint that is in no block
	length  int            // of left
	lengths mail.Lengths   // in a mailbox: what is promised in front of the joint
	record  int64          // in a web archive: where the next record begins, of which the end is not known
}

// A textBuffer has the text of a part, behind room for the end of what is left of those in front. Several workers may read it.
type textBuffer struct {
	buf   []byte
	users atomic.Int32
}

// A piece is a stretch of text in a textBuffer, of which it counts as a user.
type piece struct {
	of   *textBuffer
	data []byte
}

const (
	partRoom = 72 << 10 // room in front of a text: what may decide whether a place in the text is neutral
	mostText = 4 << 20  // of a part, and of what is left
)

// cutIntoParts lets other workers read the source, if it is a large file of short compressed members that is all text, mailbox or web archive. It reports whether
// it does. Then this worker reads nothing of it.
func (sr *sharedReading) cutIntoParts(l document.Division, bom int64) bool {
	if sr.pool.Compressions() != 1 || sr.x.opts.Limits.Size > 0 {
		return false
	}
	parts := sr.pool.Parts(sr.whole, sr.reader.Size())
	if parts == nil {
		return false
	}
	f := &fileParts{largeFile: sr.newLargeFile(l, bom), parts: parts, buffers: make(chan *textBuffer, sr.x.opts.Workers), least: int64(sr.x.blockBytes / 8), record: bom}
	f.changed.L = &f.mu
	sr.parts = f
	f.offer(sr.producer, f.claim)
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
		f.next = p.End
	}
	return &block{of: &f.stream, parts: f, part: p}, last
}

// What a worker does with the part that it has claimed.
type turn uint8

const (
	itsTurn turn = iota
	another      // another worker reads the rest of the file
	stopped      // the work has ended
)

// await waits for the turn of the part with that number.
func (f *fileParts) await(w *worker, number int) turn {
	w.stop.Enter(f.changed.Broadcast) // if it comes in front of Wait, it is repeated
	defer w.stop.Leave()
	f.mu.Lock()
	defer f.mu.Unlock()
	for f.turn != number && !f.rest && !w.stop.Is() {
		f.changed.Wait()
	}
	switch {
	case f.rest:
		return another
	case w.stop.Is():
		f.stopped = true
		return stopped
	}
	return itsTurn
}

// pass ends the turn of a part.
func (f *fileParts) pass() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.turn++
	if f.joint.Text > 0 {
		f.least = int64(f.x.blockBytes) * f.joint.Stored / f.joint.Text
	}
	f.changed.Broadcast()
}

// takeRest makes the worker whose turn it is the only reader of the rest of the file. It returns false if the work has ended.
func (f *fileParts) takeRest() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.stopped {
		return false
	}
	f.rest, f.next = true, f.listed
	f.changed.Broadcast()
	return true
}

// take returns a textBuffer that has one user.
func (f *fileParts) take() (m *textBuffer) {
	select {
	case m = <-f.buffers:
	default:
		m = &textBuffer{buf: make([]byte, partRoom+f.x.blockBytes+f.x.blockBytes/4)}
	}
	m.users.Store(1)
	return m
}

// release ends a use of m.
func (f *fileParts) release(m *textBuffer) {
	if m.users.Add(-1) > 0 {
		return
	}
	select {
	case f.buffers <- m:
	default:
	}
}

// joinPart reads the part b, which this worker has claimed, and scans the block that it completes. If the part has more text than is held, each iteration
// reads and scans some of it.
func (w *worker) joinPart(b *block) {
	f, number := b.parts, b.part.Number
	w.begin(&f.stream, b)
	var counted delta
	for part, more, first := b.part, true, true; more; first = false {
		m := f.take()
		text, end, err := w.pool.ReadPart(f.parts, part, m.buf[:partRoom], partRoom+mostText)
		m.buf = text[:cap(text)]
		text = text[partRoom:]
		is := itsTurn
		if first {
			is = f.await(w, number)
		}
		if is == another {
			break
		}
		joint := f.joint
		if is == itsTurn && (err != nil || f.length > mostText || !joint.Join(&end, len(text)) || w.pool.OverRatio(joint.Text, joint.Stored) != nil) {
			if !w.stop.Is() && f.takeRest() {
				w.readRest(f)
				return
			}
			is = stopped
		}
		if is == stopped {
			w.ledger.Add(ledger.StoredNotRead, part.End-part.Begin)
			break
		}
		w.ledger.Add(ledger.StoredRead, joint.Stored-f.joint.Stored)
		c, pieces := f.join(m, text, joint.Stored == f.size)
		f.joint = joint
		if part, more = end.Left(part); !more {
			f.pass()
		}
		if c != nil {
			n := w.scanBlock(c, nil)
			counted = addDelta(counted, n)
			if more {
				w.producer.Shift(n)
			}
		}
		for _, p := range pieces {
			f.release(p.of)
		}
		f.release(m)
	}
	w.addCounts()
	w.producer.Counted(counted, false, nil)
}

// join adds text, which is in m, to what is left, and returns the block that is complete then, and the pieces that it is in; nil if there is none. The rest of the text is left to the next part. last
// says that there is none.
func (f *fileParts) join(m *textBuffer, text []byte, last bool) (b *block, pieces []piece) {
	begin, end := f.joint.Text-int64(f.length), f.joint.Text+int64(len(text)) // raw offsets
	seen := min(f.length, partRoom)
	for to, i := m.buf[partRoom-seen:partRoom], len(f.left)-1; len(to) > 0; i-- { // the end of what is left goes in front of the text
		data := f.left[i].data
		n := min(len(to), len(data))
		copy(to[len(to)-n:], data[len(data)-n:])
		to = to[:len(to)-n]
	}
	place := end
	if !last {
		place = f.place(m.buf[partRoom-seen:partRoom+len(text)], f.joint.Text-int64(seen), begin)
	}
	if seen == f.length { // all that is left is in front of the text
		for _, p := range f.left {
			f.release(p.of)
		}
		f.left, text = f.left[:0], m.buf[partRoom-seen:partRoom+len(text)]
	}
	m.users.Add(1)
	f.left = append(f.left, piece{m, text})
	f.length = int(end - place)
	if place == begin {
		return nil, nil
	}
	b = &block{of: &f.stream, at: begin, end: place}
	for size := int(place - begin); size > 0; {
		p := f.left[0]
		if len(p.data) <= size {
			f.left = f.left[1:]
		} else {
			f.left[0].data = p.data[size:]
			p.data = p.data[:size]
			p.of.users.Add(1)
		}
		pieces = append(pieces, p)
		b.data = append(b.data, p.data)
		size -= len(p.data)
	}
	if begin == 0 { // reading begins after the byte order mark
		b.at = min(f.stream.bom, place)
		b.data[0] = b.data[0][b.at:]
	}
	if f.stream.kind == document.Messages {
		var ahead []byte
		for i := 0; i < len(f.left) && len(ahead) < mail.Lookahead; i++ {
			data := f.left[i].data
			ahead = append(ahead, data[:min(len(data), mail.Lookahead-len(ahead))]...)
		}
		b.data = append(b.data, ahead)
	}
	return b, pieces
}

// place returns the raw offset of the last neutral place in data, whose own offset is base; or begin, where the next block begins, if there is none.
func (f *fileParts) place(data []byte, base, begin int64) int64 {
	k := 0
	switch f.stream.kind {
	case document.Messages:
		k = f.lengths.Last(data, base)
	case document.Records:
		from := f.record - base
		if from < 0 || from >= int64(len(data)) {
			return begin
		}
		at, next := mail.LastRecord(data[from:])
		if f.record += next; at > 0 {
			k = int(from) + at
		}
	default:
		least := 1
		if base > begin {
			least = f.x.opts.Delimit.NeutralBefore()
		}
		k = lastLine(&f.x.opts.Delimit, data, least)
	}
	if k == 0 {
		return begin
	}
	return base + int64(k)
}

// readRest reads f as a stream from its joint on. It is the turn of this worker.
func (w *worker) readRest(f *fileParts) {
	w.producer.EndShared(&f.sharedFile)
	sr, o := &w.share, w.doc.Outermost()
	var left []byte
	for _, p := range f.left {
		left = append(left, p.data...)
	}
	f.left = nil
	if f.joint.Text == int64(len(left)) { // the stream begins here
		left = left[min(int64(len(left)), f.stream.bom):]
	}
	at := document.Start{Offset: max(f.stream.bom, f.joint.Text-int64(f.length)), BOM: f.stream.bom, Kind: f.stream.kind}
	in := w.pool.OpenRest(func(at int64) io.Reader { return &files.Section{File: f.file, Offset: at, Size: f.size} }, f.parts, f.joint)
	w.pool.Source.SetDecompressed(f.joint.Text - int64(f.length))
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
	w.producer.Counted(delta{}, true, nil) // the parts after it do not count
	sr.shareState = shareState{}
}
