package extract

import (
	"bufio"
	"io"
	"os"
	"sync/atomic"
)

// Decompressing side by side. A file that is many members of gzip, or frames of
// zstd, one behind the other, is cut in stretches of its stored bytes. Where the
// reader comes to a second member it asks workers that have nothing to do for the
// stretches ahead of it. Who is asked looks for the first magic number in a stretch
// and decompresses from there, to the first member that begins behind it:
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
// A helper has a ring of fixed size; when that is full it waits for the reader.
const spreadRing = 1 << 20

// jobWindow is what a helper may be told to remember, in bytes, if that is less than
// what the reader may: members that ask for more it leaves to that.
const jobWindow = 8 << 20

// spreadSize is how many stored bytes a stretch has. Only tests change it.
var spreadSize int64 = 128 << 10

// Of all jobs, for tests.
var spreadRead, spreadDropped atomic.Int64

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

	jobs []*job // that are not read, in order; at most two for each worker
	next int64  // the first stretch that nobody was asked for
	now  *job   // that is read
	free []*job
}

// set makes s ready for a file of members; it is not, if r is none that can be read
// by several.
func (s *spread) set(st *stored, a *ahead, is codec, window int64) {
	s.file = nil
	out, others := st.w.out.(*batcher)
	f, ok := st.r.(*os.File)
	if !ok || !others || is != gzipCodec && is != zstdCodec {
		return
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return
	}
	if at, err := f.Seek(0, io.SeekCurrent); err != nil || at != st.n {
		return // it was read from before
	}
	*s = spread{stored: st, ahead: a, file: f, is: is, window: window, run: out.run, free: s.free}
}

// ask asks for stretches behind the one that is read now, if some are to be had.
func (s *spread) ask() {
	if s.run.idle.Load() <= 0 { // mostly
		return
	}
	here := (s.stored.n - fileBuffer) / spreadSize
	ready := 0
	for i := 0; i < len(s.jobs); { // at most two for each worker
		switch j := s.jobs[i]; j.state() {
		case jobEmpty:
			s.jobs = append(s.jobs[:i], s.jobs[i+1:]...)
			s.free = append(s.free, j)
			continue
		case jobDone:
			ready++
		}
		i++
	}
	for len(s.jobs) < 2*s.run.x.opts.Workers { // jobs become more
		k := max(s.next, here+1)
		if ready < 2 && len(s.jobs) > 0 {
			k++ // which the reader does, that would have to wait else
		}
		if k > here+spreadFar {
			return
		}
		j := s.job()
		j.at, j.is, j.from, j.to = s.file, s.is, k*spreadSize, (k+1)*spreadSize
		j.d.window = min(s.window, jobWindow)
		j.start, j.end, j.skip, j.stored, j.written, j.read, j.done, j.void = -1, 0, 0, 0, 0, 0, false, false
		if !s.run.help(j) {
			s.free = append(s.free, j)
			return
		}
		s.jobs = append(s.jobs, j)
		s.next = k + 1
	}
}

// job returns one that is not in use.
func (s *spread) job() *job {
	if n := len(s.free); n > 0 {
		j := s.free[n-1]
		s.free = s.free[:n-1]
		return j
	}
	j := &job{ring: make([]byte, spreadRing), in: bufio.NewReaderSize(nil, fileBuffer)}
	j.moved.L = &j.mu
	return j
}

// begin is called where a member begins at the offset at. It reports whether that is
// decompressed by a job, which is the one to be read now.
func (s *spread) begin(at int64) bool {
	s.many = true
	s.ahead.given = -spreadFar * spreadSize // helpers rather have members, if these are small
	s.ask()
	for len(s.jobs) > 0 && s.jobs[0].from <= at {
		j := s.jobs[0]
		s.jobs = append(s.jobs[:0], s.jobs[1:]...)
		if j.begins(at) {
			s.now = j
			spreadRead.Add(1)
			return true
		}
		s.drop(j)
	}
	return false
}

// Read reads what the job now has, and returns io.EOF at its end.
func (s *spread) Read(p []byte) (int, error) {
	j, w := s.now, s.stored.w
	j.mu.Lock()
	if j.read == j.written && !j.done {
		j.mu.Unlock()
		w.flush()
		w.out.pause()
		j.mu.Lock()
		for j.read == j.written && !j.done {
			j.moved.Wait()
		}
		j.mu.Unlock()
		w.out.resume()
		j.mu.Lock()
	}
	at, n := j.read%spreadRing, j.written-j.read
	s.stored.count(max(s.stored.seen, j.stored))
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

// finish ends the job that is read, and goes on in what is stored where that ended.
// Of the member there, skip bytes have been read.
func (s *spread) finish() (skip int64, err error) {
	j := s.now
	s.now = nil
	s.free = append(s.free, j)
	st := s.stored
	if _, err = s.file.Seek(j.end, io.SeekStart); err != nil {
		st.err = err
		return 0, err
	}
	st.n, st.end = j.end, false
	st.count(st.n)
	return j.skip, nil
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

// drop voids j, and waits for its end, which is soon.
func (s *spread) drop(j *job) {
	spreadDropped.Add(1)
	j.mu.Lock()
	j.void = true
	j.moved.Signal()
	for !j.done {
		j.moved.Wait()
	}
	j.mu.Unlock()
	s.free = append(s.free, j)
}

// rest drops all jobs.
func (s *spread) rest() {
	if s.now != nil {
		s.jobs = append(s.jobs, s.now)
		s.now = nil
	}
	for _, j := range s.jobs {
		s.drop(j)
	}
	s.jobs, s.file = s.jobs[:0], nil
}

// close lets go of the memory.
func (s *spread) close() {
	for _, j := range s.free {
		j.d.close()
	}
	s.free = nil
}
