package extract

import (
	"sync/atomic"

	"github.com/urlsift/urlsift/delimit"
)

// Results cross from a worker to the caller in batches that own their bytes. A
// worker has a fixed number of them, which come back to it when they have been
// yielded; so it cannot get further ahead of the caller than they hold.
const (
	batchEntries = 128
	batchBytes   = 32 << 10 // a batch that holds a longer Result has more, for once
	batches      = 24
)

// A batch is a number of Results and Errors in order.
type batch struct {
	entries []entry // of a fixed capacity
	arena   []byte  // what the slices in entries alias
	home    chan *batch

	then  *lane // in place of entries: what is to be delivered next
	shift shift
}

func newBatch(home chan *batch) *batch {
	return &batch{entries: make([]entry, 0, batchEntries), arena: make([]byte, 0, batchBytes), home: home}
}

// empty sends b home.
func (b *batch) empty() {
	if cap(b.arena) > batchBytes {
		b.arena = make([]byte, 0, batchBytes)
	}
	b.entries, b.arena = b.entries[:0], b.arena[:0]
	b.home <- b // there is room for all
}

// An entry is an Error, or if that is nil a Result.
type entry struct {
	res Result
	err *Error
}

// A lane carries the batches of one source, or of a unit of one, to the caller, in
// order.
type lane struct {
	out    chan *batch // with room for all batches of a worker; closed at the end
	parked atomic.Pointer[batch]
	turn   atomic.Bool // the caller yields from this lane now

	turned chan struct{} // of a unit: closed when turn is set
	then   *lane         // of the unit where this one ended, set before out is closed
	shift  shift         // of what comes there, beside the one here
}

// A batcher is the sink of one worker of several.
type batcher struct {
	lane   *lane
	home   chan *batch // those that are empty
	made   int
	cur    *batch // being filled; nil if none is
	parked bool   // cur is at lane.parked, if it was not taken
	stop   *interrupt
	quit   <-chan struct{} // closed when stop is

	run       *run
	order     int  // of the source
	undecided bool // whether others can read it: see run.decided

	// Of a unit. Its lane may come before others that hold batches of this worker;
	// then, and when its turn has come, there are spare ones.
	unit   *unit // nil if a source is read from its beginning
	linked bool  // the unit's verdict is known, and is that
	turned bool  // the lane's turn is known to have come
	spare  chan *batch
	spares int
}

// spares is how many batches a worker has for a unit whose turn has come, if
// others are away.
const spares = 2

func (b *batcher) result(r *Result) bool {
	if !b.room(r.owns()) {
		return false
	}
	n := len(b.cur.entries)
	b.cur.entries = b.cur.entries[:n+1]
	e := &b.cur.entries[n]
	e.err = nil
	e.res = *r
	b.cur.arena = e.res.own(b.cur.arena)
	return true
}

func (b *batcher) trouble(err *Error) bool {
	if !b.room(0) {
		return false
	}
	b.cur.entries = append(b.cur.entries, entry{err: err})
	return true
}

// room makes sure that cur is a batch with room for an entry and for size bytes.
// It waits for one, and returns false if the work has ended.
func (b *batcher) room(size int) bool {
	if b.cur != nil {
		if len(b.cur.entries) < batchEntries && (len(b.cur.arena)+size <= cap(b.cur.arena) || len(b.cur.entries) == 0) {
			return !b.stop.is()
		}
		b.send()
	}
	if b.made < batches && len(b.home) == 0 {
		b.made++
		b.cur = newBatch(b.home)
		return !b.stop.is()
	}
	return b.await()
}

// await makes cur a batch that has come home, or a spare one. It returns false if
// the work has ended.
func (b *batcher) await() bool {
	for { // three times at most
		var turned, settled <-chan struct{}
		var spare <-chan *batch
		switch {
		case b.unit == nil:
		case !b.turned:
			turned = b.unit.lane.turned
		default:
			spare = b.spare
		}
		if b.unit != nil && !b.linked {
			settled = b.unit.settled
		}
		select {
		case b.cur = <-b.home:
			return !b.stop.is()
		case b.cur = <-spare:
			return !b.stop.is()
		case <-turned:
			b.turned = true
			if b.spares < spares {
				b.spares++
				b.spare <- newBatch(b.spare)
			}
		case <-settled:
			if b.isVoid() {
				return false
			}
		case <-b.quit:
			return false
		}
	}
}

