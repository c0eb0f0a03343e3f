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
// worker claims a block before anything else. So a block that waits will be claimed: by the worker
// that had nothing to do when it was handed out.
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

// MostBlocks bounds the blocks that are handed out and not delivered. A queue has room for them.
const mostBlocks = 32

// claim removes the first block and returns it, or nil.
func (l *blockList[B, E, D]) claim() *Segment[B, E, D] {
	if len(l.list) == 0 {
		return nil
	}
	s := l.list[0]
	l.list[0] = nil
	l.list = l.list[1:]
	l.waiting.Add(-1)
	return s
}

// MayHand reports whether blocks of the current job can be handed out.
func (p *Producer[J, B, E, D]) MayHand() bool { return !p.queue.unordered && p.scheduler.c.Workers > 1 }

// Wanted reports whether blocks should be handed out: a worker has nothing to do.
func (p *Producer[J, B, E, D]) Wanted() bool {
	r := p.scheduler
	return r.assistants.idle.Load() > 0 && r.blocks.waiting.Load() == 0 && r.blocks.undelivered.Load() < mostBlocks/2
}

// WantedToo reports whether a further block should be handed out directly after another.
func (p *Producer[J, B, E, D]) WantedToo() bool {
	r := p.scheduler
	return int(r.blocks.waiting.Load()) < 2*(r.c.Workers-1) && r.blocks.undelivered.Load() < mostBlocks
}

// Hand hands out a block with the state e. shift is what this worker has counted since it last
// started at 0.
func (p *Producer[J, B, E, D]) Hand(e E, shift D) {
	r := p.scheduler
	q := newQueue[B, D](Batches + reserve)
	q.becameCurrent, q.delivered = make(chan struct{}), func() { r.blocks.undelivered.Add(-1) }
	p.follow(q, shift)
	r.blocks.undelivered.Add(1)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.blocks.list = append(r.blocks.list, &Segment[B, E, D]{State: e, queue: q})
	r.blocks.waiting.Add(1)
	r.changed.Broadcast()
}

// Shift says that this worker starts to count at 0 again, like Hand without a block.
func (p *Producer[J, B, E, D]) Shift(shift D) { p.follow(nil, shift) }

// follow puts a batch into the queue that names the queue q of a block. There is room for it.
func (p *Producer[J, B, E, D]) follow(q *queue[B, D], shift D) {
	p.Unpark()
	if p.cur != nil {
		p.send()
	}
	p.queue.out <- &batch[B, D]{next: q, block: true, shift: shift}
}

// Counted says what the block that this worker has read counts.
func (p *Producer[J, B, E, D]) Counted(d D) { p.queue.counted = d }
