package schedule

// Several workers can read one file. A big file is cut at split points, which have fixed
// offsets. The worker that opened the file knows how to read it. It offers the segments to
// other workers, and continues to read. An idle worker claims the next segment that no reader
// has reached. It claims several adjacent segments at once, if their results will fit in its
// batches until the caller comes to them.
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
// a wrong guess costs time but never changes a result. A reader that reaches a split point whose
// segment is not claimed takes that segment over. So one worker alone reads as if there were no
// segments.
//
// A segment is committed when two things are true: the reader of the segment before it has
// arrived with an equal state, and that segment is committed. The reader of the beginning of the
// file counts as committed. If the states differ, the segment is discarded. Only a committed
// reader may do that, because the state of any other reader may be wrong itself. So a reader
// that meets a different state, and is not committed, waits until its own segment is committed
// or discarded. The readers of earlier segments decide that. An arriving reader also waits for
// the end of the other reader's warm-up, which waits for nothing. So some worker always makes
// progress, and there is no deadlock.
//
// Offsets and other numbers are counted from where a worker started. At a split point each of the
// two readers knows its own counts, and the consumer adds the difference. A shift is what is
// added to the numbers of a segment to make them relative to the segment before; a delta
// makes them relative to the beginning of the file. So a delta is a sum of shifts.
//
// Another design was measured and rejected: the consumer took segments in order, compared
// the end of one with the beginning of the next, and had the next one read again where
// they differed. On dense logs, where most processor time is spent on results, two
// workers then reached 0.8 to 1.4 times the speed of one. With this design they reach
// 1.7.

// maxTogether is the largest number of segments in one claim.
const maxTogether = 8

// A DividedFile is a job that is read in segments. The scheduler's mu guards its unexported fields.
type DividedFile[B, E, D any] struct {
	State     E      // initial value of each Segment.State
	SplitSize int64  // bytes between split points: number k is at k*SplitSize
	Last      int    // number of the last segment, which ends with the file
	Next      int    // number of the first segment that is not claimed and that no reader has reached; at least 1
	Order     int    // number of the job
	Close     func() // called when the last reader leaves

	together int                 // segments in the next claim, or fewer at the end; it grows with each claim
	most     int                 // upper bound of together, halved when a worker has to wait
	claimed  []*Segment[B, E, D] // claimed segments whose outcome is unknown, in order
	readers  int                 // workers that read the file
}

// A Segment is a stretch of a DividedFile, from its split point to where its reader ends. It is
// one claimed segment, or several adjacent ones.
type Segment[B, E, D any] struct {
	File  *DividedFile[B, E, D]
	Begin int64         // the split point
	End   int64         // the split point at the end of the claim; no other reader compares states before it
	State E             // the state of its reader at the split point; valid when Ready is closed
	Ready chan struct{} // closed when State is set, or will never be

	order int               // of a block: the number of its job
	from  *handed           // of a block: of the worker that has handed it out
	cut   *CutFile[B, E, D] // of a block that was not handed out

	queue   *queue[B, D]
	decided chan struct{}     // closed when outcome is set
	outcome outcome           // the scheduler's mu guards this and the fields below
	ended   bool              // its reader ended before the outcome was known
	next    *Segment[B, E, D] // the segment at whose split point its reader ended
	shift   D                 // to the segment before it; see the top of this file
	delta   D                 // to the beginning of the file; valid if committed
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

// Delta returns what is added to the numbers that the reader of s counts from where it
// started: the sum of the shifts of s and of the segments before it. It is valid once s is
// committed.
func (s *Segment[B, E, D]) Delta() D { return s.delta }

// After returns the offset of the first split point after the offset off, or -1 if there is none.
func (f *DividedFile[B, E, D]) After(off int64) int64 {
	if k := off/f.SplitSize + 1; k <= int64(f.Last) {
		return k * f.SplitSize
	}
	return -1
}

// A Decision is what a reader does at a split point.
type Decision uint8

const (
	ReadOn  Decision = iota // the reader continues, past the split point
	EndHere                 // the reader ends, and the segment that begins there follows
	GiveUp                  // the reader's own segment is discarded

	wait // wait until the outcome of the reader's own segment is known
)
