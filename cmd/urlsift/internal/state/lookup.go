package state

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/state/system"
	"github.com/urlsift/urlsift/extract"
)

// A pending is an entry that is not saved yet, and the entries that it replaces.
type pending struct {
	entry
	replaces   []*entry // entries whose file this is now
	former     []*entry // former entries of this file
	formerKeys [][]byte // keys of former entries whose file this is

	fresh []uint64 // identities of messages that are not saved yet
	first int      // the number of the first of these messages
}

// An inode identifies a file.
type inode struct{ device, inode uint64 }

// racy is how long after a change a file may change again and keep the same time.
const racy = 2 * time.Second

// A recogniser finds the entry of a file, and decides from where the file is read.
type recogniser struct {
	*common
	aside map[inode]string // names of files that were set aside, see SetAside
	taken map[id]bool      // entries that another file has taken over in this run, and whether that file is compressed; guarded by mu
}

// placeOf returns the place from which f is read, and notes what f takes over. If the name of f may
// mean another file in each run, like /dev/stdin, no entry is kept.
func (s *recogniser) placeOf(f *extract.File) extract.Place {
	name := s.nameOf(f.Name)
	if !isFile(name) {
		return extract.Place{}
	}
	now := time.Now()
	f.Growing = s.isGrowing(now, f.Modified)
	next := &pending{entry: entry{name: name, device: f.Device, inode: f.Inode, size: f.Size, modified: f.Modified.UnixNano(),
		read: now.Unix(), run: s.run, readHash: s.opts.ReadHash, young: now.Sub(f.Modified) < racy}}
	if f.Modified.After(now) && s.opts.Settle > 0 {
		f.Growing = true // the clock was set back, or the clock of another system is ahead
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
	var own *entry // the entry of that name
	same, err := s.sameFile(next.name, f.Device, f.Inode)
	if err != nil {
		s.fail(s.damaged(err))
		return extract.Place{}
	}
	for _, old := range same {
		if old.name == next.name {
			own = old
		}
		switch {
		case old.device != f.Device || old.inode != f.Inode: // the name is another file now
			next.former = append(next.former, old)
			continue
		case old.name != next.name && isAt(old):
			continue // a hard link counts as a separate file
		}
		if old.size == f.Size && old.modified == f.Modified.UnixNano() && f.Modified.After(time.Now()) {
			f.Growing = false // it was not changed since the last run
		}
		if !hasOld(f, old) {
			if _, reused := system.Identify(old.name); old.name == next.name || !reused { // else the file of old has another inode now
				next.former = append(next.former, old)
			}
			continue
		}
		if old.name != next.name {
			s.take(old.id(), false)
			s.replace(next, old)
		}
		if old.place.Text == 0 {
			break // it was empty: its text may be that of a known file
		}
		return old.place
	}
	place := s.takenOver(f, next)
	if own == nil || f.Later {
		return place
	}
	remembering := place
	if !remembering.Remember(&own.place, s.messagesOf(own)) || own.inode != f.Inode && isAlive(f, own) {
		return place // if it is alive, it was renamed, and f is a new file
	}
	return remembering
}

// replace notes that the file of next is that of old, and so has its messages.
func (s *recogniser) replace(next *pending, old *entry) {
	next.replaces = append(next.replaces, old)
	next.fresh, next.first = s.messagesOf(old), 0
}

// hasOld reports whether f, the file of old, still begins with the text that was read of it. If the
// file has grown, only samples are compared, so that a large log is not read again for each new
// line. If it was written and has not grown, it was changed in place, or only its time was changed,
// so all that was read is compared.
func hasOld(f *extract.File, old *entry) bool {
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
			continue // f was emptied or rewritten since: its text is new, even if it begins like the old file
		}
		if old.run == s.run || old.place.Text == 0 {
			continue
		}
		place := old.place
		if !f.Begins(&place) {
			continue
		}
		// A compressed file is not appended to: if it has the inode of old, it was compressed again,
		// or it got the inode when old was removed. Any other file was rewritten, as above.
		own := !old.former && old.device == f.Device && old.inode == f.Inode
		if own && !place.Compressed() {
			continue
		}
		switch alive := !old.former && !own && isAlive(f, old.entry); {
		case alive && !place.Compressed():
			continue // a copy counts as a separate file
		case alive && filepath.Dir(old.name) == filepath.Dir(next.name):
			return place
		case alive:
			continue
		case !place.Compressed() && old.name == next.name && s.hasOther(f, next.name, &old.place):
			continue // that is the old file, and f is a new file that begins like it
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
			s.replace(next, old.entry)
		}
		return place
	}
	f.Later = s.later(f, next.name)
	return extract.Place{}
}

// hasOther reports whether another file in the folder of name has the stem of name, has no entry,
// and begins with the text that was read up to p.
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
		now, ok := system.Identify(other)
		known := false
		if ok && s.view(func(tx *bolt.Tx) error {
			k := indexOf(now.Inode, "")
			found, _ := tx.Bucket(inodesBucket).Cursor().Seek(k[:numberLen])
			known = bytes.HasPrefix(found, k[:numberLen])
			return nil
		}) == nil && !known && begins(f, other, *p) {
			return true
		}
	}
	return false
}

// begins reports whether the file at path begins with all that was read up to p. f is the file that
// is being looked up.
func begins(f *extract.File, path string, p extract.Place) (is bool) {
	err := f.Other(path, func(other *extract.File) { is = other.Begins(&p) })
	return err == nil && is
}

// take notes that a file takes over the entry k. first reports whether no other file has taken
// it over in this run. If first is false, shared reports whether this file may use the entry too:
// one of the two files is a compressed copy of the other, and one of them is about to be removed.
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

// later reports whether f, a new file of that name, is left for a later run, because it may be a
// copy that is still being made or compressed. If it were read now, its results would be found
// twice. Runs that follow files may read at any moment while another program rotates files.
func (s *recogniser) later(f *extract.File, name string) bool {
	base := filepath.Base(name)
	if !s.opts.Following || unrotatedBase(base) == base || !f.Growing || f.Size == 0 {
		return false // the log itself is never a copy
	}
	text := make([]byte, compared)
	in, compressed := f.Text()
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
			return compressed && len(text) == 0 || len(text) > 0 && !isComplete(f)
		}
	}
	return false
}

// isComplete reports whether f is compressed and its last stream is complete. It decompresses the
// whole file.
func isComplete(f *extract.File) bool {
	text, compressed := f.Text()
	if !compressed {
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

// compared is how many bytes of a file are compared with another one to see whether it may be a
// copy.
const compared = 64 << 10

// isTaken reports whether another file has taken over the entry.
func (s *recogniser) isTaken(k id) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, taken := s.taken[k]
	return taken
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
