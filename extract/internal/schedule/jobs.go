package schedule

import (
	"iter"
	"runtime"
	"sync"
)

// This file has the ring of jobs. One goroutine ranges over the jobs and puts each in the ring
// at once. So finding jobs continues while workers read, and a worker can claim a job before
// the next one is known.
//
// Claiming a job, opening a queue for it and informing the caller costs as much as
// reading a small file. So one claim takes several small jobs, if the ring has them, with
// one queue. A job is small by its size. A job of unknown size is treated as small if the
// last such jobs were small.

// Bounds of the ring and of a claim.
const (
	ringSize   = 1024      // jobs
	Most       = 64        // jobs in one claim
	smallBytes = 256 << 10 // largest size of a small job
	usual      = 16        // this many small jobs in a row predict that the next one is small
)

// A Hint has the properties of a job that are known before it is read.
type Hint struct {
	Size int64 // in bytes; -1 if unknown
	File bool  // it is a file: it opens without waiting, and may be cut into blocks
	More bool  // the next job follows without waiting
}

// A jobRing is a ring of jobs that no worker has claimed yet. The scheduler's mu guards all of it.
type jobRing[J any] struct {
	hint      func(*J) Hint
	wholeSize int64 // the largest size of a file that is not cut into blocks

	ring    [ringSize]J
	first   int
	n       int
	claimed int       // number of jobs that were claimed so far
	room    sync.Cond // signals that the ring has room, or that the consumer has stopped

	complete   bool // no more jobs will come
	taking     bool // a worker waits for the caller to accept its queue
	smallInRow int  // how many jobs of unknown size, up to the last one and in a row, were small
}

// exhausted reports whether all jobs are claimed.
func (l *jobRing[J]) exhausted() bool { return l.complete && l.n == 0 }

// put adds jobs, for which there is room.
func (l *jobRing[J]) put(jobs []J) {
	for i := range jobs { // at most Most
		l.ring[(l.first+l.n)%ringSize] = jobs[i]
		l.n++
	}
}

// mayCut reports whether the first job may be a file that is cut into blocks.
func (l *jobRing[J]) mayCut() bool {
	first := l.hint(&l.ring[l.first])
	return first.File && (first.Size < 0 && l.smallInRow < usual || first.Size > l.wholeSize)
}

// take removes the first job from the ring, or several small ones, and appends them to jobs,
// which is empty.
func (l *jobRing[J]) take(jobs []J, workers int) []J {
	var none J
	for most := min(Most, l.n/(2*workers)); ; {
		job := &l.ring[l.first]
		small := l.isSmall(l.hint(job))
		jobs = append(jobs, *job)
		*job = none
		l.first = (l.first + 1) % ringSize
		l.n--
		if !small || len(jobs) >= most || l.n == 0 || !l.isSmall(l.hint(&l.ring[l.first])) {
			break
		}
	}
	l.claimed += len(jobs)
	if l.n <= ringSize/2 {
		l.room.Signal()
	}
	return jobs
}

// isSmall reports whether a job is a file that is probably small.
func (l *jobRing[J]) isSmall(h Hint) bool {
	if h.Size < 0 {
		return h.File && l.smallInRow >= usual
	}
	return h.File && l.isSmallSize(h.Size)
}

// isSmallSize reports whether a file of this size is small. A file that may be cut is
// never small.
func (l *jobRing[J]) isSmallSize(size int64) bool { return size <= min(smallBytes, l.wholeSize) }

// Gather passes jobs to take. If more returns true for a job, the next one follows without waiting,
// and both are passed together. Gather ends when take returns false. take must not keep the slice.
func Gather[J any](jobs iter.Seq[J], more func(*J) bool, take func([]J) bool) {
	var bundle [Most]J
	next := bundle[:0]
	for job := range jobs {
		next = append(next, job)
		if len(next) < len(bundle) && more(&next[len(next)-1]) {
			continue
		}
		if !take(next) {
			return
		}
		next = next[:0]
	}
	if len(next) > 0 { // more promised another job, but the sequence ended
		take(next)
	}
}

// A lister is the goroutine that ranges over the jobs. If the sequence panics, the
// caller's goroutine repeats the panic.
type lister struct {
	done   bool // the sequence has returned
	closed bool // it was asked to end
	value  any  // the value of the panic that ended it
}

// repeatPanic ends the caller's goroutine the way the sequence ended its own. It does nothing if
// the caller has left the loop: one worker would not have asked the sequence for the job at which
// it panicked.
func (l *lister) repeatPanic(left bool) {
	switch {
	case l.done, left && !l.closed:
	case l.value != nil:
		panic(l.value)
	default: // the sequence called runtime.Goexit, as a failing test does
		runtime.Goexit()
	}
}
