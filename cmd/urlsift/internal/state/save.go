package state

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/urlsift/urlsift/extract"
)

const (
	// A transaction is made when there are mostPending changes of files, or mostURLs new
	// URLs, or after saveEvery, whichever comes first.
	// The more changes of files there are, the more pages are in memory: each may change a
	// page of its own.
	mostPending = 1024
	mostURLs    = 1 << 18
	saveEvery   = 3 * time.Second

	// If a transaction takes seconds, the next one is not made before this many times as
	// long.
	saveShare = 10
)

// A pending is a record that is not saved yet, and what it replaces.
type pending struct {
	record
	replaces   []*record // whose file this is now
	former     []*record // that the file has been
	formerKeys [][]byte  // of former records whose file this is
}

// changes are what the next transaction will write.
type changes struct {
	files map[string]*pending // by name
	urls  []URL
}

func (c *changes) reset() { c.files, c.urls = map[string]*pending{}, c.urls[:0] }

// A saver keeps what has come since the last transaction, and makes the next one.
type saver struct {
	*base
	files *recogniser

	// Written writes out all results and returns how far the output is. It is called
	// before each transaction.
	Written func() (Output, error)

	outputs outputs // of earlier runs, and of this one
	changes changes
	rounds  int64 // runs since the last transaction that belong to one that follows files
	saved   time.Time
	took    time.Duration // by the last transaction
	changed bool          // there was a transaction with something in it
}

// note keeps the place that f has reached. It is called in the loop over results, when
// everything in front of the place was given to the output.
func (s *saver) note(f *extract.File, p *extract.Place) {
	next, ok := f.Note.(*pending)
	if !ok {
		return
	}
	next.place = *p
	if len(next.name) <= longestName {
		s.changes.files[next.name] = next
	}
	if len(s.changes.files) >= mostPending || len(s.changes.urls) >= mostURLs || time.Since(s.saved) >= max(saveEvery, saveShare*s.took) {
		s.Save()
	}
}

// Save writes out the output, and saves what has come since the last time. After an error,
// which Failed returns, it does nothing.
func (s *saver) Save() {
	if s.Failed() != nil {
		return
	}
	began := time.Now()
	out, err := s.Written()
	if err != nil {
		s.fail(errOutput)
		return
	}
	outs := s.outputs
	if out.Path != "" {
		out.Path = s.nameOf(out.Path)
		outs = outs.add(out)
	}
	sum := &s.changes
	err = s.guarded(func(tx *bolt.Tx) error {
		for _, name := range slices.Sorted(maps.Keys(sum.files)) { // in the order of the bucket
			if err := s.putFile(tx, sum.files[name]); err != nil {
				return err
			}
		}
		if err := putBatch(tx.Bucket(batchesBucket), sum.urls); err != nil {
			return err
		}
		meta := tx.Bucket(metaBucket)
		if err := meta.Put(outputsKey, outs.appendTo(nil)); err != nil {
			return err
		}
		if err := meta.Put(runsKey, binary.BigEndian.AppendUint64(nil, uint64(s.run))); err != nil {
			return err
		}
		if err := s.putRounds(meta); err != nil {
			return err
		}
		return meta.Put(lastKey, binary.BigEndian.AppendUint64(nil, uint64(time.Now().Unix())))
	})
	if errors.Is(err, errRecord) || errors.Is(err, errPages) {
		s.fail(s.damaged(err))
		return
	}
	if err != nil {
		s.fail(fmt.Errorf("%w; the next run reads again what came after the last save", pathError(s.path, err)))
		return
	}
	full := len(sum.files) >= mostPending
	for _, p := range sum.files {
		p.replaces, p.former, p.formerKeys = nil, nil, nil
	}
	s.outputs = outs
	s.changed = s.changed || len(sum.files)+len(sum.urls) > 0
	sum.reset()
	s.saved = time.Now()
	s.took = s.saved.Sub(began)
	if full {
		runtime.GC() // else the pages of several transactions are in memory
	}
}

// errOutput says that the output has failed, which is reported where that is known.
var errOutput = errors.New("the output could not be written")

// OutputFailed reports whether nothing is saved any more because the output has failed.
func (s *saver) OutputFailed() bool { return errors.Is(s.Failed(), errOutput) }

// guarded runs write in a transaction. A panic of bbolt is an error: the state is damaged.
func (s *store) guarded(write func(tx *bolt.Tx) error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = errPages
		}
	}()
	return s.db.Update(write)
}

// putFile saves p.
func (s *saver) putFile(tx *bolt.Tx, p *pending) error {
	files := tx.Bucket(filesBucket)
	files.FillPercent = fillPercent
	for _, old := range p.former { // at most mostSame
		if s.files.isTaken(old.id()) {
			continue
		}
		if err := putFormer(tx, old); err != nil {
			return err
		}
	}
	for _, old := range slices.Concat(p.replaces, p.former) {
		if err := removeFile(tx, old, p.run); err != nil {
			return err
		}
	}
	for _, k := range p.formerKeys { // at most one
		if err := dropFormer(tx, k); err != nil {
			return err
		}
	}
	var was *record
	if b := files.Get([]byte(p.name)); b != nil {
		r, err := parseRecord(b)
		if err != nil {
			return err
		}
		was = r
	}
	if err := putIndexes(tx, &p.record, was); err != nil {
		return err
	}
	return files.Put([]byte(p.name), p.appendTo(nil))
}

// fillPercent is how full pages are made of names, most of which are added in order.
const fillPercent = 0.9

// isTaken reports whether another file has taken over the record.
func (s *recogniser) isTaken(k id) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, taken := s.taken[k]
	return taken
}

// removeFile removes the record of a file, unless the record of that name was made in the
// run: then it is another one.
func removeFile(tx *bolt.Tx, old *record, run int64) error {
	files := tx.Bucket(filesBucket)
	b := files.Get([]byte(old.name))
	if b == nil {
		return nil
	}
	r, err := parseRecord(b)
	if err != nil || r.run == run || r.id() != old.id() {
		return err
	}
	if err := dropIndexes(tx, r); err != nil {
		return err
	}
	if err := tx.Bucket(goneBucket).Delete([]byte(old.name)); err != nil {
		return err
	}
	return files.Delete([]byte(old.name))
}

// Close saves what is left, makes the copy, and closes the state. The error is the first
// one of all.
func (s *State) Close() error {
	s.Save()
	if s.remove != nil {
		err := s.Failed()
		_ = s.db.Close()
		s.remove()
		return err
	}
	if s.Failed() == nil {
		if err := s.mergeURLs(); err != nil {
			s.fail(pathError(s.path, err))
		}
	}
	if s.Failed() == nil {
		if err := s.sweep(time.Now()); err != nil {
			s.fail(pathError(s.path, err))
		}
	}
	if s.Failed() == nil && s.changed {
		if err := s.copy(); err != nil {
			s.fail(pathError(s.file+copySuffix, err))
		}
	}
	err := s.Failed()
	_ = os.Remove(s.file + pidSuffix)
	if closed := s.db.Close(); err == nil && closed != nil {
		err = pathError(s.path, closed)
	}
	return err
}

// copy makes a copy of the state, FILE.bak. It is complete or the one of before.
func (s *store) copy() (err error) {
	made := s.file + copySuffix + newSuffix
	f, err := os.OpenFile(made, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return err
	}
	err = s.view(func(tx *bolt.Tx) error {
		_, err := tx.WriteTo(f)
		return err
	})
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(made, s.file+copySuffix)
	}
	if err != nil {
		_ = os.Remove(made)
	}
	return err
}
