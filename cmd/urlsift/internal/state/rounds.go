package state

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"

	bolt "go.etcd.io/bbolt"

	"github.com/urlsift/urlsift/extract"
)

// Several runs with one open state: the rounds of a run that follows files.

// nameless is what a state without a file is called in messages.
const nameless = "temporary state"

// Temporary opens an empty state, which is removed when it is closed. It is in memory where
// the system has files in memory, else in a temporary file.
func Temporary(o Options) (*State, error) {
	o.Path = nameless
	file, remove, err := tempFile()
	if err != nil {
		return nil, pathError(nameless, err)
	}
	db, err := bolt.Open(file.Name(), 0o600, &bolt.Options{NoSync: true, NoGrowSync: true, NoFreelistSync: true, FreelistType: bolt.FreelistMapType,
		OpenFile: func(string, int, os.FileMode) (*os.File, error) { return file, nil }})
	if err == nil {
		err = fill(db)
	}
	if err != nil {
		_ = file.Close()
		remove()
		return nil, pathError(nameless, err)
	}
	s := newState(o, db)
	s.remove = remove
	return s, s.begin()
}

// createTemp returns a temporary file, and a function for the time after it is closed.
func createTemp() (f *os.File, remove func(), err error) {
	if f, err = os.CreateTemp("", "urlsift-*.tmp"); err != nil {
		return nil, nil, err
	}
	if os.Remove(f.Name()) == nil {
		return f, func() {}, nil
	}
	return f, func() { _ = os.Remove(f.Name()) }, nil // a system that cannot remove an open file
}

// NextRun saves what has come and begins another run: it compares files also with the
// records of this one. Nothing may be read meanwhile.
func (s *State) NextRun() {
	if len(s.changes.files)+len(s.changes.urls) > 0 {
		s.Save()
	}
	s.run++
	s.rounds++
	clear(s.taken)
}

// putRounds adds the number of rounds to that in the state.
func (s *saver) putRounds(meta *bolt.Bucket) error {
	if s.rounds == 0 {
		return nil
	}
	n := uint64(s.rounds)
	if b := meta.Get(roundsKey); len(b) == 8 {
		n += binary.BigEndian.Uint64(b)
	}
	s.rounds = 0
	return meta.Put(roundsKey, binary.BigEndian.AppendUint64(nil, n))
}

// Has reports whether the file at path was read, under this name.
func (s *recogniser) Has(path string) bool {
	now, ok := identify(path)
	if !ok {
		return false
	}
	r := s.recordOf(s.nameOf(path))
	return r != nil && r.device == now.device && r.inode == now.inode
}

// recordOf returns the record of that name, or nil.
func (s *recogniser) recordOf(name string) (r *record) {
	err := s.view(func(tx *bolt.Tx) (err error) {
		if b := tx.Bucket(filesBucket).Get([]byte(name)); b != nil {
			r, err = parseRecord(b)
		}
		return err
	})
	if err != nil {
		s.fail(s.damaged(err))
	}
	return r
}

// An inode says which file is meant.
type inode struct{ device, inode uint64 }

// SetAside says that the file of this device and inode, which is still open, is no longer
// at path: it has a record of its own from now on. If back is true, it is there again.
func (s *recogniser) SetAside(device, no uint64, path string, back bool) {
	if back {
		delete(s.aside, inode{device, no})
		return
	}
	s.aside[inode{device, no}] = s.nameOf(path)
}

// IsAside reports whether there is a record of a file that was set aside. It is gone when
// the file was read under another name, or what is in it.
func (s *recogniser) IsAside(no uint64, path string) bool {
	return s.recordOf(asideName(s.nameOf(path), no)) != nil
}

// Elsewhere reports whether the file of this device and inode is under another name than
// path, and was read there.
func (s *recogniser) Elsewhere(device, inode uint64, path string) bool {
	name := s.nameOf(path)
	same, err := s.sameFile(name, device, inode)
	if err != nil {
		s.fail(s.damaged(err))
	}
	for _, r := range same { // at most mostSame
		if r.name != name && r.device == device && r.inode == inode && isAt(r) {
			return true
		}
	}
	return false
}

// compared is how much of a file is compared with another one to see whether it may be a copy.
const compared = 64 << 10

// later reports whether f, a new file of that name, is to be read in a later run: it may be a
// copy that is still being made, or compressed. If it was read now, all that is in it would be
// found twice. Of runs that follow files, one may be at any moment while another program
// rotates them.
func (s *recogniser) later(f *extract.File, name string) bool {
	base := filepath.Base(name)
	if !s.opts.Following || unrotatedBase(base) == base || !f.Growing || f.Size == 0 {
		return false // the log itself is never a copy
	}
	text := make([]byte, compared)
	in, packed := f.Text()
	n, _ := io.ReadFull(in, text) // or less, if that is all
	text = text[:n]
	near, err := s.neighbours(f, name)
	if err != nil {
		s.fail(s.damaged(err))
		return false
	}
	for _, old := range near {
		if f.Device == old.device && f.Inode == old.inode {
			continue
		}
		if path, ok := whereIs(old); ok && path != name && (len(text) == 0 || holdsText(path, text)) {
			return packed && len(text) == 0 || len(text) > 0 && !isComplete(f)
		}
	}
	return false
}

// isComplete reports whether f is compressed and ends where it should. It decompresses all of
// it.
func isComplete(f *extract.File) bool {
	text, packed := f.Text()
	if !packed {
		return false
	}
	_, err := io.Copy(io.Discard, text)
	return err == nil
}

// holdsText reports whether the file at path begins with text.
func holdsText(path string, text []byte) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	own := make([]byte, len(text))
	n, _ := io.ReadFull(file, own) // or less, if that is all
	return n == len(text) && bytes.Equal(own, text)
}
