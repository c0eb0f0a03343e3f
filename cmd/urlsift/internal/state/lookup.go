package state

import (
	"bytes"
	"iter"
	"path/filepath"
	"runtime/debug"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/urlsift/urlsift/extract"
)

// racy is how long after a change a file may change again without another time.
const racy = 2 * time.Second

// Sources yields sources without the files that are known and have not changed since, and
// without the files of the state.
func (s *State) Sources(sources iter.Seq[extract.Source]) iter.Seq[extract.Source] {
	return func(yield func(extract.Source) bool) {
		r := reader{s: s}
		defer r.end()
		for src := range sources {
			if r.isKnown(src.Name) {
				continue
			}
			r.end() // a transaction that reads would stop one that needs more room
			if s.Failed() != nil || !yield(src) {
				return
			}
		}
	}
}

// A reader looks up files in one transaction, which takes half the time of one for each.
type reader struct {
	s  *State
	tx *bolt.Tx
	n  int // lookups in tx
}

// mostLookups bounds how many lookups see the same state.
const mostLookups = 1024

// end ends the transaction.
func (r *reader) end() {
	if r.tx != nil {
		_ = r.tx.Rollback()
	}
	r.tx, r.n = nil, 0
}

// isKnown reports whether the file at path is as it was when it was read, or is part of the
// state.
func (r *reader) isKnown(path string) bool {
	id, ok := identify(path)
	if !ok {
		return false
	}
	s := r.s
	name := s.nameOf(path)
	if s.own.has(name, id) {
		return true
	}
	known, err := r.lookup(name, id)
	if err != nil {
		s.fail(s.damaged(err))
	}
	return known
}

// lookup reports whether the file of that name has not changed since it was read.
func (r *reader) lookup(name string, now identity) (known bool, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = errPages
		}
	}()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	if r.n++; r.n > mostLookups {
		r.end()
	}
	if r.tx == nil {
		if r.tx, err = r.s.db.Begin(false); err != nil {
			return false, err
		}
	}
	b := r.tx.Bucket(filesBucket).Get([]byte(name))
	if b == nil {
		return false, nil
	}
	was, ok := headOf(b)
	if !ok {
		return false, errRecord
	}
	return identity{was.device, was.inode, was.size, was.modified} == now && was.reading == r.s.opts.Reading && was.flags&isYoung == 0 &&
		(was.flags&isWhole != 0 || r.s.isGrowing(time.Now(), time.Unix(0, was.modified))), nil
}

// A recogniser says which record a file has, and from where it is read.
type recogniser struct {
	*base
	aside map[inode]string // names of files that have lost them
	taken map[id]bool      // records that another file has taken over in this run: whether that is compressed; guarded by mu
}

// isGrowing reports whether a file that was changed at that time may be written to soon.
func (s *base) isGrowing(now, modified time.Time) bool {
	return !modified.After(now) && now.Sub(modified) < s.opts.Settle
}

// place returns the place from which f is read, and notes what f takes over. If its name does
// not stand for a file, nothing is kept of it.
func (s *recogniser) place(f *extract.File) extract.Place {
	name := s.nameOf(f.Name)
	if !isFile(name) {
		return extract.Place{}
	}
	now := time.Now()
	f.Growing = s.isGrowing(now, f.Modified)
	next := &pending{record: record{name: name, device: f.Device, inode: f.Inode, size: f.Size, modified: f.Modified.UnixNano(),
		read: now.Unix(), run: s.run, reading: s.opts.Reading, young: now.Sub(f.Modified) < racy}}
	if f.Modified.After(now) && s.opts.Settle > 0 {
		f.Growing = true // the clock was set back, or that of another system is ahead
	}
	if s.aside[inode{f.Device, f.Inode}] == next.name {
		next.name = asideName(next.name, f.Inode)
	}
	place := s.known(f, next)
	f.Note = next
	return place
}

