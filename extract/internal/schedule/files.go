package schedule

import "sync"

// A fileList holds the files with segments left to claim, and decides the outcomes of segments.
// The scheduler's mu guards it. A caller of its methods holds mu, except for resolve, which locks
// mu itself.
type fileList[B, E, D any] struct {
	mu      *sync.Mutex
	changed *sync.Cond    // signals that a segment can be claimed
	quit    chan struct{} // closed when the consumer has stopped

	workers int
	add     func(D, D) D
	drop    func(*queue[B, D])   // empties the queue of a discarded segment
	atSplit func()               // see Config
	outcome func(committed bool) // see Config

	files       []*DividedFile[B, E, D] // in the order of their jobs
	undelivered int                     // segments that are claimed but not fully delivered
}

// put adds f, which one worker reads from its beginning.
func (l *fileList[B, E, D]) put(f *DividedFile[B, E, D]) {
	f.Next, f.together, f.most, f.readers = max(1, f.Next), 1, maxTogether, 1
	i := len(l.files)
	for i > 0 && l.files[i-1].Order > f.Order { // at most one file for each worker
		i--
	}
	l.files = append(l.files[:i], append([]*DividedFile[B, E, D]{f}, l.files[i:]...)...)
	l.changed.Broadcast()
}

func (l *fileList[B, E, D]) remove(f *DividedFile[B, E, D]) {
	for i := range l.files {
		if l.files[i] == f {
			l.files = append(l.files[:i], l.files[i+1:]...)
			break
		}
	}
}

// claim claims the next segment of the earliest file that has one, and opens a queue for that
// segment. It returns nil if there is no such segment, or if enough are claimed. delivered is
// called when all results of the segment are delivered.
func (l *fileList[B, E, D]) claim(delivered func()) *Segment[B, E, D] {
	if l.undelivered >= Ahead*l.workers {
		return nil
	}
	for _, f := range l.files {
		if f.Next > f.Last {
			continue
		}
		s := &Segment[B, E, D]{File: f, Begin: int64(f.Next) * f.SplitSize, State: f.State, Ready: make(chan struct{}), decided: make(chan struct{})}
		s.queue = newQueue[B, D](Batches + reserve)
		s.queue.becameCurrent, s.queue.delivered = make(chan struct{}), delivered
		f.Next += max(1, min(f.together, (f.Last-f.Next)/(2*l.workers)))
		s.End = int64(f.Next) * f.SplitSize
		f.claimed = append(f.claimed, s)
		f.readers++
		l.undelivered++
		return s
	}
	return nil
}

// resolve returns what the reader of the segment me does at the split point where s begins. me is
// nil for the reader of the beginning of the file. See [Share.Resolve].
func (l *fileList[B, E, D]) resolve(me, s *Segment[B, E, D], agree bool, shift D) Decision {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case me != nil && me.outcome == discarded:
		return GiveUp
	case s.outcome == discarded:
		return ReadOn
	case agree:
		s.shift = shift
		if me == nil {
			var none D
			l.commit(s, none)
		} else if me.next = s; me.outcome == committed {
			l.commit(s, me.delta)
		}
		return EndHere
	case me != nil && me.outcome == pending:
		return wait
	}
	l.discard(s)
	return ReadOn
}

// commit commits s, then the segment that follows s if that is known, and so on. delta is the
// delta of the segment before s.
func (l *fileList[B, E, D]) commit(s *Segment[B, E, D], delta D) {
	for ; s != nil; s = s.next { // once for each segment
		delta = l.add(delta, s.shift)
		s.delta = delta
		l.decide(s, committed)
		if s.ended {
			s.count()
			if s.next == nil {
				l.close(s.File)
			}
		}
	}
}

// discard decides that the results of s do not count. If the reader of s has ended, discard empties
// the queue of s. Otherwise the reader empties it when it leaves.
func (l *fileList[B, E, D]) discard(s *Segment[B, E, D]) {
	l.decide(s, discarded)
	l.undelivered--
	if s.ended {
		l.drop(s.queue)
	}
	l.changed.Broadcast()
}

// decide sets the outcome of s.
func (l *fileList[B, E, D]) decide(s *Segment[B, E, D], is outcome) {
	s.outcome = is
	if l.outcome != nil {
		l.outcome(is == committed)
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

// close ends the reading of f after a reader has ended without reaching another segment, for
// instance at the end of the file. All other claimed segments are discarded.
func (l *fileList[B, E, D]) close(f *DividedFile[B, E, D]) {
	f.Next = f.Last + 1
	for len(f.claimed) > 0 {
		l.discard(f.claimed[0])
	}
	l.remove(f)
}
