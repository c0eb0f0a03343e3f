package state

import (
	"iter"

	bolt "go.etcd.io/bbolt"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/state/system"
	"github.com/urlsift/urlsift/extract"
)

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
			r.end() // an open read transaction would block a transaction that makes the file larger
			if s.Failed() != nil || !yield(src) {
				return
			}
		}
	}
}

// A reader looks up several files in one transaction. One transaction for each file would take
// twice as long.
type reader struct {
	s  *State
	tx *bolt.Tx
	n  int // lookups in tx
}

// end ends the transaction.
func (r *reader) end() {
	if r.tx != nil {
		_ = r.tx.Rollback()
	}
	r.tx, r.n = nil, 0
}

// isKnown reports whether the file at path is unchanged since it was read, or is part of the state.
func (r *reader) isKnown(path string) bool {
	id, ok := system.Identify(path)
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
func (r *reader) lookup(name string, now system.Identity) (known bool, err error) {
	if r.n++; r.n > mostLookups {
		r.end()
	}
	err = r.s.shielded(func() (err error) {
		if r.tx == nil {
			if r.tx, err = r.s.db.Begin(false); err != nil {
				return err
			}
		}
		key := []byte(name)
		b := r.tx.Bucket(filesBucket).Get(key)
		if b == nil {
			return nil
		}
		was, _, err := headOf(key, b)
		known = err == nil && r.s.isUnchanged(was, now)
		return err
	})
	return known, err
}

// mostLookups bounds how many lookups see the same state.
const mostLookups = 1024
