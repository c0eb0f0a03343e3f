//go:build unix

package extract

import (
	"io"
	"syscall"
)

// To go back and forth between the system, which opens and reads a file, and the work
// on what was in it makes both slower than they are: neither finds in the caches what
// it left there. So a worker opens, reads and closes several small files of those that
// it has claimed, and then looks into them one by one. They are opened from their
// directory, and so its path is looked up once.

// shelfBytes is how much is read ahead. No file that is larger is.
const shelfBytes = 64 << 10

// A shelf has what was read ahead, for one worker. Its zero is empty.
type shelf struct {
	room  []byte // of shelfBytes, once there is a use for it
	slots [bundleMost]slot
	first int // slot that was not yet taken
	n     int // slots in use

	in *folder // whose descriptor fd is, or nil
	fd int     // -1 if it did not open
}

// load opens files at the beginning of some, until one does not fit. It stops if stop
// says so.
func (s *shelf) load(some []Source, stop *interrupt) {
	s.clear()
	if len(some) < 2 || !some[0].own() {
		return
	}
	if s.room == nil {
		s.room = make([]byte, shelfBytes)
	}
	room := s.room
	for i := range some[:min(len(some), len(s.slots))] {
		if !some[i].own() || stop.is() {
			return
		}
		to := &s.slots[i]
		s.n++
		if n := to.fill(s.folder(some[i].found), some[i].found, room); n > 0 {
			room = room[n:]
		} else if to.err == nil {
			return
		}
	}
}

// folder returns the descriptor of the directory where f was found, or -1.
func (s *shelf) folder(f *found) int {
	if s.in != f.in {
		s.leave()
		s.in, s.fd = f.in, openFolder(f.in.path)
	}
	return s.fd
}

// leave closes the directory.
func (s *shelf) leave() {
	if s.in != nil && s.fd >= 0 {
		_ = syscall.Close(s.fd)
	}
	s.in = nil
}

// fill opens f, and reads it into room if it is shorter. It returns the number of bytes
// read, 0 if the file is still open or did not open.
func (t *slot) fill(dir int, f *found, room []byte) int {
	*t = slot{path: f.path}
	if t.fd, t.size, t.err = openIn(dir, f.path, len(f.in.path)); t.err != nil || t.size <= 0 || t.size >= int64(len(room)) {
		return 0
	}
	n := 0
	err := uninterrupted(func() (err error) {
		n, err = syscall.Pread(t.fd, room, 0)
		return err
	})
	if err != nil || int64(n) != t.size { // whoever reads it from its descriptor will see
		return 0
	}
	_ = syscall.Close(t.fd)
	t.fd, t.data = -1, room[:n:n]
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
