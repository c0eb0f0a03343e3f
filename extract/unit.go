package extract

import (
	"io"
	"os"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/ledger"
)

// How several workers read one source. A big file is cut in units, at seams that
// have fixed places in it. The worker that opened it, which knows how it is to be
// read, offers the units and reads on. Another that has nothing else to do claims the
// next unit that nobody has come to, or a few as one if what is found in them has room
// until the caller comes to it, and reads from its seam on. What it cannot know is what
// the text before has to say: whether a "<" is open, or a run too long. So it begins
// some lines before the seam, without a voice, and so has at the seam an idea
// of how things stand there, a [delimit.State]. The reader that comes to the seam
// knows:
//
//	               seam 1           seam 2           seam 3
//	worker 1  ───────┤ = that is how it stands: it ends here, and claims unit 3
//	worker 2     ····├────────────────┤ ≠ it reads on, and what worker 3 found is void
//	worker 3                      ····├─ ─ ─ x
//
// Where the two agree the reader ends, and the lane of the other is put behind its
// own; where not, the other's unit is void. So a guess that is wrong costs time, and
// never a result. Whoever comes to a seam whose unit nobody has claimed takes that
// over, without a seam: one worker alone reads as if there were no units.
//
// What a reader says is believed only if it is itself in the chain that begins with
// the one that opened the file. A unit is so when the reader before it is, and agreed.
// One that waits to be told, behind a seam where it disagrees, waits for readers
// before it. One that comes to a seam waits for who claimed the unit to be there, and
// that one has nothing to wait for, having no voice as yet. So somebody always reads,
// and none waits in a circle.
//
// Lines are counted from where a worker began, and messages. At a seam both readers
// know how many they have counted there, and the caller adds the difference (shift).
//
// In a mailbox nothing but these numbers is carried over from message to message. So
// who claims a unit looks for a line behind the seam that begins a message for
// certain, and reads from there on; and a reader that passes the seam agrees if it
// comes to a message that begins at that line.
//
// The counts of a unit (Stats) are added when it is in the chain; what was read
// before the seam is in no count.

const (
	unitSize = 1 << 20  // bytes from seam to seam
	maxSpan  = 8        // units that a claim takes at most
	warmUp   = 16 << 10 // bytes before the seam within which a unit's reader looks for a line to begin with
)

// A shared is a source that is read in units. Its fields are guarded by run.mu but
// for those that do not change.
type shared struct {
	run    *run
	name   string
	size   int64     // when it was met; for Stats
	opened int64     // when it was opened
	at     *os.File  // where it can be read
	closer io.Closer // of the source; called by the last that reads
	mark   int64     // length of the byte order mark
	mbox   bool      // it is a mailbox, or else text
	packed bool      // it is compressed, and units are of what is stored: see frameunit.go
	splits compress.Splits
	unit   int64 // bytes from seam to seam: unit k begins at k*unit
	warm   int64
	last   int // the last unit, which ends with the file

	order   int     // of the source
	next    int     // the first unit that nobody has come to
	span    int     // how many a claim takes, if enough are left: more each time,
	most    int     // up to this, which is halved when a worker has to wait
	claimed []*unit // that are not yet settled, in order
	readers int
}

// A unit is a stretch of a shared source, from its seam on to where its reader ends:
// one that was claimed, or a few in a row.
type unit struct {
	of    *shared
	seam  int64
	end   int64 // the seam behind what was claimed; nobody else looks for one before
	lane  *lane
	ready chan struct{} // closed when what follows is known, or will not be

	// Of its reader at the seam.
	known bool
	first int64 // in a compressed file: where, in what is stored, its first frame begins
	at    int64 // in a mailbox: where its first message begins
	state delimit.State
	line  int64 // number of the line there, as counted from where it began

	settled chan struct{} // closed when verdict is there
	verdict verdict       // guarded by run.mu, as is the rest
	ended   bool
	then    *unit         // that its reader agreed with, and ended at
	by      int64         // how far the places it tells of lie behind, beside those of the unit before
	base    int64         // and beside those of the source, if linked
	n       ledger.Ledger // of one that has ended without a verdict
}

// A verdict is what became of a unit.
type verdict uint8

const (
	undecided verdict = iota
	linked            // its results follow those of the unit before
	void              // it has none
)

// seamAfter returns the first seam behind off, or -1.
func (f *shared) seamAfter(off int64) int64 {
	if k := off/f.unit + 1; k <= int64(f.last) {
		return k * f.unit
	}
	return -1
}

