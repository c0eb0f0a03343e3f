package schedule

// How several workers read one file. A big file is cut at split points, which have fixed
// offsets. The worker that opened the file knows how to read it. It offers the segments
// to other workers, and reads on itself. A worker with nothing else to do claims the next
// segment that nobody has reached. It claims several adjacent segments at once, if their
// results will fit in its batches until the caller comes to them.
//
// Such a worker does not know the scanner's state at its split point: a "<" may be open
// in front of it, or a long run. So it starts reading some lines before the split point
// and emits no results there (the warm-up). At the split point it has a probable state,
// kept in Segment.State. The reader that arrives at the split point from the front has the true state:
//
//	               split 1          split 2          split 3
//	worker 1  ───────┤ = same state: it ends here, and claims segment 3
//	worker 2     ····├────────────────┤ ≠ it reads on; what worker 3 found is discarded
//	worker 3                      ····├─ ─ ─ x
//
// If the states are equal, the arriving reader ends, and the other's queue is appended to
// its own. If not, the other's segment is discarded and the arriving reader continues. So
// a wrong guess costs time but never changes a result. A reader that reaches a split
// point whose segment nobody has claimed takes that segment over. So one worker alone
// reads as if there were no segments.
//
// A segment is committed only after the segment before it, when that segment's reader
// arrives with an equal state. If the states differ, only a committed reader may discard
// the other's segment. So a reader whose own segment is not committed waits until it is
// committed or discarded, which readers in front of it decide. An arriving reader also
// waits for the end of the other's warm-up, which waits for nothing. So there is always a
// worker that makes progress, and no circle of waiting workers.
//
// Offsets and other numbers are counted from where a worker started. At a split point
// both readers know their own counts, and the consumer adds the difference.
//
// Another design was measured and rejected: the consumer took segments in order, compared
// the end of one with the beginning of the next, and had the next one read again where
// they differed. On dense logs, where most processor time is spent on results, two
// workers then reached 0.8 to 1.4 times the speed of one. With this design they reach
// 1.7.

// maxSpan is the largest number of segments in one claim.
const maxSpan = 8

// A File is a job that is read in segments. run.mu guards its unexported fields.
type File[B, E, D any] struct {
	State E      // initial value of each Segment.State
	Split int64  // bytes between split points: number k is at k*Split
	Last  int    // number of the last segment, which ends with the file
	Next  int    // the first segment that nobody has reached; at least 1
	Order int    // number of the job
	Close func() // called when the last reader leaves

	span    int                 // segments in the next claim, if so many are left; it grows with each claim
	most    int                 // upper bound of span, halved when a worker has to wait
	claimed []*Segment[B, E, D] // claimed segments whose outcome is unknown, in order
	readers int
}

// A Segment is a stretch of a File, from its split point to where its reader ends. It is
// one claimed segment, or several adjacent ones.
type Segment[B, E, D any] struct {
	File  *File[B, E, D]
	Begin int64         // the split point
	End   int64         // the split point after what was claimed; no other reader compares states before it
	State E             // the state of its reader at the split point; valid when Ready is closed
	Ready chan struct{} // closed when State is set, or will never be

	queue   *queue[B, D]
	decided chan struct{} // closed when outcome is set
	outcome outcome       // run.mu guards this and the fields below
	ended   bool
	then    *Segment[B, E, D] // the segment at whose split point its reader ended
	lag     D                 // to add to its numbers, counted in the segment before it
	base    D                 // and counted in the file; valid if committed
	count   func()            // adds its counts; set if its reader ended before the outcome was known
}

// An outcome is what happened to a segment.
type outcome uint8

const (
	pending   outcome = iota
	committed         // its results follow those of the segment before
	discarded         // its results are dropped
)

// Decided returns a channel that is closed when the outcome of s is known.
func (s *Segment[B, E, D]) Decided() <-chan struct{} { return s.decided }

// Base returns what is added to the numbers that the reader of s counts from where it
// started: the sum of the lags of s and of the segments before it. It is valid once s is
// committed.
func (s *Segment[B, E, D]) Base() D { return s.base }

// After returns the first split point after off, or -1.
func (f *File[B, E, D]) After(off int64) int64 {
	if k := off/f.Split + 1; k <= int64(f.Last) {
		return k * f.Split
	}
	return -1
}

