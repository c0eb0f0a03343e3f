package schedule

import (
	"iter"
	"runtime"
	"sync"
)

// How jobs come to the workers. One goroutine ranges over them and puts each in the list
// at once; so finding jobs goes on while others are done, and a job is claimed without
// waiting for the one after it.
//
// To claim a job, open a queue for it and let the caller know costs as much as to read a
// small file. So a claim takes several small ones, as far as they are in the list, into
// one queue. Whether a job is small is known by its size, and of one whose size is not
// known, if those that were done last were small.

// Bounds of the list, and of what a claim takes of it.
const (
	listed     = 1024      // jobs
	Most       = 64        // jobs of a claim
	smallBytes = 256 << 10 // that a job may have to be small
	lately     = 16        // jobs in a row that were small
)

// A Hint says what is known of a job before it is done.
type Hint struct {
	Size int64 // in bytes; -1 if it is not known
	File bool  // it is a file, which opens at once and may be divided
	More bool  // another job follows at once
}

// A list is a ring of jobs that were not yet claimed. All of it is for the holder of
// run.mu.
type list[J any] struct {
	ring  [listed]J
	first int
	n     int
	room  sync.Cond // there is some, or the run has ended

	over   bool // there will be no more
	taking bool // a worker waits until the caller takes its queue
	small  int  // jobs of unknown size that were small, since one was not
}

// Gather gives jobs to take, one at a time, or several that follow at once as more says,
// until take returns false. Take may not keep the slice.
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
	if len(some) > 0 { // the one that was to follow was left out by somebody
		take(some)
	}
}

// A lister is the goroutine that ranges over jobs. If the sequence panics, the panic goes
// on in the caller's goroutine.
type lister struct {
	done   bool // the sequence has returned
	closed bool // it was told to end
	value  any  // of the panic that ended it
}

// passOn ends the caller's goroutine as the sequence ended its own. A caller that left the
// loop before has no part in what was ahead of it, as with one worker.
func (l *lister) passOn(left bool) {
	switch {
	case l.done, left && !l.closed:
	case l.value != nil:
		panic(l.value)
	default: // a test that failed
		runtime.Goexit()
	}
}

// listAll puts jobs in the list, until the run ends.
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

// enlist puts some in the list, when there is room. It returns false if the run has ended.
func (r *run[J, B, E, D]) enlist(some []J) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := &r.list
	if l.n > listed-len(some) {
		for l.n > listed/2 && !r.ended { // an iteration for each time that it is woken
			l.room.Wait()
		}
	}
	if r.ended {
		return false
	}
	for i := range some { // Most at most
		l.ring[(l.first+l.n)%listed] = some[i]
		l.n++
	}
	if r.waiting > 0 {
		r.changed.Broadcast()
	}
	return true
}

// take claims the first job in the list, or some that are small, and opens a queue for
// them. It returns false if the run has ended. mu is held, but not while there is no room
// for the queue.
func (r *run[J, B, E, D]) take(o *Output[J, B, E, D]) bool {
	l := &r.list
	first := r.c.Hint(&l.ring[l.first])
	o.undecided = first.File && (first.Size < 0 && l.small < lately || first.Size > 2*r.c.SplitSize)
	if o.undecided {
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
			most = max(most, len(o.jobs)+1) // together they are read faster, and others will come
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

// isSmall reports whether a job is a file, and as far as is known a small one.
func (r *run[J, B, E, D]) isSmall(h Hint) bool {
	if h.Size < 0 {
		return h.File && r.list.small >= lately
	}
	return h.File && r.isSmallSize(h.Size)
}

// isSmallSize reports whether a file of that size is small: one that others can read too
// is not.
func (r *run[J, B, E, D]) isSmallSize(size int64) bool {
	return size <= min(smallBytes, 2*r.c.SplitSize)
}

// Opened says how big a file is whose size was not known in the list.
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

// openQueue opens a queue for what o has claimed, in the order of claims. mu is held, but
// not while the caller is waited for.
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

// seal says that there will be no more queues, once the last job was claimed. mu is held.
func (r *run[J, B, E, D]) seal() {
	if l := &r.list; l.over && l.n == 0 && !l.taking {
		close(r.queues)
	}
}
