package extract

import (
	"io"
	"os"
	"sync/atomic"
)

// Decompressing side by side. A file that is many members of gzip, or frames of
// zstd, one behind the other, is cut in stretches of its stored bytes. Where the
// reader comes to a second member it asks workers that have nothing to do for the
// stretches ahead of it. Who is asked looks for the first magic number of gzip in a
// stretch and decompresses from there, to the first member that begins behind it; frames
// of zstd need not be looked for (frames.go):
//
//	reader   ├─ member ─┼─ member ─┼─ member ─┤= takes what is there ┼─ reads on
//	helper   . . . . . . . . . . . . . . . . .├─ member ─┼─ member ─┤
//
// Whether a member begins there only the reader knows, when it comes to the place:
// then what the helper has is what would come of it. If it passes the place, what the
// helper has is dropped. So a magic number by chance costs time, and never a result.
// A helper that meets trouble stops, and the reader goes over the member once more
// and meets it in its place. All that follows is decided by the raw stream, which is
// the same.
//
// A job has a ring of fixed size; a helper waits for the reader when that is full.
const spreadRing = 1<<20 + 1<<17

// jobWindow is what a helper may be told to remember, in bytes, if that is less than
// what the reader may: members that ask for more it leaves to that.
const jobWindow = 8 << 20

// spreadSize is how many stored bytes a stretch has at most, and minStretch at least
// where little would fill a ring. Only tests change the first.
var spreadSize int64 = 128 << 10

const minStretch = 4 << 10

// Of all jobs, for tests.
var spreadRead, spreadDropped atomic.Int64

// jobsEach is how many jobs there may be for each worker of a run.
const jobsEach = 3

// spreadFar is how many stretches ahead helpers may be. Where members are longer they
// cannot help with them, but read ahead in one.
const spreadFar = 16

// A spread is of one reader, and of one file that is members of a kind.
type spread struct {
	stored *stored
	file   *os.File
	is     codec
	window int64
	run    *run

	ahead *ahead
	many  bool // there is more than one member

	jobs  []*job // that are not read yet, in order; at most jobsEach for each worker
	queue queue  // those of them that nobody has begun with
	next  int64  // up to where there were jobs, or the reader was
	walk  walk   // of frames of zstd
	lost  bool   // there is no frame at next, or no end of it to be found
	long  bool   // frames do not fit in a ring
	text  int64  // bytes that came of jobs, of so many
	of    int64  // stored
	now   *job   // that is read
	mine  *job   // that the reader itself has begun with; or nil
	tool  *tool  // for that
	free  []*job
}

// set makes s ready for a file of members; it is not, if r is none that can be read
// by several.
func (s *spread) set(st *stored, a *ahead, is codec, window int64) {
	s.file = nil
	out, others := st.w.out.(*batcher)
	if !others || is != gzipCodec && is != zstdCodec || !isRegular(st.r) {
		return
	}
	f := st.r.(*os.File)
	if at, err := f.Seek(0, io.SeekCurrent); err != nil || at != st.n {
		return // it was read from before
	}
	s.stored, s.ahead, s.file, s.is, s.window, s.run = st, a, f, is, window, out.run
	s.many, s.next, s.lost, s.long, s.text, s.of = false, 0, false, false, 0, 0
	s.walk.reset(f)
	s.queue.open()
}

// begin is called where a member begins at the offset at. It reports whether that is
// decompressed by a job, which is the one to be read now.
func (s *spread) begin(at int64) bool {
	s.many = true
	s.ahead.given = -spreadFar * spreadSize // helpers rather have members, if these are small
	s.passed(at)
	s.ask()
	for len(s.jobs) > 0 && s.jobs[0].from <= at { // a job each
		j := s.jobs[0]
		s.jobs = append(s.jobs[:0], s.jobs[1:]...)
		switch {
		case s.queue.remove(j): // nobody has begun with it
			s.recycle(j)
		case j.begins(at):
			s.now = j
			spreadRead.Add(1)
			return true
		default:
			s.drop(j)
		}
	}
	return false
}