// known returns the place of f, if f is known.
func (s *recogniser) known(f *extract.File, next *pending) extract.Place {
	same, err := s.sameFile(next.name, f.Device, f.Inode)
	if err != nil {
		s.fail(s.damaged(err))
		return extract.Place{}
	}
	for _, old := range same {
		switch {
		case old.device != f.Device || old.inode != f.Inode: // the name is that of another file now
			next.former = append(next.former, old)
			continue
		case old.name != next.name && isAt(old):
			continue // a link: a file of its own
		}
		if old.size == f.Size && old.modified == f.Modified.UnixNano() && f.Modified.After(time.Now()) {
			f.Growing = false // it has rested since the last run
		}
		if !hasOld(f, old) {
			next.former = append(next.former, old)
			continue
		}
		if old.name != next.name {
			s.take(old.id(), false)
			next.replaces = append(next.replaces, old)
		}
		if old.place.Text == 0 {
			break // it was empty: what is in it now may be known
		}
		return old.place
	}
	return s.takenOver(f, next)
}

// hasOld reports whether f, the file of old, still begins with what was read of it. Of a file
// that has grown, samples are compared, so that a large log is not read again for each line
// that was added. A file that was written and has not grown was changed in place, or only its
// time was.
func hasOld(f *extract.File, old *record) bool {
	if f.Size <= max(old.size, old.place.Stored) && (old.modified != f.Modified.UnixNano() || old.young) {
		return f.HasAll(&old.place)
	}
	return f.Continues(&old.place)
}

// takenOver returns the place of another file that f begins with.
func (s *recogniser) takenOver(f *extract.File, next *pending) extract.Place {
	others, err := s.alike(f, next.name)
	if err != nil {
		s.fail(s.damaged(err))
		return extract.Place{}
	}
	for _, old := range others {
		k := old.id()
		if old.former && old.name == next.name && old.device == f.Device && old.inode == f.Inode {
			continue // f was emptied or written anew since: what is in it is new, also if it begins alike
		}
		if old.run == s.run || old.place.Text == 0 || old.device == f.Device && old.inode == f.Inode && !old.former {
			continue
		}
		place := old.place
		if !f.Begins(&place) {
			continue
		}
		switch alive := !old.former && isAlive(old.record); {
		case alive && !place.Compressed():
			continue // a copy: a file of its own
		case alive && filepath.Dir(old.name) == filepath.Dir(next.name):
			return place
		case alive:
			continue
		case !place.Compressed() && old.name == next.name && s.hasOther(f, next.name, &old.place):
			continue // that is the old file, and this one a new file that begins alike
		}
		switch first, shared := s.take(k, place.Compressed()); {
		case shared:
			return place
		case !first:
			continue
		}
		if old.former {
			next.formerKeys = append(next.formerKeys, old.at)
		} else {
			next.replaces = append(next.replaces, old.record)
		}
		return place
	}
	f.Later = s.later(f, next.name)
	return extract.Place{}
}

// hasOther reports whether a file with the stem of f, which has that name, is in its folder
// that has no record, and begins with what was read up to p.
func (s *recogniser) hasOther(f *extract.File, path string, p *extract.Place) bool {
	folder, st := filepath.Dir(path), stemOf(path)
	names, err := readNames(folder)
	if err != nil {
		return false
	}
	for _, name := range names { // at most mostNames
		other := filepath.Join(folder, name)
		if name == filepath.Base(path) || stemOf(name) != st {
			continue
		}
		now, ok := identify(other)
		known := false
		if ok && s.view(func(tx *bolt.Tx) error {
			k := indexOf(now.inode, "")
			found, _ := tx.Bucket(inodesBucket).Cursor().Seek(k[:numberLen])
			known = bytes.HasPrefix(found, k[:numberLen])
			return nil
		}) == nil && !known && f.OtherBegins(other, *p) {
			return true
		}
	}
	return false
}

// take notes that a file takes over the record with that key, and reports whether it is the
// first one of this run. A file and its compressed copy share the record: one of them is
// about to be removed.
func (s *recogniser) take(k id, compressed bool) (first, shared bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, taken := s.taken[k]
	if taken {
		return false, before != compressed
	}
	s.taken[k] = compressed
	return true, false
}
