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
		t.close()
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

// ask shares out stretches behind the one that is read now, if somebody is there to
// help.
func (s *spread) ask() {
	if s.run.idle.Load() <= 0 && s.queue.helpers.Load() == 0 { // mostly
		return
	}
	for i := 0; i < len(s.jobs); { // at most jobsEach for each worker
		if j := s.jobs[i]; j.state() == jobEmpty {
			s.jobs = append(s.jobs[:i], s.jobs[i+1:]...)
			s.recycle(j)
			continue
		}
		i++
	}
	for s.share() { // jobs become more, which are jobsEach for each worker at most
	}
	// To wake somebody for each job costs much: as long as there are others to go on with,
	// the reader waits until there are several.
	n := s.queue.len()
	if n < jobsEach && (s.now != nil || n < len(s.jobs)) {
		return
	}
	for ; n > 0 && s.run.help(&s.queue); n-- { // at most as many as there are jobs
	}
}

// share makes a job of the stretch that comes next. It returns false if there is none,
// or no job to be had.
func (s *spread) share() bool {
	here := s.stored.n - fileBuffer
	if s.now != nil {
		here = s.now.from
	}
	size := spreadSize
	if s.of > 0 { // what comes of it is to have room in the ring
		size = min(size, max(minStretch, spreadRing*3/4/(s.text/s.of+1)))
	}
	if s.is == gzipCodec {
		s.next = max(s.next, here-here%size+size)
	}
	if s.lost || s.next > here+spreadFar*spreadSize {
		return false
	}
	j := s.job()
	if j == nil {
		return false
	}
	if s.is == gzipCodec {
		j.set(s.file, s.is, min(s.window, jobWindow), s.next, s.next+size)
		s.next += size
	} else if !s.frames(j, size) {
		s.recycle(j)
		return false
	}
	s.jobs = append(s.jobs, j)
	s.queue.push(j)
	return true
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
