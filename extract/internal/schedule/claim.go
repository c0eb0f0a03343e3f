package schedule

// How a worker gets work, and how it waits when there is none. A waiting worker may be
// asked to assist another one.

// claim returns a segment of a file that others are reading. If it returns nil, the
// worker reads jobs: o holds the next ones, and a queue is open for them. While there is
// neither, it waits, because files may be divided later. The loop runs once for each
// change it is woken for.
func (r *run[J, B, E, D]) claim(o *Output[J, B, E, D]) (s *Segment[B, E, D], ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for {
		if n := len(r.asked); n > 0 { // the worker that asked is waiting for it
			fill := r.asked[n-1]
			r.asked = r.asked[:n-1]
			r.countIdle()
			r.mu.Unlock()
			fill()
			r.mu.Lock()
			continue
		}
		if r.ended || o.Stop.Is() {
			break
		}
		if s = r.nextSegment(); s != nil {
			o.begin(s.queue, s)
			r.busy++
			return s, true
		}
		switch {
		case r.list.n > 0 && !r.list.taking && r.undecided == 0:
			if r.take(o) {
				return nil, true
			}
			continue
		case r.list.over && r.list.n == 0 && r.busy == 0:
		default:
			r.wait()
			continue
		}
		break
	}
	if r.left--; r.left == 0 && r.one != nil {
		close(r.one.out)
	}
	r.changed.Broadcast()
	return nil, false
}

// wait waits until something has changed, or another worker asks for assistance. The
// caller holds mu.
func (r *run[J, B, E, D]) wait() {
	r.waiting++
	r.countIdle()
	r.changed.Wait()
	r.waiting--
	r.countIdle()
}

// countIdle counts the workers that can be asked to assist: those that wait, once there
// are no more jobs. Earlier, an assistant could be stuck with one slow job (a pipe) while
// new jobs arrive.
func (r *run[J, B, E, D]) countIdle() {
	if r.list.over && r.list.n == 0 {
		r.idle.Store(int32(r.waiting - len(r.asked)))
	}
}

// assist asks an idle worker to run fill. It reports whether there is one; if so, fill
// will be run.
func (r *run[J, B, E, D]) assist(fill func()) bool {
	if r.idle.Load() <= 0 { // the usual case
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended || r.waiting <= len(r.asked) {
		return false
	}
	r.asked = append(r.asked, fill)
	r.countIdle()
	r.changed.Broadcast()
	return true
}

// Settled says that the worker knows whether its job can be divided. Until then other
// workers wait, so that they do not start on jobs that the caller needs much later.
func (o *Output[J, B, E, D]) Settled() {
	if !o.unsettled { // the usual case
		return
	}
	r := o.run
	r.mu.Lock()
	defer r.mu.Unlock()
	r.decided(o)
}

// decided does the same for a caller that holds mu.
func (r *run[J, B, E, D]) decided(o *Output[J, B, E, D]) {
	if o.unsettled {
		o.unsettled = false
		r.undecided--
		r.changed.Broadcast()
	}
}

// done says that the worker of o has finished what it claimed.
func (r *run[J, B, E, D]) done(o *Output[J, B, E, D]) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.decided(o)
	r.list.small += o.small
	o.small = 0
	if r.busy--; r.busy == 0 {
		r.changed.Broadcast()
	}
}