// inChain reports whether what is found in the unit, if one is read, is known to count.
func (b *batcher) inChain() bool {
	return b.unit == nil || !b.isVoid() && b.linked
}

// isVoid reports whether the unit that is read is known to be void.
func (b *batcher) isVoid() bool {
	if b.unit == nil || b.linked {
		return false
	}
	select {
	case <-b.unit.settled:
		b.linked = b.unit.verdict == linked
		return !b.linked
	default:
		return false
	}
}

// begin starts u, nil for a source that is read from its beginning.
func (b *batcher) begin(ln *lane, u *unit) {
	b.lane, b.unit, b.linked, b.turned = ln, u, false, false
}

// follow puts the lane of u behind what was found so far, and shifts what comes there.
func (b *batcher) follow(u *unit, by shift) {
	if b.lane != b.run.one {
		b.lane.then, b.lane.shift = u.lane, by
		return
	}
	if b.cur != nil {
		b.send()
	}
	b.lane.out <- &batch{then: u.lane, shift: by} // there is room
}

// send gives cur to the lane, which has room for all batches there are.
func (b *batcher) send() {
	b.lane.out <- b.cur
	b.cur = nil
}

// pause hands over what is in cur, before a Read that may wait. Where the caller
// is still at another source, cur is parked: the caller takes it when the turn
// comes and nobody else has by then.
func (b *batcher) pause() {
	switch {
	case b.cur == nil:
	case b.lane.turn.Load():
		b.send()
	default:
		b.lane.parked.Store(b.cur)
		b.parked = true
		// The turn may have come since, and the caller have looked in vain.
		if b.lane.turn.Load() {
			b.resume()
			b.pause()
		}
	}
}

// resume takes cur back, if it is still there.
func (b *batcher) resume() {
	if b.parked {
		b.cur = b.lane.parked.Swap(nil)
		b.parked = false
	}
}

// end closes the lane, behind what is in cur.
func (b *batcher) end() {
	if b.cur != nil {
		b.send()
	}
	close(b.lane.out)
}

// owns returns how many bytes own copies, or more.
func (r *Result) owns() int {
	f := &r.Found
	n := len(f.Text) + len(f.Tail) + len(r.Target)
	if !same(f.Raw, f.Text) {
		n += len(f.Raw)
	}
	if !same(f.Ref, f.Text) {
		n += len(f.Ref)
	}
	if !same(r.URL, f.Ref) {
		n += len(r.URL)
	}
	return n
}

// own copies the bytes of r into the room of arena, and returns the grown arena.
// What is the same memory in r stays so: most references are one stretch of text,
// which is Raw, Text, Ref and URL.
func (r *Result) own(arena []byte) []byte {
	f := &r.Found
	text, ref := f.Text, f.Ref
	if f.Others&delimit.Rejoined != 0 {
		*f = f.Clone() // which has a slice that only delimit knows of
	} else {
		f.Text, arena = keep(arena, text)
		f.Raw, arena = keepAs(arena, f.Raw, text, f.Text)
		f.Ref, arena = keepAs(arena, ref, text, f.Text)
		f.Tail, arena = keep(arena, f.Tail)
	}
	r.URL, arena = keepAs(arena, r.URL, ref, f.Ref)
	r.Target, arena = keep(arena, r.Target)
	return arena
}

// keep appends s to arena, and returns what it is there.
func keep(arena, s []byte) (kept, grown []byte) {
	if s == nil {
		return nil, arena
	}
	n := len(arena)
	arena = append(arena, s...)
	return arena[n:len(arena):len(arena)], arena
}

// keepAs is keep for what may be the memory of known, which is kept already.
func keepAs(arena, s, known, as []byte) (kept, grown []byte) {
	if s != nil && same(s, known) {
		return as, arena
	}
	return keep(arena, s)
}
