package extract

// How a worker comes by what it reads, and what it does while there is nothing: it
// waits, and may be asked to help another (ahead.go).

// claim returns a unit of a source that is being read, or nil for the next sources,
// for which it opens a lane. Without either it waits: others may come to units.
func (r *run) claim(out *batcher) (u *unit, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for { // a turn for each change
		if n := len(r.asked); n > 0 { // who asked waits for it
			a := r.asked[n-1]
			r.asked = r.asked[:n-1]
			r.countIdle()
			r.mu.Unlock()
			a()
			r.mu.Lock()
			continue
		}
		if r.ended || out.stop.is() {
			break
		}
		if u = r.unit(); u != nil {
			out.begin(u.lane, u)
			r.busy++
			return u, true
		}
		switch {
		case r.list.n > 0 && !r.list.taking && r.undecided == 0:
			if r.take(out) {
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
	r.more.Broadcast()
	return nil, false
}

// wait waits until something has changed, or help is asked for. mu is held.
func (r *run) wait() {
	r.waiting++
	r.countIdle()
	r.more.Wait()
	r.waiting--
	r.countIdle()
}

// countIdle counts the workers that may be asked to help: those that wait, once there
// are no more sources. Before that they could be bound to one, a slow pipe, when others
// come.
func (r *run) countIdle() {
	if r.list.over && r.list.n == 0 {
		r.idle.Store(int32(r.waiting - len(r.asked)))
	}
}

// assist asks a worker that has nothing to do to run a, and reports whether there is
// one: it will.
func (r *run) assist(a func()) bool {
	if r.idle.Load() <= 0 { // mostly
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended || r.waiting <= len(r.asked) {
		return false
	}
	r.asked = append(r.asked, a)
	r.countIdle()
	r.more.Broadcast()
	return true
}

// decided says that it is known whether others can read the source of out too. Until
// then they wait, so as not to begin with what the caller comes to much later.
func (r *run) decided(out *batcher) {
	if !out.undecided { // mostly
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.isDecided(out)
}

// isDecided is decided with mu held.
func (r *run) isDecided(out *batcher) {
	if out.undecided {
		out.undecided = false
		r.undecided--
		r.more.Broadcast()
	}
}

// done says that the worker of out has read what it claimed.
func (r *run) done(out *batcher) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.isDecided(out)
	r.list.small += out.small
	out.small = 0
	if r.busy--; r.busy == 0 {
		r.more.Broadcast()
	}
}
