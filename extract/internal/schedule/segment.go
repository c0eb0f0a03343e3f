package schedule

// How several workers read one file. A big file is cut at split points, which have fixed
// places in it. The worker that opened it, which knows how it is to be read, offers the
// segments and reads on. Another that has nothing else to do claims the next segment that
// nobody has come to, or a few as one if what is found in them has room until the caller
// comes to it, and reads from its split point on. What it cannot know is what the text in
// front of it has to say: whether a "<" is open, or a run too long. So it begins some lines
// before the split point and emits nothing: that is the warm-up. At the split point it has
// an idea of how things stand there, its edge. The reader that comes to the split point
// from the front knows:
//
//	               split 1          split 2          split 3
//	worker 1  ───────┤ = that is how it stands: it ends here, and claims segment 3
//	worker 2     ····├────────────────┤ ≠ it reads on, and what worker 3 found is discarded
//	worker 3                      ····├─ ─ ─ x
//
// Where the two agree the reader ends, and the queue of the other is put after its own;
// where not, the other's segment is discarded. So a guess that is wrong costs time, and
// never a result. A reader that comes to a split point whose segment nobody has claimed
// takes that over and reads on: one worker alone reads as if there were no segments.
//
// A segment is committed only after the segment before it: when the reader of that one is
// committed, and agreed. A reader that disagrees at a split point, and is not committed
// itself, waits for readers in front of it. One that comes to a split point waits for the
// worker that claimed the segment to be there, and that worker, in its warm-up, has nothing
// to wait for. So somebody always reads, and none waits in a circle.
//
// Numbers are counted from where a worker began. At a split point both readers know how
// many they have counted there, and the difference is added by the caller.
//
// Another way was tried: a consumer that takes segments in order, compares the end of one
// with the beginning of the next, and has that read again where they differ. On dense logs,
// where most processor time goes to what is found, it took 0.8 to 1.4 times of one worker's
// speed with two workers, this way 1.7.

// maxSpan is how many segments a claim takes at most.
const maxSpan = 8

// A File is a job that is read in segments. Its unexported fields are guarded by run.mu.
type File[B, E, D any] struct {
	Edge  E      // what each Segment.Edge is at first
	Split int64  // bytes from split point to split point: the kth is at k*Split
	Last  int    // the last segment, which ends with the file
	Next  int    // the first segment that nobody has come to; at least 1
	Order int    // of the job
	Close func() // is called by the last reader that leaves

	span    int                 // how many a claim takes, if enough are left: more each time,
	most    int                 // up to this, which is halved when a worker has to wait
	claimed []*Segment[B, E, D] // that are not yet settled, in order
	readers int
}

// A Segment is a stretch of a File, from its split point on to where its reader ends: one
// that was claimed, or a few in a row.
type Segment[B, E, D any] struct {
	File  *File[B, E, D]
	Begin int64         // the split point
	End   int64         // the split point after what was claimed; nobody else looks for one before
	Edge  E             // what its reader knows at the split point; good when Ready is closed
	Ready chan struct{} // closed by the reader when Edge is known, or will not be

	queue   *queue[B, D]
	settled chan struct{} // closed when outcome is there
	outcome outcome       // guarded by run.mu, as is the rest
	ended   bool
	then    *Segment[B, E, D] // that its reader agreed with, and ended at
	lag     int64             // how far the places that it counts lag behind those of the segment before
	base    int64             // and behind those of the file, if committed
	count   func()            // counts what it has read; of one that has ended without an outcome
}

// An outcome is what became of a segment.
type outcome uint8

const (
	pending   outcome = iota
	committed         // its results follow those of the segment before
	discarded         // it has none
)

// Settled is closed when it is known whether the segment is committed or discarded.
func (s *Segment[B, E, D]) Settled() <-chan struct{} { return s.settled }

// Base returns how many bytes the places that the reader of s counts lag behind those of
// the file, once it is committed.
func (s *Segment[B, E, D]) Base() int64 { return s.base }

// After returns the first split point after off, or -1.
func (f *File[B, E, D]) After(off int64) int64 {
	if k := off/f.Split + 1; k <= int64(f.Last) {
		return k * f.Split
	}
	return -1
}

// Offer lets others read f too. Its reader, the worker of o, is at the beginning.
func (o *Output[J, B, E, D]) Offer(f *File[B, E, D]) {
	r := o.run
	r.mu.Lock()
	f.Order, f.Next, f.span, f.most, f.readers = o.Order, max(1, f.Next), 1, maxSpan, 1
	i := len(r.files)
	for i > 0 && r.files[i-1].Order > f.Order { // as many as workers at most
		i--
	}
	r.files = append(r.files[:i], append([]*File[B, E, D]{f}, r.files[i:]...)...)
	r.changed.Broadcast()
	r.mu.Unlock()
	o.Decided()
}