// Offer lets other workers read f too. The worker of o is at its beginning.
func (o *Output[J, B, E, D]) Offer(f *File[B, E, D]) {
	r := o.run
	r.mu.Lock()
	f.Order, f.Next, f.span, f.most, f.readers = o.Order, max(1, f.Next), 1, maxSpan, 1
	i := len(r.files)
	for i > 0 && r.files[i-1].Order > f.Order { // at most one file for each worker
		i--
	}
	r.files = append(r.files[:i], append([]*File[B, E, D]{f}, r.files[i:]...)...)
	r.changed.Broadcast()
	r.mu.Unlock()
	o.Settled()
}

// nextSegment claims the next segment of the earliest file that has one, and opens a
// queue for it. It returns nil if there is none, or if enough are claimed. The caller
// holds mu.
func (r *run[J, B, E, D]) nextSegment() *Segment[B, E, D] {
	if r.undelivered >= Ahead*r.c.Workers {
		return nil
	}
	for _, f := range r.files {
		if f.Next > f.Last {
			continue
		}
		s := &Segment[B, E, D]{File: f, Begin: int64(f.Next) * f.Split, State: f.State, Ready: make(chan struct{}), decided: make(chan struct{})}
		s.queue = newQueue[B, D](Batches + reserve)
		s.queue.turned = make(chan struct{})
		f.Next += max(1, min(f.span, (f.Last-f.Next)/(2*r.c.Workers)))
		s.End = int64(f.Next) * f.Split
		f.claimed = append(f.claimed, s)
		f.readers++
		r.undelivered++
		return s
	}
	return nil
}

// Reach says that a reader of f has reached a split point. It returns the segment that
// begins there, if it was claimed. If it returns nil, nobody will claim it.
func (o *Output[J, B, E, D]) Reach(f *File[B, E, D], split int64) *Segment[B, E, D] {
	r := o.run
	if r.c.AtSplit != nil {
		r.c.AtSplit()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range f.claimed { // at most Ahead segments for each worker
		if s.Begin == split {
			return s
		}
	}
	f.Next = max(f.Next, int(split/f.Split)+1)
	return nil
}

// A Decision is what a reader does at a split point.
type Decision uint8

const (
	ReadOn  Decision = iota
	EndHere          // the segment there follows
	GiveUp           // the reader's own segment is discarded

	wait // until the outcome of the own segment is known
)

// Resolve returns what the worker of o, a reader of f, does at the split point of s,
// whose Ready is closed. agree says that both readers have the same state there, but for
// numbers, which differ by lag. Resolve waits until the answer is known. The loop
// runs at most twice.
func (o *Output[J, B, E, D]) Resolve(f *File[B, E, D], s *Segment[B, E, D], agree bool, lag D) Decision {
	for {
		do := o.run.resolve(f, o.in.segment, s, agree, lag)
		if do != wait {
			return do
		}
		if !o.Await(o.in.segment.decided) {
			return GiveUp
		}
	}
}

// resolve does this for the reader of me; me is nil for the reader that opened f.
func (r *run[J, B, E, D]) resolve(f *File[B, E, D], me, s *Segment[B, E, D], agree bool, lag D) Decision {
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
			var none D
			r.commit(s, none)
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

// commit commits s and the segments that follow from it. base is that of the segment
// before. The caller holds mu.
func (r *run[J, B, E, D]) commit(s *Segment[B, E, D], base D) {
	for ; s != nil; s = s.then { // once for each segment
		base = r.c.Add(base, s.lag)
		s.base = base
		r.setOutcome(s, committed)
		if s.ended {
			s.count()
			if s.then == nil {
				r.close(s.File)
			}
		}
	}
}

// discard drops s. The caller holds mu.
func (r *run[J, B, E, D]) discard(s *Segment[B, E, D]) {
	r.setOutcome(s, discarded)
	r.undelivered--
	if s.ended {
		r.drop(s.queue)
	}
	r.changed.Broadcast()
}

// setOutcome sets the outcome of s. The caller holds mu.
func (r *run[J, B, E, D]) setOutcome(s *Segment[B, E, D], is outcome) {
	s.outcome = is
	if r.c.Outcome != nil {
		r.c.Outcome(is == committed)
	}
	close(s.decided)
	f := s.File
	for i := range f.claimed {
		if f.claimed[i] == s {
			f.claimed = append(f.claimed[:i], f.claimed[i+1:]...)
			break
		}
	}
}

// close ends the reading of f, when it was read to an end that is not a split point. The
// other claimed segments are discarded. The caller holds mu.
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

// Fail says that the reader of the segment did not reach its split point. It closes
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

// Leave ends the work of o's worker on f: on its segment, whose queue is closed, or else
// on the beginning of f. atSplit says that it ended at a split point, where a segment
// follows. count adds what it has read to the totals; it is called at once, later by
// another goroutine, or never, depending on whether the segment is committed.
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
