// Package schedule runs jobs on workers, and passes what they produce to the caller in
// the order of the jobs, with bounded memory.
//
//	schedule.Do(ctx, jobs, config,
//		func(p *schedule.Producer[...]) schedule.Worker[...] {
//			return newWorker(p) // it reads jobs and fills batches
//		},
//		func(b *batch, delta numbers) bool { // in the caller's goroutine
//			return yieldAll(b, delta)
//		})
//
// It imports nothing of ours. The type parameters are: J, a job; B, the content of a
// batch; E, the state at the split point of a segment; D, the difference to add to the numbers
// (of bytes, lines, messages) in the results of a segment.
//
// # Words
//
//   - A job is one thing to read. Workers claim jobs in order, one by one; a single claim
//     takes several small jobs (jobs.go).
//   - A queue carries the batches of one claim to the caller. The caller empties one queue
//     after another, in the order of the claims. So the order of results does not depend
//     on the number of workers (queue.go).
//   - A producer gives a worker batches to fill, and sends the full ones to the worker's queue. A
//     worker whose queue is not yet being delivered fills all its batches, and then waits
//     (producer.go).
//   - The current queue is the one that the caller is delivering. A parked batch is one that is
//     not full. A worker parks its batch before a Read that may wait, if its queue is not the
//     current one. When the caller comes to that queue it takes the batch, unless the worker has
//     taken it back (producer.go).
//   - A big job may be divided: its file is cut at split points, and several workers read the
//     segments between them (segment.go). A share is what one worker reads of such a file
//     (share.go). A segment is committed if its results count, otherwise it is discarded; that is
//     its outcome (files.go).
//   - A stream is read by one worker, which hands out blocks of it to others (block.go).
//   - Results of a segment are numbered from where its worker started. A shift is added to
//     these numbers to make them relative to the segment before; a delta is added to make
//     them relative to the beginning of the file. So a delta is a sum of shifts.
//
// The ring of jobs is filled in advance, so that finding jobs overlaps with reading them:
//
//	jobs ─► ring ─► claim ─► worker 1 ─► queue 0 ──┐
//	                   └───► worker 2 ─► queue 1 ──┼─► the caller, queue by queue
//	                                  └► queue 2 ──┘
//
// # Limits
//
// The worker whose queue is being delivered never waits for another worker. Normally all its
// other batches are in its own queue, or in earlier queues, which have been delivered. If it
// reads a segment, its other batches may be in later queues. Then it gets more batches, called
// reserve batches. A worker has at most [Batches] batches and [reserve] reserve ones. At most
// [Ahead] claims for each worker, and as many segments, are ahead of the caller. The ring holds
// at most [ringSize] jobs.
package schedule
