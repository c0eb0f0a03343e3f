package state

import (
	bolt "go.etcd.io/bbolt"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/state/system"
)

// Several runs with one open state: the rounds of a run that follows files.

// nameless is the name in messages of a state without a file.
const nameless = "temporary state"

// Temporary opens an empty state, which is removed when it is closed: see inMemory.
func Temporary(o Options) (*State, error) {
	o.Path = nameless
	db, remove, err := inMemory()
	if err != nil {
		return nil, pathError(nameless, err)
	}
	db.NoFreelistSync = true // nobody opens it again
	s := newState(o, db)
	s.remove = remove
	return s, s.begin()
}

// NextRun saves all changes and begins another run, which also compares files with the entries of
// the last one. Nothing may be read meanwhile.
func (s *State) NextRun() {
	if len(s.changes.files)+len(s.changes.urls) > 0 {
		s.Save()
	}
	s.run++
	s.rounds++
	clear(s.taken)
}

// Has reports whether the file at path was read, under this name.
func (s *recogniser) Has(path string) bool {
	now, ok := system.Identify(path)
	if !ok {
		return false
	}
	r := s.entryOf(s.nameOf(path))
	return r != nil && r.device == now.Device && r.inode == now.Inode
}

// entryOf returns the entry of that name, or nil.
func (s *recogniser) entryOf(name string) (r *entry) {
	err := s.view(func(tx *bolt.Tx) (err error) {
		r, err = entryAt(tx.Bucket(filesBucket), []byte(name))
		return err
	})
	if err != nil {
		s.fail(s.damaged(err))
	}
	return r
}

// SetAside notes that the file of this device and inode, which is still open, is no longer at
// path: from now on it has a separate entry. If ended is true, the file is at path again or is
// closed.
func (s *recogniser) SetAside(device, no uint64, path string, ended bool) {
	if ended {
		delete(s.aside, inode{device, no})
		return
	}
	s.aside[inode{device, no}] = s.nameOf(path)
}

// IsAside reports whether there is an entry of a file that was set aside. The entry is removed
// when the file, or a copy of it, was read under another name.
func (s *recogniser) IsAside(no uint64, path string) bool {
	return s.entryOf(asideName(s.nameOf(path), no)) != nil
}

// HasOtherName reports whether the file of this device and inode has another name than path, and
// was read under that other name.
func (s *recogniser) HasOtherName(device, inode uint64, path string) bool {
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
