package schedule

import (
	"math"
	"slices"
	"sync/atomic"
)

// Several workers can scan one source, in blocks: stretches that begin and end where nothing that was in front
// matters. Who cuts a source into blocks depends on what it is.
//
// A regular file is cut by the workers that scan it: each claims the next block, which it finds and reads by
// itself. The worker that has opened the file reads the first block in the queue of its job. A trunk follows that queue: it names
// the queues of the other blocks, in order.
//
//	worker 1  ├─ block 1 ─┤├─ block 3 ─┤├─ block 4 ─┤ ...
//	worker 2      ├── block 2 ───┤├─ block 5 ─┤
//
// A stream, such as a pipe, can be read by one worker only. This worker hands out blocks that it has read:
//
//	worker 1  ├─ scans ─┤reads│reads│├─ scans ─┤reads│ ...
//	worker 2            ├─ scans ──┤├─ scans ─┤
//
// It does so while another worker has nothing to do, or will soon have
// nothing to do. If enough blocks wait, it scans a stretch itself. So both are busy, whether reading or
// scanning takes longer, and a slow stream is read and scanned by one worker. The results of the block are delivered at the
// place in the reader's queue at which it was handed out.
//
// The caller waits for the block that is next, and a worker may wait for the caller. So there must always be a worker that claims that block:
//
//   - A worker claims what the caller needs first: of what can be claimed, that of the earliest job.
//   - While a file has blocks left, no worker takes a later job, or assists a later one. If enough blocks of the file are not delivered yet, it waits. So the worker
//     that has opened the file, at least, claims its blocks.
//   - A block is handed out only if a worker will claim it: one that has nothing to do, and is asked for nothing else, or one that scans a block of the same stream.
//
// Each stretch and each block counts from 0. The caller adds the numbers up.

// A claimed block is what a worker has claimed.
type claimed[B, E, D any] struct {
	block E
	queue *queue[B, D]
	order int                  // number of its job
	from  *handed              // of the worker that has handed it out, or nil
	file  *SharedFile[B, E, D] // the file that it is in, or nil

	current bool // its queue is known to be the current one of the consumer
}

// A SharedFile is a job that is cut into blocks. The scheduler's mu guards its unexported fields.
type SharedFile[B, E, D any] struct {
	// Next returns the next block, as long as so many of the least length together, or less. It is called by one worker at a time.
	Next  func(together int) (block E, last bool)
	Close func() // called when nothing more is read of it

	order    int // number of the job
	together int // of the next block; it grows with each block, and is smaller if a worker had to wait for the caller
	trunk    *queue[B, D]
	cutting  bool // a worker is in Next
	failed   bool // a block has failed: see Producer.Counted
	ended    bool // it has no blocks left to claim
	claimed  int  // blocks that are claimed and not delivered
	readers  int  // workers that read it
}

// mostTogether bounds the length of a block of a SharedFile.
const mostTogether = 8

// Share lets other workers read f, of which this worker reads the first block.
func (p *Producer[J, B, E, D]) Share(f *SharedFile[B, E, D]) {
	r := p.scheduler
	r.mu.Lock()
	f.order, f.readers, f.together, f.trunk = p.Order, 1, 1, newQueue[B, D](r.blocks.most)
	i := len(r.blocks.files)
	for i > 0 && r.blocks.files[i-1].order > f.order { // at most one file for each worker
		i--
	}
	r.blocks.files = slices.Insert(r.blocks.files, i, f)
	r.blocks.setEarliest()
	p.settle()
	r.changed.Broadcast()
	r.mu.Unlock()
}

// EndFirst says that this worker has read the first block of f, which counts d. If it has failed, the other blocks do not count.
func (p *Producer[J, B, E, D]) EndFirst(f *SharedFile[B, E, D], d D, failed bool) {
	r := p.scheduler
	f.trunk.isAfterFailure = failed
	p.sendAll()
	p.queue.out <- &batch[B, D]{next: f.trunk, delta: d} // there is room for it. The queue has results from the beginning of the file
	r.mu.Lock()
	defer r.mu.Unlock()
	r.blocks.leave(f, failed, p.waited)
}

// claimNext claims the next block of the earliest file that has one; none of them is ended. It returns nil if it has to wait: another worker is about to claim one, or
// enough of them are not delivered. The caller holds mu, which is released while the file is cut.
func (r *scheduler[J, B, E, D]) claimNext() *claimed[B, E, D] {
	l := &r.blocks
	f := l.files[0]
	if f.cutting || f.claimed >= l.most {
		return nil
	}
	f.cutting = true
	f.readers++
	f.claimed++
	r.busy++
	together := f.together
	r.mu.Unlock()
	block, last := f.Next(together)
	r.mu.Lock()
	f.cutting = false
	q := newQueue[B, D](Batches + reserve + mostBlocks)
	q.becameCurrent, q.delivered = make(chan struct{}), func() { r.blockDelivered(f) }
	f.trunk.out <- &batch[B, D]{next: q, block: true} // there is room for it
	if last || f.failed {
		l.end(f)
	}
	r.changed.Broadcast()
	return &claimed[B, E, D]{block: block, queue: q, order: f.order, file: f}
}

// blockDelivered records that a block of a SharedFile was delivered, or does not count.
func (r *scheduler[J, B, E, D]) blockDelivered(f *SharedFile[B, E, D]) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f.claimed--
	r.changed.Broadcast()
}

// EndShared says that the other blocks of f that are claimed do not count, and that no more are to be claimed.
func (p *Producer[J, B, E, D]) EndShared(f *SharedFile[B, E, D]) {
	r := p.scheduler
	r.mu.Lock()
	defer r.mu.Unlock()
	if f.failed = true; !f.cutting && !f.ended {
		r.blocks.end(f)
	}
	r.changed.Broadcast()
}

