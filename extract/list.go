package extract

import (
	"iter"
	"sync"
)

// How sources come to the workers. One goroutine ranges over them and puts each in
// the list at once; so a walk goes on while files are read, and a source is
// claimed without waiting for the one behind it.
//
// To claim a source, open a lane for it and let the caller know costs as much as
// to read a small file. So a claim takes several of those, as far as they are in
// the list, into one lane. What is small is known of a file with a Size, and of one
// without, where a walk did not ask, if those that were opened last were.

// Bounds of the list, and of what a claim takes of it.
const (
	listed      = 1024      // sources
	bundleMost  = 64        // sources
	bundleBytes = 256 << 10 // that a file may have to be small
	lately      = 16        // files in a row that were small
)

// A list is a ring of sources that were not yet claimed. All of it is for the
// holder of run.mu.
type list struct {
	ring  [listed]Source
	first int
	n     int
	room  sync.Cond // there is some, or the run has ended

	over   bool // there will be no more
	taking bool // a worker waits until the caller takes its lane
	small  int  // files of no known size that were small, since one was not
}

// listAll puts sources in the list, until the run ends; files that a walk found
// together, all at once.
func (r *run) listAll(sources iter.Seq[Source]) {
	r.lister.each(sources, r.enlist)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list.over = true
	r.seal()
	r.more.Broadcast()
}

// gather gives sources to take, one at a time, or several that a walk found together,
// until it returns false. Take may not keep them.
func gather(sources iter.Seq[Source], take func([]Source) bool) {
	var bundle [bundleMost]Source
	some := bundle[:0]
	for src := range sources {
		some = append(some, src)
		if src.found != nil && src.found.more && len(some) < len(bundle) {
			continue // the next comes at once
		}
		if !take(some) {
			return
		}
		some = some[:0]
	}
	if len(some) > 0 { // they were to be followed by one, which somebody left out
		take(some)
	}
}

// enlist puts some in the list, when there is room. It returns false if the run has
// ended.
func (r *run) enlist(some []Source) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := &r.list
	if l.n > listed-len(some) {
		for l.n > listed/2 && !r.ended { // a turn for each time that it is told
			l.room.Wait()
		}
	}
	if r.ended {
		return false
	}
	for i := range some { // bundleMost at most
		l.ring[(l.first+l.n)%listed] = some[i]
		l.n++
	}
	if r.waiting > 0 {
		r.more.Broadcast()
	}
	return true
}

// take claims the first source in the list, or some that are small, and opens a lane
// for them. It returns false if the run has ended. mu is held, but not while there is
// no room for the lane.
func (r *run) take(out *batcher) bool {
	l := &r.list
	src := &l.ring[l.first]
	out.undecided = src.file && (src.Size < 0 && l.small < lately || src.Size > 2*r.x.unit)
	if out.undecided {
		r.undecided++
	}
	out.order = r.sources
	out.bundle = out.bundle[:0]
	for most := min(bundleMost, l.n/(2*r.x.opts.Workers)); ; {
		src := &l.ring[l.first]
		out.bundle = append(out.bundle, *src)
		more := r.isSmall(src)
		if !l.over && src.found != nil && src.found.more && len(out.bundle) < bundleMost {
			most = max(most, len(out.bundle)+1) // together they are read faster, and others will come
		}
		*src = Source{}
		l.first = (l.first + 1) % listed
		l.n--
		if !more || len(out.bundle) >= most || !r.isSmall(&l.ring[l.first]) {
			break
		}
	}
	r.sources += len(out.bundle)
	if l.n <= listed/2 {
		l.room.Signal()
	}
	r.busy++
	return r.openLane(out)
}

// isSmall reports whether src is a file, and as far as is known a small one.
func (r *run) isSmall(src *Source) bool {
	if src.Size < 0 {
		return src.file && r.list.small >= lately
	}
	return src.file && r.isSmallSize(src.Size)
}

// isSmallSize reports whether a file of that size is small: none that others could
// read too is.
func (r *run) isSmallSize(size int64) bool { return size <= min(bundleBytes, 2*r.x.unit) }

// opened is told the size of a file that had none in the list.
func (b *batcher) opened(size int64) {
	r := b.run
	if r.isSmallSize(size) {
		b.small++ // see run.done
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list.small, b.small = 0, 0
}

// openLane opens a lane for what out has claimed, in the order of claims. mu is held,
// but not while the caller is waited for.
func (r *run) openLane(out *batcher) bool {
	out.begin(r.one, nil)
	if r.one != nil {
		r.seal()
		return true
	}
	out.lane = newLane(batches)
	if len(out.bundle) > 1 {
		out.lane = newLane(batches + len(out.bundle))
		out.lane.many = true
	}
	ok := true
	select {
	case r.lanes <- out.lane:
	default:
		r.list.taking = true
		r.mu.Unlock()
		select {
		case r.lanes <- out.lane:
		case <-r.quit:
			ok = false
		}
		r.mu.Lock()
		r.list.taking = false
		r.more.Broadcast()
	}
	if !ok {
		r.busy--
		return false
	}
	r.seal()
	return true
}

// seal says that there will be no more lanes, once the last source was claimed. mu is
// held.
func (r *run) seal() {
	if l := &r.list; l.over && l.n == 0 && !l.taking {
		close(r.lanes)
	}
}
