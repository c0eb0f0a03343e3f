//go:build unix

package extract

import (
	"errors"
	"io"
	"sync"
	"syscall"

	"github.com/urlsift/urlsift/extract/internal/schedule"
)

// To go back and forth between the system, which opens and reads a file, and the work
// on what was in it makes both slower than they are: neither finds in the caches what
// it left there. So a worker opens, reads and closes several small files of those that
// it has claimed, and then looks into them one by one. They are opened from their
// directory, and so its path is looked up once; and what is done to all of them is done
// to one behind the other, so that the system too stays at the same thing. Of most of them
// it is not asked what they are and how long: see surety.

// shelfBytes is how much is read ahead. No file that is larger is.
const shelfBytes = 192 << 10

// A shelf has what was read ahead, for one worker. Its zero is empty.
type shelf struct {
	room  []byte // of shelfBytes, once there is a use for it
	slots [schedule.Most]slot
	first int // slot that was not yet taken
	n     int // slots in use
	fewer int // than there are slots are opened, since not all did fit

	in   *folder // whose descriptor fd is, or nil
	fd   int     // -1 if it did not open
	sure surety  // of what is in it
}

// heldOpen bounds how many files the workers of one run together hold open so: 512, or a
// quarter of what a process may have open.
var heldOpen = sync.OnceValue(func() int {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil || limit.Cur/4 > 512 {
		return 512
	}
	return int(limit.Cur / 4)
})

// load opens files at the beginning of some, and reads those that fit: as many as one of
// so many workers may hold. It stops if stop says so.
func (s *shelf) load(some []Source, workers int, stop *schedule.Interrupt) {
	s.clear()
	if some = some[:min(len(some), len(s.slots)-s.fewer, heldOpen()/workers)]; len(some) < 2 || !some[0].own() {
		return
	}
	if s.room == nil {
		s.room = make([]byte, shelfBytes)
	}
	for i := range some {
		if !some[i].own() || stop.Is() {
			break
		}
		to := &s.slots[i]
		s.open(to, some[i].found)
		if i > 0 && (errors.Is(to.err, syscall.EMFILE) || errors.Is(to.err, syscall.ENFILE)) {
			*to = slot{}
			break // there may be room for it when the others are closed
		}
		s.n++
	}
	all := s.slots[:s.n]
	for i := range all {
		if s.fewer > 0 || !all[i].sure {
			all[i].stat()
		}
	}
	room, read, full := s.room, 0, false
	for i := range all {
		if full && all[i].sure { // it may not fit either, and would be read in vain
			all[i].stat()
		}
		n := all[i].fill(room)
		if room = room[n:]; n > 0 {
			read++
		} else if size := all[i].size; 0 < size && size < shelfBytes {
			full = true
		}
	}
	closeRead(all)
	if s.fewer /= 2; full {
		s.fewer = len(s.slots) - max(2, read)
	}
}

// closeRead closes what has been read: those with descriptors in a row, as most are, all
// at once. Each turn of its loop passes a slot.
func closeRead(all []slot) {
	first, last := 0, -1 // the descriptors of those that were passed and are open
	for i := range all {
		t := &all[i]
		if t.data == nil {
			continue
		}
		if t.fd != last+1 {
			closeRange(first, last)
			first = t.fd
		}
		last, t.fd = t.fd, -1
	}
	closeRange(first, last)
}

// open opens f, from the directory where it was found.
func (s *shelf) open(t *slot, f *found) {
	if s.in != f.in {
		s.leave()
		s.in, s.fd = f.in, openFolder(f.in.path)
		s.sure.begin(s.fd)
	}
	*t = slot{path: f.path}
	if t.fd = s.sure.open(s.fd, f.path[len(f.in.path):]); t.fd >= 0 {
		t.sure = true
		return
	}
	t.fd, t.err = openOnly(s.fd, f.path, len(f.in.path))
}

// leave closes the directory.
func (s *shelf) leave() {
	if s.in != nil && s.fd >= 0 {
		_ = syscall.Close(s.fd)
	}
	s.in = nil
}

// stat closes what is no file, and tells the size of others.
func (t *slot) stat() {
	if t.sure = false; t.err == nil {
		t.size, t.err = statOpen(t.fd, t.path)
	}
}

// fill reads the file into room if it is shorter. It returns the number of bytes read, 0
// if it is not.
func (t *slot) fill(room []byte) int {
	if t.err != nil || !t.sure && (t.size <= 0 || t.size >= int64(len(room))) {
		return 0
	}
	n := 0
	err := uninterrupted(func() (err error) {
		n, err = syscall.Pread(t.fd, room, 0)
		return err
	})
	switch {
	case !t.sure:
	case err == nil && 0 < n && n < len(room) && n%sureBlock != 0: // it ends there
		t.size = int64(n)
	default:
		t.stat()
	}
	if err != nil || t.err != nil || n == 0 || n == len(room) || int64(n) != t.size {
		return 0 // whoever reads it from its descriptor will see
	}
	t.data = room[:n:n]
	return n
}

// take returns the next file as an Open would. It is good until load. Its ok is false if
// there is none.
func (s *shelf) take() (r io.ReadCloser, err error, ok bool) {
	if s.first == s.n {
		return nil, nil, false
	}
	t := &s.slots[s.first]
	s.first++
	switch {
	case t.err != nil:
		return nil, t.err, true
	case t.fd < 0:
		return t, nil, true
	}
	fd := t.fd
	t.fd = -1
	return opened(fd, t.path, t.size), nil, true
}

// clear empties s.
func (s *shelf) clear() {
	for i := range s.slots[:s.n] {
		t := &s.slots[i]
		if i >= s.first && t.err == nil && t.fd >= 0 {
			_ = syscall.Close(t.fd)
		}
		*t = slot{}
	}
	s.first, s.n = 0, 0
}

// rest empties s, and lets go of the directory.
func (s *shelf) rest() {
	s.clear()
	s.leave()
}
