package extract

import (
	"bytes"
	"io"
	"math"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract/internal/document"
	"github.com/urlsift/urlsift/extract/internal/files"
	"github.com/urlsift/urlsift/extract/internal/mail"
	"github.com/urlsift/urlsift/uri"
)

// This file hands out blocks of a stream, and reads them; schedule/block.go has the plan. A stream is a
// compressed file that cannot be divided, or a pipe. A block begins and ends at a neutral place: in running
// text where delimit.Neutral says so, in a mailbox where a message begins. The worker that reads the stream ends
// its own text at such a place, hands out what it has read in advance, and begins a new text after
// that.
//
// A line, a message or a stretch without a neutral place may be of any length: it is read by the worker that reads the
// stream, as if there were no other.

const (
	blockBytes = 512 << 10 // what is read in advance for a block
	leastBlock = 48 << 10  // a shorter stretch is scanned by the worker that has read it
	placeBytes = 64 << 10  // how far the worker searches the place at which its own text ends
)

// A sharedStream describes a source whose blocks are handed out. Workers only read its fields.
type sharedStream struct {
	name   string
	format Format    // Source.Format
	base   uri.Ref   // Source.Base
	opened io.Reader // the source; for its time of modification
	bom    int64     // length of the byte order mark
	kind   document.Division

	memory chan []byte // of blocks that were read
}

// A block is a stretch of a stream in memory.
type block struct {
	of   *sharedStream
	at   int64 // raw offset of its first byte
	data []byte
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
		n := sr.lastPlace(data, ended)
		if n < max(1, sr.x.leastBlock) {
			sr.tried = o.Read() + int64(len(data))
			break
		}
		var memory []byte
		select {
		case memory = <-s.memory:
		default:
		}
		made := func() splitState {
			at := o.Read()
			return splitState{block: &block{of: s, at: at, data: o.Take(n, memory)}}
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

// placesTried bounds the lines at which lastPlace asks for a neutral place.
const placesTried = 1000

// lastPlace returns the index of the last neutral place in data, which begins at one, or 0. ended says that
// nothing follows data.
func (sr *sharedReading) lastPlace(data []byte, ended bool) int {
	switch sr.stream.kind {
	case document.Records:
		return mail.LastRecord(data)
	case document.Messages:
		return mail.LastNeutral(data)
	}
	opts := &sr.x.opts.Delimit
	if ended && opts.Neutral(data, len(data), true) {
		return len(data)
	}
	end := len(data) - delimit.NeutralAfter
	for range placesTried {
		at := bytes.LastIndexByte(data[:max(0, end)], '\n') + 1
		if at == 0 || opts.Neutral(data, at, false) {
			return at
		}
		end = at - 1
	}
	return 0
}

// readBlock reads b, which another worker has handed out.
func (w *worker) readBlock(b *block) {
	s, o := b.of, w.doc.Outermost()
	w.stoppedByCaller, w.enough, w.find.resumed, w.share.shareState = false, nil, nil, shareState{}
	w.source, w.base, w.opened = s.name, s.base, s.opened
	w.doc.Close()
	w.doc.Describe(s.name, document.Format(s.format), nil)
	w.find.validator.bases.begin(w.base)
	messages := 0
	n := delta{mail: s.kind.OfMessages()}
	o.OpenBlock(bytes.NewReader(b.data), document.Start{Offset: b.at, BOM: s.bom, Kind: s.kind}, func(_ int64, before int) bool {
		messages = before + 1
		return true
	})
	w.find.texts()
	if w.doc.Close(); s.kind.OfMessages() {
		n.lines, n.messages = int64(bytes.Count(b.data, []byte{'\n'})), messages
	} else {
		n.lines = w.scan.State().Line - 1
	}
	w.addCounts()
	w.producer.Counted(n)
	select {
	case s.memory <- b.data[:cap(b.data)]:
	default:
	}
	w.opened = nil
}
