package schedule

// A Share is what one worker reads of a [DividedFile]: a segment, or the beginning of the file. At
// the end of its share the worker compares its state with the state of the reader of the next
// segment. The zero Share belongs to no file.
type Share[B, E, D any] struct {
	files   *fileList[B, E, D]
	file    *DividedFile[B, E, D]
	segment *Segment[B, E, D] // nil for the beginning of the file

	// The segment's queue may come before other queues that hold this worker's batches. While the
	// segment's queue is being delivered, the worker may use reserve batches.
	committed bool // the segment is known to be committed
	current   bool // its queue is known to be the current one of the consumer
	waited    bool // the worker waited for a batch while another queue was being delivered
}

// Committed reports whether the segment is known to be committed, so that its results count.
func (h *Share[B, E, D]) Committed() bool {
	return h.segment == nil || !h.Discarded() && h.committed
}

// Discarded reports whether the segment is known to be discarded.
func (h *Share[B, E, D]) Discarded() bool {
	if h.segment == nil || h.committed {
		return false
	}
	select {
	case <-h.segment.decided:
		h.committed = h.segment.outcome == committed
		return !h.committed
	default:
		return false
	}
}

// Await waits until c is closed. It reports whether to continue: the work has not ended,
// and the current segment is not discarded. The loop runs at most twice.
func (h *Share[B, E, D]) Await(c <-chan struct{}) bool {
	var decided <-chan struct{}
	if h.segment != nil && !h.committed {
		decided = h.segment.decided
	}
	for {
		select {
		case <-c:
			return true
		case <-decided:
			if decided = nil; h.Discarded() {
				return false
			}
		case <-h.files.quit:
			return false
		}
	}
}

// Reach says that the worker has reached the split point at the offset split. It returns the
// segment that begins there, if it was claimed. Otherwise it returns nil: the worker reads that
// segment itself, and no other worker will claim it.
func (h *Share[B, E, D]) Reach(split int64) *Segment[B, E, D] {
	l, f := h.files, h.file
	if l.atSplit != nil {
		l.atSplit()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range f.claimed { // at most Ahead segments for each worker
		if s.Begin == split {
			return s
		}
	}
	f.Next = max(f.Next, int(split/f.SplitSize)+1)
	return nil
}

// Resolve returns what the worker does at the split point of s, whose Ready is closed.
// agree says that both readers have the same state there, except for numbers, which differ by shift.
// Resolve waits until the answer is known. The loop runs at most twice.
func (h *Share[B, E, D]) Resolve(s *Segment[B, E, D], agree bool, shift D) Decision {
	for {
		decision := h.files.resolve(h.segment, s, agree, shift)
		if decision != wait {
			return decision
		}
		if !h.Await(h.segment.decided) {
			return GiveUp
		}
	}
}

// Fail records that the worker did not reach the split point of its segment. It closes Ready.
func (h *Share[B, E, D]) Fail() {
	l, s := h.files, h.segment
	l.mu.Lock()
	if s.outcome == pending {
		l.discard(s)
	}
	l.mu.Unlock()
	close(s.Ready)
}

// Leave ends the worker's share. If the share is a segment, its queue is closed. atSplit says
// that the worker stopped at a split point, where a segment follows. count adds what the worker
// has read to the totals; it is called at once, later by another goroutine, or never, depending
// on whether the segment is committed.
func (h *Share[B, E, D]) Leave(atSplit bool, count func()) {
	l, f, s := h.files, h.file, h.segment
	l.mu.Lock()
	if h.waited {
		f.most = max(1, f.together/2)
	}
	f.together = min(2*f.together, f.most)
	switch {
	case s == nil || s.outcome == committed:
		count()
		if !atSplit {
			l.close(f)
		}
	case s.outcome == discarded:
		l.drop(s.queue)
	default:
		s.count, s.ended = count, true
	}
	f.readers--
	last := f.readers == 0
	l.mu.Unlock()
	if last {
		f.Close()
	}
}
