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
// batch; E, a block; D, the difference to add to the numbers
// (of lines, messages) in the results of a block.
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
//   - Several workers may read a big job, in blocks: they cut its file, or one of them hands out blocks of a stream (block.go).
//   - Results of a block are numbered from its beginning. A delta is added to
//     these numbers to make them relative to the beginning of the job. A shift is what is added to a delta.
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
// reads a block, its other batches may be in later queues. Then it gets more batches, called
// reserve batches. A worker has at most [Batches] batches and [reserve] reserve ones. At most
// [Ahead] claims for each worker, and as many blocks of files, are ahead of the caller. The ring holds
// at most [ringSize] jobs.
package schedule
