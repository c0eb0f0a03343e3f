// Package schedule runs jobs on workers, and hands what they produce to the caller in the
// order of the jobs, with bounded memory.
//
//	schedule.Do(ctx, jobs, config,
//		func(out *schedule.Output[...]) schedule.Worker[...] {
//			return newWorker(out) // it reads what it is given, and fills batches
//		},
//		func(b *batch, by delta) bool { // in the caller's goroutine
//			return yieldAll(b, by)
//		})
//
// It imports nothing of ours: J is what a job is, B what a batch holds, E what is known at
// the edge of a segment, D what is added to the numbers of what a segment holds.
//
// # Words
//
//   - A job is one thing to read. Workers claim jobs one by one, in order; of small ones a
//     claim takes several (jobs.go).
//   - A queue carries the batches of one claim to the caller. The caller takes from queue
//     after queue in the order of claims, so that the order of what comes out does not
//     depend on how many workers there are (queue.go).
//   - An output is what a worker fills batches with. A worker whose queue's turn has not
//     come fills the batches that it has and then waits (output.go).
//   - A big job may be divided: its file is cut at split points, and the segments between
//     them are read by several workers (segment.go).
//
// The list of jobs is filled ahead of the claims, so that finding jobs overlaps reading:
//
//	jobs ─► list ─► claim ─► worker 1 ─► queue 0 ──┐
//	                   └───► worker 2 ─► queue 1 ──┼─► the caller, queue by queue
//	                                  └► queue 2 ──┘
//
// # Limits
//
// The worker whose turn it is never waits for another: all batches that it lacks are in its
// own queue, or in earlier ones, which have been delivered; or if it reads a segment, and
// they may be in later ones, it gets reserve ones. A worker has at most [Batches] batches
// and [reserve] reserve ones. At most [Ahead] claims for each worker, and as many segments,
// are ahead of the caller. The list holds at most [listed] jobs.
package schedule