// earliest returns the number of the first job with a SharedFile that has blocks left; math.MaxInt if there is none. It needs no lock.
func (l *blockList[B, E, D]) earliest() int { return int(l.order.Load()) }

func (l *blockList[B, E, D]) setEarliest() {
	l.order.Store(math.MaxInt)
	if len(l.files) > 0 {
		l.order.Store(int64(l.files[0].order))
	}
}

// end ends f: no worker claims another block of it.
func (l *blockList[B, E, D]) end(f *SharedFile[B, E, D]) {
	l.files = slices.DeleteFunc(l.files, func(other *SharedFile[B, E, D]) bool { return other == f })
	l.setEarliest()
	f.ended = true
	close(f.trunk.out)
}

// leave ends the reading of a block of f. If it has failed, no other block is claimed. waited says that its worker had to wait for the caller.
func (l *blockList[B, E, D]) leave(f *SharedFile[B, E, D], failed, waited bool) {
	if f.together = min(2*f.together, mostTogether); waited {
		f.together = max(1, f.together/4)
	}
	if f.failed = f.failed || failed; f.failed && !f.cutting && !f.ended {
		l.end(f)
	}
	if f.readers--; f.readers == 0 && f.ended {
		f.Close()
	}
}

// A blockList has the blocks that are handed out and not claimed. The scheduler's mu guards all but
// the atomic counts.
type blockList[B, E, D any] struct {
	files       []*SharedFile[B, E, D] // that have blocks left to claim, in the order of their jobs
	order       atomic.Int64           // see earliest
	list        []*claimed[B, E, D]
	waiting     atomic.Int32 // its length
	undelivered atomic.Int32 // blocks that were handed out and not delivered
	most        int          // bounds the blocks of a file that are claimed and not delivered
}

// mostBlocks bounds the blocks that are handed out and not delivered. A queue has room for them.
const mostBlocks = 32

// first returns the index in list of the block that the caller needs first, or -1.
func (l *blockList[B, E, D]) first() int {
	first := -1
	for i, b := range l.list { // at most mostBlocks
		if first < 0 || b.order < l.list[first].order {
			first = i
		}
	}
	return first
}

// claim removes list[i] and returns it.
func (l *blockList[B, E, D]) claim(i int) *claimed[B, E, D] {
	b := l.list[i]
	l.list = slices.Delete(l.list, i, i+1)
	l.waiting.Add(-1)
	b.from.ready--
	b.from.busy.Add(1)
	return b
}

// MayHand reports whether blocks of the current job can be handed out.
func (p *Producer[J, B, E, D]) MayHand() bool { return !p.queue.unordered }

// Wanted reports whether blocks should be handed out: no block waits, and a worker has nothing to do, or will have nothing to do
// when it has scanned its block.
func (p *Producer[J, B, E, D]) Wanted() bool {
	r := p.scheduler
	idle := r.assistants.idle.Load() > 0 && r.blocks.earliest() > p.Order
	return r.blocks.waiting.Load() == 0 && (idle || p.handed.busy.Load() > 0) && r.blocks.undelivered.Load() < mostBlocks/2
}

// WantedToo reports whether a further block should be handed out directly after another.
func (p *Producer[J, B, E, D]) WantedToo() bool {
	r := p.scheduler
	return int(r.blocks.waiting.Load()) < 2*(r.c.Workers-1) && r.blocks.undelivered.Load() < mostBlocks
}

// Hand hands out the block that made returns, if a worker will claim it: one that waits, or one that scans a block of
// this stream, and claims the next one after that. Otherwise it returns false and does not call made. shift is what
// this worker has counted since it last started at 0.
func (p *Producer[J, B, E, D]) Hand(made func() E, shift D) bool {
	r := p.scheduler
	p.sendAll()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.free(p.Order) <= 0 && p.handed.ready == 0 && p.handed.busy.Load() == 0 {
		return false
	}
	q := newQueue[B, D](Batches + reserve)
	q.becameCurrent, q.delivered = make(chan struct{}), func() { r.blocks.undelivered.Add(-1) }
	p.queue.out <- &batch[B, D]{next: q, block: true, shift: r.c.Add(p.shift, shift)} // there is room for it
	p.shift = *new(D)
	r.blocks.undelivered.Add(1)
	p.handed.ready++
	r.blocks.list = append(r.blocks.list, &claimed[B, E, D]{block: made(), queue: q, order: p.Order, from: &p.handed})
	r.blocks.waiting.Add(1)
	r.changed.Broadcast()
	return true
}

// A handed counts the blocks of one worker that others have not claimed, and those that they scan. The scheduler's mu guards both, and
// busy may be read without it.
type handed struct {
	ready int
	busy  atomic.Int32
}

// Shift says that this worker starts to count at 0 again, like Hand without a block. The caller learns it with the next batch or block,
// since the queue has room for these alone.
func (p *Producer[J, B, E, D]) Shift(shift D) {
	p.sendAll()
	p.shift = p.scheduler.c.Add(p.shift, shift)
}

// Counted says what the block that this worker has read counts. If it has failed, the blocks of its file that follow do not count. If
// this block does not count, undo is called by the caller of Do.
func (p *Producer[J, B, E, D]) Counted(d D, failed bool, undo func()) {
	p.queue.counted, p.queue.failed, p.queue.undo = d, failed, undo
}

// sendAll sends what is in the batch that is being filled.
func (p *Producer[J, B, E, D]) sendAll() {
	if p.Unpark(); p.cur != nil {
		p.send()
	}
}