// offer lets others read f too. Its reader is at the beginning.
func (r *run) offer(f *shared) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f.run, f.next, f.span, f.most, f.readers = r, max(1, f.next), 1, maxSpan, 1
	i := len(r.files)
	for i > 0 && r.files[i-1].order > f.order { // as many as workers at most
		i--
	}
	r.files = append(r.files[:i], append([]*shared{f}, r.files[i:]...)...)
	r.more.Broadcast()
}

// unit claims the next unit of the earliest source that has one, and opens a lane
// for it; nil if there is none, or there are enough. mu is held.
func (r *run) unit() *unit {
	if r.ahead >= lanesAhead*r.x.opts.Workers {
		return nil
	}
	for _, f := range r.files {
		if f.next > f.last {
			continue
		}
		u := &unit{of: f, seam: int64(f.next) * f.unit, ready: make(chan struct{}), settled: make(chan struct{})}
		u.lane = newLane(batches + spares)
		u.lane.turned = make(chan struct{})
		f.next += max(1, min(f.span, (f.last-f.next)/(2*r.x.opts.Workers)))
		u.end = int64(f.next) * f.unit
		f.claimed = append(f.claimed, u)
		f.readers++
		r.ahead++
		return u
	}
	return nil
}

// reach is told that a reader of f has come to a seam. It returns who claimed the
// unit that begins there; or nil, and then nobody will.
func (r *run) reach(f *shared, seam int64) *unit {
	if r.x.passing != nil {
		r.x.passing()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, u := range f.claimed { // as many as lanes ahead at most
		if u.seam == seam {
			return u
		}
	}
	f.next = max(f.next, int(seam/f.unit)+1)
	return nil
}

// What a reader is to do at a seam.
type order uint8

const (
	goOn order = iota
	endHere
	giveUp
	wait // until one's own unit is settled
)

// settle says what the reader of me, nil for the one that opened f, is to do at
// the seam of u, which is ready. agree says that u's reader is right there if me's
// is, but for places, which lie by bytes behind.
func (r *run) settle(f *shared, me, u *unit, agree bool, by int64) order {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case me != nil && me.verdict == void:
		return giveUp
	case u.verdict == void:
		return goOn
	case agree:
		u.by = by
		if me == nil {
			r.chain(u, 0)
		} else if me.then = u; me.verdict == linked {
			r.chain(u, me.base)
		}
		return endHere
	case me != nil && me.verdict == undecided:
		return wait
	}
	r.void(u)
	return goOn
}

// chain puts u behind what is in the chain, with those it leads to; base is that of
// the unit before. mu is held.
func (r *run) chain(u *unit, base int64) {
	for ; u != nil; u = u.then { // each is settled once
		base += u.by
		u.base = base
		r.decide(u, linked)
		if u.ended {
			r.x.counts.add(&u.n)
			if u.then == nil {
				r.close(u.of)
			}
		}
	}
}

// void drops u. mu is held.
func (r *run) void(u *unit) {
	r.decide(u, void)
	r.ahead--
	if u.ended {
		u.lane.drop()
	}
	r.more.Broadcast()
}

// decide settles u. mu is held.
func (r *run) decide(u *unit, v verdict) {
	u.verdict = v
	r.x.verdicts[v].Add(1)
	close(u.settled)
	f := u.of
	for i := range f.claimed {
		if f.claimed[i] == u {
			f.claimed = append(f.claimed[:i], f.claimed[i+1:]...)
			break
		}
	}
}

// close ends the reading of f: the chain has come to an end that is no seam. What
// else was claimed is void. mu is held.
func (r *run) close(f *shared) {
	f.next = f.last + 1
	for len(f.claimed) > 0 {
		r.void(f.claimed[0])
	}
	for i := range r.files {
		if r.files[i] == f {
			r.files = append(r.files[:i], r.files[i+1:]...)
			break
		}
	}
}

// leave ends the part that a reader had in f: the unit u, of which n are the
// counts and the lane has ended, or if that is nil, the beginning. seam says that it
// ended at one; waited, that it had to wait until the caller came to what it had found.
func (r *run) leave(f *shared, u *unit, n *ledger.Ledger, seam, waited bool) {
	r.mu.Lock()
	if waited {
		f.most = max(1, f.span/2)
	}
	f.span = min(2*f.span, f.most)
	switch {
	case u == nil || u.verdict == linked:
		r.x.counts.add(n)
		if !seam {
			r.close(f)
		}
	case u.verdict == void:
		u.lane.drop()
	default:
		u.n, u.ended = *n, true
	}
	*n = ledger.Ledger{}
	f.readers--
	last := f.readers == 0
	r.mu.Unlock()
	if last {
		_ = f.closer.Close() // nothing was written
	}
}

// drop sends the batches of a lane that has ended, and is in no chain, home.
func (ln *lane) drop() {
	for b := range ln.out {
		b.empty()
	}
}
