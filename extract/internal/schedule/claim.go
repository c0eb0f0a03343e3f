package schedule

// How a worker comes by what it reads, and what it does while there is nothing: it waits,
// and may be asked to assist another one.

// claim returns a segment of a file that is being read, or nil for the next jobs, for which
// it opens a queue. Without either it waits: others may come to segments. Each iteration is
// for a change.
func (r *run[J, B, E, D]) claim(o *Output[J, B, E, D]) (s *Segment[B, E, D], ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for {
		if n := len(r.asked); n > 0 { // the one who asked waits for it
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

// wait waits until something has changed, or assistance is asked for. mu is held.
func (r *run[J, B, E, D]) wait() {
	r.waiting++
	r.countIdle()
	r.changed.Wait()
	r.waiting--
	r.countIdle()
}

// countIdle counts the workers that may be asked to assist: those that wait, once there are
// no more jobs. Before that they could be bound to one, a slow pipe, when others come.
func (r *run[J, B, E, D]) countIdle() {
	if r.list.over && r.list.n == 0 {
		r.idle.Store(int32(r.waiting - len(r.asked)))
	}
}

// assist asks a worker that has nothing to do to run fill, and reports whether there is
// one: it will.
func (r *run[J, B, E, D]) assist(fill func()) bool {
	if r.idle.Load() <= 0 { // mostly
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

// Decided says that it is known whether others can read the job of o too. Until then they
// wait, so as not to begin with what the caller comes to much later.
func (o *Output[J, B, E, D]) Decided() {
	if !o.undecided { // mostly
		return
	}
	r := o.run
	r.mu.Lock()
	defer r.mu.Unlock()
	r.decided(o)
}

// decided is Decided with mu held.
func (r *run[J, B, E, D]) decided(o *Output[J, B, E, D]) {
	if o.undecided {
		o.undecided = false
		r.undecided--
		r.changed.Broadcast()
	}
}

// done says that the worker of o has done what it claimed.
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
