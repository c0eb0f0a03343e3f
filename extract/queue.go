package extract

import (
	"sync"
	"sync/atomic"
)

// A queue is the jobs of one reader that nobody has begun with, in order. Helpers and
// the reader take them from its front; the reader alone puts them there.
type queue struct {
	mu      sync.Mutex
	jobs    []*job
	closed  bool
	tools   []*tool      // of helpers, that are not in use
	helpers atomic.Int32 // that take from it now
}

// fill is what a helper does: one job after another, until there are none. Then it
// looks for sources of its own.
func (q *queue) fill() {
	q.helpers.Add(1)
	defer q.helpers.Add(-1)
	with := q.tool()
	for j := q.pop(); j != nil; j = q.pop() {
		j.with = with
		for j.step(true) { // to the end of what is stored at most
		}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.tools = append(q.tools, with); q.closed {
		q.shut()
	}
}

// tool returns one that is not in use.
func (q *queue) tool() *tool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if n := len(q.tools); n > 0 {
		t := q.tools[n-1]
		q.tools = q.tools[:n-1]
		return t
	}
	return newTool()
}

// open makes q keep its tools, until close.
func (q *queue) open() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = false
}

// close lets go of the memory, now or when the last helper has gone.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.shut()
}

// shut closes the tools. mu is held.
func (q *queue) shut() {
	for _, t := range q.tools {
		t.d.close()
	}
	q.tools = nil
}

func (q *queue) push(j *job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.jobs = append(q.jobs, j)
}

// pop returns nil if there is none.
func (q *queue) pop() *job {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.jobs) == 0 {
		return nil
	}
	j := q.jobs[0]
	q.jobs = append(q.jobs[:0], q.jobs[1:]...)
	return j
}

// remove takes j out, and reports whether it was there.
func (q *queue) remove(j *job) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i := range q.jobs {
		if q.jobs[i] == j {
			q.jobs = append(q.jobs[:i], q.jobs[i+1:]...)
			return true
		}
	}
	return false
}

func (q *queue) len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.jobs)
}

// recycle lets j, which is done or was never begun, be used again.
func (s *spread) recycle(j *job) {
	if s.mine == j {
		s.mine = nil
	}
	s.free = append(s.free, j)
}

// job returns one that is not in use, or nil if the run has as many as it may have.
func (s *spread) job() *job {
	if n := len(s.free); n > 0 {
		j := s.free[n-1]
		s.free = s.free[:n-1]
		return j
	}
	if s.run.jobs.Add(1) > int64(jobsEach*s.run.x.opts.Workers) {
		s.run.jobs.Add(-1)
		return nil
	}
	j := &job{ring: make([]byte, spreadRing)}
	j.moved.L = &j.mu
	return j
}