// nextSegment claims the next segment of the earliest file that has one, and opens a queue
// for it; nil if there is none, or there are enough. mu is held.
func (r *run[J, B, E, D]) nextSegment() *Segment[B, E, D] {
	if r.ahead >= Ahead*r.c.Workers {
		return nil
	}
	for _, f := range r.files {
		if f.Next > f.Last {
			continue
		}
		s := &Segment[B, E, D]{File: f, Begin: int64(f.Next) * f.Split, Edge: f.Edge, Ready: make(chan struct{}), settled: make(chan struct{})}
		s.queue = newQueue[B, D](Batches + reserve)
		s.queue.turned = make(chan struct{})
		f.Next += max(1, min(f.span, (f.Last-f.Next)/(2*r.c.Workers)))
		s.End = int64(f.Next) * f.Split
		f.claimed = append(f.claimed, s)
		f.readers++
		r.ahead++
		return s
	}
	return nil
}

// Reach says that a reader of f has come to a split point. It returns the segment that
// begins there, if it was claimed; or nil, and then nobody will claim it.
func (o *Output[J, B, E, D]) Reach(f *File[B, E, D], split int64) *Segment[B, E, D] {
	r := o.run
	if r.c.AtSplit != nil {
		r.c.AtSplit()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range f.claimed { // as many as may be ahead at most
		if s.Begin == split {
			return s
		}
	}
	f.Next = max(f.Next, int(split/f.Split)+1)
	return nil
}

// A Decision is what a reader is to do at a split point.
type Decision uint8

const (
	ReadOn  Decision = iota
	EndHere          // the segment there follows
	GiveUp           // what the reader found is discarded

	wait // until one's own segment is settled
)

// Resolve says what the worker of o, a reader of f, is to do at the split point of s, which
// is Ready. agree says that the reader of s is right there if the worker is, but for places,
// which lag by lag bytes. Resolve waits until that can be said. There are two iterations at
// most.
func (o *Output[J, B, E, D]) Resolve(f *File[B, E, D], s *Segment[B, E, D], agree bool, lag int64) Decision {
	for {
		do := o.run.resolve(f, o.in.segment, s, agree, lag)
		if do != wait {
			return do
		}
		if !o.Await(o.in.segment.settled) {
			return GiveUp
		}
	}
}

// resolve is Resolve for the reader of me, nil for the one that opened f.
func (r *run[J, B, E, D]) resolve(f *File[B, E, D], me, s *Segment[B, E, D], agree bool, lag int64) Decision {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case me != nil && me.outcome == discarded:
		return GiveUp
	case s.outcome == discarded:
		return ReadOn
	case agree:
		s.lag = lag
		if me == nil {
			r.commit(s, 0)
		} else if me.then = s; me.outcome == committed {
			r.commit(s, me.base)
		}
		return EndHere
	case me != nil && me.outcome == pending:
		return wait
	}
	r.discard(s)
	return ReadOn
}

// commit commits s, with those it leads to; base is that of the segment before. mu is held.
func (r *run[J, B, E, D]) commit(s *Segment[B, E, D], base int64) {
	for ; s != nil; s = s.then { // each is settled once
		base += s.lag
		s.base = base
		r.settle(s, committed)
		if s.ended {
			s.count()
			if s.then == nil {
				r.close(s.File)
			}
		}
	}
}

// discard drops s. mu is held.
func (r *run[J, B, E, D]) discard(s *Segment[B, E, D]) {
	r.settle(s, discarded)
	r.ahead--
	if s.ended {
		r.drop(s.queue)
	}
	r.changed.Broadcast()
}

// settle sets the outcome of s. mu is held.
func (r *run[J, B, E, D]) settle(s *Segment[B, E, D], is outcome) {
	s.outcome = is
	if r.c.Outcome != nil {
		r.c.Outcome(is == committed)
	}
	close(s.settled)
	f := s.File
	for i := range f.claimed {
		if f.claimed[i] == s {
			f.claimed = append(f.claimed[:i], f.claimed[i+1:]...)
			break
		}
	}
}

// close ends the reading of f: it was read to an end that is no split point. What else was
// claimed is discarded. mu is held.
func (r *run[J, B, E, D]) close(f *File[B, E, D]) {
	f.Next = f.Last + 1
	for len(f.claimed) > 0 {
		r.discard(f.claimed[0])
	}
	for i := range r.files {
		if r.files[i] == f {
			r.files = append(r.files[:i], r.files[i+1:]...)
			break
		}
	}
}

// Fail says that the reader of the segment has not come to its split point. It closes
// Ready.
func (o *Output[J, B, E, D]) Fail() {
	r, s := o.run, o.in.segment
	r.mu.Lock()
	if s.outcome == pending {
		r.discard(s)
	}
	r.mu.Unlock()
	close(s.Ready)
}

// Leave ends the part that the worker of o had in f: its segment, whose queue has ended, or
// if it has none, the beginning. atSplit says that it ended at a split point, where a
// segment follows. count counts what it has read; it is called at once, later by another
// goroutine, or never, as the segment is committed or not.
func (o *Output[J, B, E, D]) Leave(f *File[B, E, D], atSplit bool, count func()) {
	r, s := o.run, o.in.segment
	r.mu.Lock()
	if o.in.waited {
		f.most = max(1, f.span/2)
	}
	f.span = min(2*f.span, f.most)
	switch {
	case s == nil || s.outcome == committed:
		count()
		if !atSplit {
			r.close(f)
		}
	case s.outcome == discarded:
		r.drop(s.queue)
	default:
		s.count, s.ended = count, true
	}
	f.readers--
	last := f.readers == 0
	r.mu.Unlock()
	if last {
		f.Close()
	}
}
