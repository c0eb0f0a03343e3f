package extract

import "sync/atomic"

// Results cross from a worker to the caller in batches that own their bytes. A
// worker has a fixed number of them, which come back to it when they have been
// yielded; so it cannot get further ahead of the caller than they hold.
const (
	batchEntries = 128
	batchBytes   = 32 << 10 // a batch that holds a longer Result has more, for once
	usualRecord  = 4 << 10  // what is kept free for the next record
	batches      = 24
)

// A batch is a number of Results and Errors in order. How it has them, note.go says.
type batch struct {
	notes   []note // of a fixed capacity
	anchors []Origin
	whole   []entry
	arena   []byte // the bytes of all
	home    chan *batch

	records int // bytes of arena that are encoded Results, before all else
	results int // how many these are

	then  *lane // in place of notes: what is to be delivered next
	shift shift
}

// newBatch returns a batch that goes home to that. One of records has no notes, or few.
func (b *batcher) newBatch(home chan *batch) *batch {
	made := &batch{arena: make([]byte, 0, batchBytes), home: home}
	if b.encode == nil {
		made.notes = make([]note, 0, batchEntries)
	}
	return made
}

// empty sends b home.
func (b *batch) empty() {
	if cap(b.arena) > batchBytes {
		b.arena = make([]byte, 0, batchBytes)
	}
	b.notes, b.anchors, b.whole, b.arena = b.notes[:0], b.anchors[:0], b.whole[:0], b.arena[:0]
	b.records, b.results = 0, 0
	b.home <- b // there is room for all
}

// A lane carries the batches of one source, or a few, or of a unit of one, to the
// caller, in order.
type lane struct {
	out    chan *batch // with room for all batches of a worker; closed at the end
	parked atomic.Pointer[batch]
	turn   atomic.Bool // the caller yields from this lane now
	many   bool        // it is of several sources: what follows one of them is said by a batch

	turned chan struct{} // of a unit: closed when turn is set
	then   *lane         // of the unit where this one ended, set before out is closed
	shift  shift         // of what comes there, beside the one here
}

// A batcher is the sink of one worker of several.
type batcher struct {
	lane   *lane
	home   chan *batch // those that are empty
	made   int
	cur    *batch  // being filled; nil if none is
	parked bool    // cur is at lane.parked, if it was not taken
	encode Encoder // or nil
	stop   *interrupt
	quit   <-chan struct{} // closed when stop is

	run       *run
	bundle    []Source // that were claimed
	small     int      // of them, small ones of no known size: see batcher.opened
	order     int      // of the source
	undecided bool     // whether others can read it: see run.decided

	// Of a unit. Its lane may come before others that hold batches of this worker;
	// then, and when its turn has come, there are spare ones.
	unit   *unit // nil if a source is read from its beginning
	linked bool  // the unit's verdict is known, and is that
	turned bool  // the lane's turn is known to have come
	waited bool  // for a batch, while another's turn was
	spare  chan *batch
	spares int
}

// spares is how many batches a worker has for a unit whose turn has come, if
// others are away.
const spares = 2

func (b *batcher) result(r *Result) bool {
	if b.encode != nil && !r.Origin.enclosed { // else the caller completes its Origin
		return b.record(r)
	}
	plain := r.plain() && b.encode == nil
	if plain && b.cur != nil && b.cur.note(r) {
		return !b.stop.is()
	}
	if !b.room(r.owns()) {
		return false
	}
	if !plain || !b.cur.note(r) { // one may be longer than all that a batch has room for
		b.cur.add(entry{res: *r})
	}
	return true
}

// record encodes r. Records come before all else in a batch.
func (b *batcher) record(r *Result) bool {
	cur := b.cur
	if cur == nil || len(cur.notes) > 0 || len(cur.arena) > batchBytes-usualRecord {
		if cur != nil {
			b.send()
		}
		if !b.room(usualRecord) {
			return false
		}
		cur = b.cur
	}
	if cur.arena = encodeAppend(cur.arena, b.encode, r); len(cur.arena) > cur.records {
		cur.records = len(cur.arena)
		cur.results++
	}
	return !b.stop.is()
}

func (b *batcher) failure(err *Error) bool {
	if !b.room(0) {
		return false
	}
	b.cur.add(entry{err: err})
	return true
}

// room makes sure that cur is a batch with room for a note and for size bytes.
// It waits for one, and returns false if the work has ended.
func (b *batcher) room(size int) bool {
	if b.cur != nil {
		if len(b.cur.notes) < batchEntries && (len(b.cur.arena)+size <= cap(b.cur.arena) || len(b.cur.arena) == 0) {
			return !b.stop.is()
		}
		b.send()
	}
	if b.made < batches && len(b.home) == 0 {
		b.made++
		b.cur = b.newBatch(b.home)
		return !b.stop.is()
	}
	return b.await()
}

// await makes cur a batch that has come home, or a spare one. It returns false if
// the work has ended.
func (b *batcher) await() bool {
	b.waited = b.waited || len(b.home) == 0 && !b.lane.turn.Load()
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
				b.spare <- b.newBatch(b.spare)
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
	b.lane, b.unit, b.linked, b.turned, b.waited = ln, u, false, false, false
}

// follow puts the lane of u behind what was found so far, and shifts what comes there.
func (b *batcher) follow(u *unit, by shift) {
	if !b.lane.many {
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

// inBody returns false: the loop body runs in another goroutine.
func (b *batcher) inBody() bool { return false }

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
