package schedule

import "sync/atomic"

// A stream cannot be read by several workers, but it can be scanned by several. The worker that
// reads it hands out blocks: stretches that it has read, and that begin and end where nothing that was in front
// matters. Another worker scans a block like a segment, except that all of it is in memory
// and its results count in any case:
//
//	worker 1  ├─ scans ─┤reads│reads│├─ scans ─┤reads│ ...
//	worker 2            ├─ scans ──┤├─ scans ─┤
//
// The reader hands out blocks while another worker has nothing to do, or will soon have
// nothing to do. If enough blocks wait, it scans a stretch itself. So both are busy, whether reading or
// scanning takes longer, and a slow stream is read and scanned by one worker. Every
// worker claims a block before anything else, the earliest first. So a block that waits will be claimed: by a worker
// that had nothing to do when it was handed out, or that scanned a block of the same stream.
//
// The results of a block are delivered at the place in the reader's queue at which it was handed out.
// Each stretch and each block counts from 0. The caller adds the numbers up.

// A blockList has the blocks that are handed out and not claimed. The scheduler's mu guards all but
// the atomic counts.
type blockList[B, E, D any] struct {
	list        []*Segment[B, E, D]
	waiting     atomic.Int32 // its length
	undelivered atomic.Int32 // blocks that were handed out and not delivered
}

// mostBlocks bounds the blocks that are handed out and not delivered. A queue has room for them.
const mostBlocks = 32

// claim removes the block that the caller needs first, and returns it, or nil.
func (l *blockList[B, E, D]) claim() *Segment[B, E, D] {
	if len(l.list) == 0 {
		return nil
	}
	first := 0
	for i, s := range l.list { // at most mostBlocks
		if s.order < l.list[first].order {
			first = i
		}
	}
	s := l.list[first]
	l.list = append(l.list[:first], l.list[first+1:]...)
	l.waiting.Add(-1)
	s.from.ready--
	s.from.busy.Add(1)
	return s
}

// MayHand reports whether blocks of the current job can be handed out.
func (p *Producer[J, B, E, D]) MayHand() bool { return !p.queue.unordered }

// Wanted reports whether blocks should be handed out: no block waits, and a worker has nothing to do, or will have nothing to do
// when it has scanned its block.
func (p *Producer[J, B, E, D]) Wanted() bool {
	r := p.scheduler
	return r.blocks.waiting.Load() == 0 && (r.assistants.idle.Load() > 0 || p.handed.busy.Load() > 0) && r.blocks.undelivered.Load() < mostBlocks/2
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
	if r.assistants.waiting <= len(r.assistants.asked) && p.handed.ready == 0 && p.handed.busy.Load() == 0 {
		return false
	}
	q := newQueue[B, D](Batches + reserve)
	q.becameCurrent, q.delivered = make(chan struct{}), func() { r.blocks.undelivered.Add(-1) }
	p.queue.out <- &batch[B, D]{next: q, block: true, shift: r.c.Add(p.shift, shift)} // there is room for it
	p.shift = *new(D)
	r.blocks.undelivered.Add(1)
	p.handed.ready++
	r.blocks.list = append(r.blocks.list, &Segment[B, E, D]{State: made(), queue: q, order: p.Order, from: &p.handed})
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

// Counted says what the block that this worker has read counts.
func (p *Producer[J, B, E, D]) Counted(d D) { p.queue.counted = d }

// sendAll sends what is in the batch that is being filled.
func (p *Producer[J, B, E, D]) sendAll() {
	if p.Unpark(); p.cur != nil {
		p.send()
	}
}