// Read reads what the job now has, and returns io.EOF at its end.
func (s *spread) Read(p []byte) (int, error) {
	j := s.now
	if s.ask(); !j.ready() {
		s.meanwhile(j)
	}
	j.mu.Lock()
	at, n := j.read%spreadRing, j.written-j.read
	s.stored.n = max(s.stored.seen, j.stored)
	s.stored.count(s.stored.n)
	j.mu.Unlock()
	if n == 0 {
		return 0, io.EOF
	}
	k := copy(p, j.ring[at:min(at+n, spreadRing)])
	j.mu.Lock()
	j.read += int64(k)
	j.moved.Signal()
	j.mu.Unlock()
	return k, nil
}

// meanwhile returns when there is something to be read of j, or it is done. Where a
// helper is at it the reader does what would be done next, rather than wait.
func (s *spread) meanwhile(j *job) {
	for !j.ready() { // each turn reads, or waits
		if s.mine != j {
			if s.mine == nil {
				if s.mine = s.queue.pop(); s.mine == nil {
					s.wait(j)
					return
				}
				if s.tool == nil {
					s.tool = newTool()
				}
				s.mine.with = s.tool
			}
		}
		switch m := s.mine; {
		case m.step(false):
		case m.state() != jobOpen:
			s.mine = nil
			s.ask()
		case m != j: // its ring is full
			s.wait(j)
			return
		}
	}
}

// wait waits until there is something to be read of j, or it is done, as before a
// Read of what is stored.
func (s *spread) wait(j *job) {
	w := s.stored.w
	w.flush()
	w.out.pause()
	j.mu.Lock()
	for j.read == j.written && !j.done {
		j.moved.Wait()
	}
	j.mu.Unlock()
	w.out.resume()
}

// finish ends the job that is read, and goes on with another where that ended, or in what
// is stored. Of the member there, skip bytes have been read.
func (s *spread) finish() (skip int64, err error) {
	j := s.now
	s.now = nil
	s.long = s.long || j.long
	s.text += j.written
	s.of += j.end - j.start
	end, skip := j.end, j.skip
	s.recycle(j)
	st := s.stored
	st.n, st.end, st.sought = end, false, true
	st.count(end)
	st.w.flush()
	if skip == 0 && s.begin(end) {
		return 0, nil
	}
	if _, err = s.file.Seek(end, io.SeekStart); err != nil {
		st.err = err
		return 0, err
	}
	return skip, nil
}

// look asks for help with what is ahead, where there may be some.
func (s *spread) look() {
	if s.can() && s.many && s.stored.ahead == nil {
		s.ask()
	}
}

// can reports whether there may be helpers.
func (s *spread) can() bool { return s != nil && s.file != nil }

// reads reports whether what a helper has is to be read.
func (s *spread) reads() bool { return s != nil && s.now != nil }

// errBack is what a helper that reads ahead ends with where a second member begins.
// Nobody sees it.
var errBack = plainError("members are shared out")

// drop voids j, which was begun, and waits for its end, which is soon.
func (s *spread) drop(j *job) {
	spreadDropped.Add(1)
	j.mu.Lock()
	j.void = true
	j.moved.Signal()
	if s.mine != j {
		for !j.done {
			j.moved.Wait()
		}
	}
	done := j.done
	j.mu.Unlock()
	if !done {
		j.finish(0, 0)
	}
	s.recycle(j)
}

// rest drops all jobs.
func (s *spread) rest() {
	if s.now != nil {
		s.jobs = append(s.jobs, s.now)
		s.now = nil
	}
	for _, j := range s.jobs {
		if s.queue.remove(j) {
			s.recycle(j)
		} else {
			s.drop(j)
		}
	}
	if s.run != nil {
		s.run.jobs.Add(-int64(len(s.free)))
	}
	s.jobs, s.free, s.file, s.run = s.jobs[:0], nil, nil, nil
	s.walk.reset(nil)
}

// close lets go of the memory. Nobody helps any more.
func (s *spread) close() {
	if s.tool != nil {
		s.tool.close()
	}
	s.queue.close()
	s.tool = nil
}
