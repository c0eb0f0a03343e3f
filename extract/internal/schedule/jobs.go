package schedule

import (
	"iter"
	"runtime"
	"sync"
)

// How workers get their jobs. One goroutine ranges over the jobs and puts each in the
// list at once. So finding jobs continues while workers read, and a worker can claim a
// job before the next one is known.
//
// Claiming a job, opening a queue for it and informing the caller costs as much as
// reading a small file. So one claim takes several small jobs, if the list has them, with
// one queue. A job is small by its size. A job of unknown size is treated as small if the
// last such jobs were small.

// Bounds of the list and of a claim.
const (
	listed     = 1024      // jobs
	Most       = 64        // jobs in one claim
	smallBytes = 256 << 10 // largest size of a small job
	lately     = 16        // this many small jobs in a row predict that the next one is small
)

// A Hint is what is known of a job before it is read.
type Hint struct {
	Size int64 // in bytes; -1 if unknown
	File bool  // it is a file: it opens without waiting, and may be divided
	More bool  // the next job follows without waiting
}

// A list is a ring of jobs that nobody has claimed yet. run.mu guards all of it.
type list[J any] struct {
	ring  [listed]J
	first int
	n     int
	room  sync.Cond // signals that the list has room, or that the run has ended

	over   bool // no more jobs will come
	taking bool // a worker waits for the caller to accept its queue
	small  int  // the last jobs of unknown size, in a row, that were small
}

// Gather passes jobs to take. Jobs that follow each other without waiting, as more says,
// are passed together. Gather ends when take returns false. take must not keep the slice.
func Gather[J any](jobs iter.Seq[J], more func(*J) bool, take func([]J) bool) {
	var bundle [Most]J
	some := bundle[:0]
	for job := range jobs {
		some = append(some, job)
		if len(some) < len(bundle) && more(&some[len(some)-1]) {
			continue
		}
		if !take(some) {
			return
		}
		some = some[:0]
	}
	if len(some) > 0 { // more promised another job, but the sequence ended
		take(some)
	}
}

// A lister is the goroutine that ranges over the jobs. If the sequence panics, the
// caller's goroutine repeats the panic.
type lister struct {
	done   bool // the sequence has returned
	closed bool // it was asked to end
	value  any  // the value of the panic that ended it
}

// passOn ends the caller's goroutine the way the sequence ended its own. A caller that
// has left the loop is not affected: with one worker it would not have read so far.
func (l *lister) passOn(left bool) {
	switch {
	case l.done, left && !l.closed:
	case l.value != nil:
		panic(l.value)
	default: // runtime.Goexit: a test failed
		runtime.Goexit()
	}
}

// listAll puts jobs in the list until the run ends.
func (r *run[J, B, E, D]) listAll(jobs iter.Seq[J]) {
	func() {
		l := &r.lister
		defer func() {
			if !l.done {
				l.value = recover()
			}
		}()
		more := func(job *J) bool { return r.c.Hint(job).More }
		Gather(jobs, more, func(some []J) bool {
			l.closed = !r.enlist(some)
			return !l.closed
		})
		l.done = true
	}()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list.over = true
	r.seal()
	r.changed.Broadcast()
}

// enlist puts some in the list when there is room. It returns false if the run has ended.
func (r *run[J, B, E, D]) enlist(some []J) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := &r.list
	if l.n > listed-len(some) {
		for l.n > listed/2 && !r.ended { // one iteration for each wake-up
			l.room.Wait()
		}
	}
	if r.ended {
		return false
	}
	for i := range some { // at most Most
		l.ring[(l.first+l.n)%listed] = some[i]
		l.n++
	}
	if r.waiting > 0 {
		r.changed.Broadcast()
	}
	return true
}

// take claims the first job in the list, or several small ones, and opens a queue for
// them. It returns false if the run has ended. The caller holds mu; take releases it
// while it waits for room for the queue.
func (r *run[J, B, E, D]) take(o *Output[J, B, E, D]) bool {
	l := &r.list
	first := r.c.Hint(&l.ring[l.first])
	o.unsettled = first.File && (first.Size < 0 && l.small < lately || first.Size > 2*r.c.SplitSize)
	if o.unsettled {
		r.undecided++
	}
	o.Order = r.claimed
	o.jobs = o.jobs[:0]
	var none J
	for most := min(Most, l.n/(2*r.c.Workers)); ; {
		job := &l.ring[l.first]
		hint := r.c.Hint(job)
		o.jobs = append(o.jobs, *job)
		if !l.over && hint.More && len(o.jobs) < Most {
			most = max(most, len(o.jobs)+1) // together they are read faster, and more will follow
		}
		*job = none
		l.first = (l.first + 1) % listed
		l.n--
		if !r.isSmall(hint) || len(o.jobs) >= most || l.n == 0 || !r.isSmall(r.c.Hint(&l.ring[l.first])) {
			break
		}
	}
	r.claimed += len(o.jobs)
	if l.n <= listed/2 {
		l.room.Signal()
	}
	r.busy++
	return r.openQueue(o)
}

// isSmall reports whether a job is a file that is small, as far as is known.
func (r *run[J, B, E, D]) isSmall(h Hint) bool {
	if h.Size < 0 {
		return h.File && r.list.small >= lately
	}
	return h.File && r.isSmallSize(h.Size)
}

// isSmallSize reports whether a file of this size is small. A file that can be divided is
// not.
func (r *run[J, B, E, D]) isSmallSize(size int64) bool {
	return size <= min(smallBytes, 2*r.c.SplitSize)
}

// Opened reports the size of a file whose size was unknown when it was claimed.
func (o *Output[J, B, E, D]) Opened(size int64) {
	r := o.run
	if r.isSmallSize(size) {
		o.small++ // see run.done
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list.small, o.small = 0, 0
}

// openQueue opens a queue for the jobs that o has claimed, in the order of claims. The
// caller holds mu; openQueue releases it while it waits for the consumer.
func (r *run[J, B, E, D]) openQueue(o *Output[J, B, E, D]) bool {
	if r.one != nil {
		o.begin(r.one, nil)
		r.seal()
		return true
	}
	q := newQueue[B, D](Batches)
	if len(o.jobs) > 1 {
		q = newQueue[B, D](Batches + len(o.jobs))
		q.many = true
	}
	o.begin(q, nil)
	ok := true
	select {
	case r.queues <- q:
	default:
		r.list.taking = true
		r.mu.Unlock()
		select {
		case r.queues <- q:
		case <-r.quit:
			ok = false
		}
		r.mu.Lock()
		r.list.taking = false
		r.changed.Broadcast()
	}
	if !ok {
		r.busy--
		return false
	}
	r.seal()
	return true
}

// seal closes the sequence of queues once the last job is claimed. The caller holds mu.
func (r *run[J, B, E, D]) seal() {
	if l := &r.list; l.over && l.n == 0 && !l.taking {
		close(r.queues)
	}
}
