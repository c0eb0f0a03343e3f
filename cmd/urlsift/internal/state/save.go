package state

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"sort"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/state/system"
	"github.com/urlsift/urlsift/extract"
)

const (
	// A transaction is made when there are mostPending changes of files, or mostURLs new
	// URLs, or after saveEvery, whichever comes first. Each change of a file may change
	// another page, and all changed pages are in memory.
	mostPending = 1024
	mostURLs    = 1 << 18
	saveEvery   = 3 * time.Second

	// After a transaction that took a time t, the next one is made after saveShare times
	// t at the earliest.
	saveShare = 10
)

// changes are what the next transaction will write.
type changes struct {
	files map[string]*pending // by name
	urls  []URL
}

func (c *changes) reset() { c.files, c.urls = map[string]*pending{}, c.urls[:0] }

// A saver keeps the changes since the last transaction, and makes the next one.
type saver struct {
	*common
	files *recogniser

	// Written writes out all results and returns the state of the output. It is called before each
	// transaction.
	Written func() (OutputFile, error)

	outputs outputs // of earlier runs, and of this one
	changes changes
	rounds  int64 // rounds since the last transaction, in a run that follows files
	saved   time.Time
	took    time.Duration // time of the last transaction
	changed bool          // there was a transaction with changes
}

// note keeps the place that f has reached. It is called in the loop over results, when everything
// in front of the place was given to the output.
func (s *saver) note(f *extract.File, p *extract.Place) {
	next, ok := f.Note.(*pending)
	if !ok {
		return
	}
	next.place = *p
	next.noteMessages(p)
	if len(next.name) <= longestName {
		s.changes.files[next.name] = next
	}
	if len(s.changes.files) >= mostPending || len(s.changes.urls) >= mostURLs || time.Since(s.saved) >= max(saveEvery, saveShare*s.took) {
		s.Save()
	}
}

// Save writes out the output, and saves all changes since the last time. After an error, which
// Failed returns, it does nothing.
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
	err = s.update(func(tx *bolt.Tx) error {
		for _, name := range slices.Sorted(maps.Keys(sum.files)) { // in the order of the bucket
			if err := s.putFile(tx, sum.files[name]); err != nil {
				return err
			}
		}
		if err := putBatch(tx.Bucket(batchesBucket), sum.urls); err != nil {
			return err
		}
		meta := tx.Bucket(metaBucket)
		if err := put(meta, outputsKey, outs.appendTo(nil)); err != nil {
			return err
		}
		if err := putNumber(meta, runsKey, uint64(s.run)); err != nil {
			return err
		}
		if err := s.putRounds(meta); err != nil {
			return err
		}
		return putNumber(meta, lastKey, uint64(time.Now().Unix()))
	})
	if err != nil {
		said := s.problem(err)
		if !isDamage(err) {
			said = fmt.Errorf("%w; the next run reads again what came after the last save", said)
		}
		s.fail(said)
		return
	}
	full := len(sum.files) >= mostPending
	for _, p := range sum.files {
		p.replaces, p.former, p.formerKeys = nil, nil, nil
		p.fresh, p.first = nil, p.first+len(p.fresh)
	}
	s.outputs = outs
	s.changed = s.changed || len(sum.files)+len(sum.urls) > 0
	sum.reset()
	s.saved = time.Now()
	s.took = s.saved.Sub(began)
	if full {
		runtime.GC() // free the pages of the last transaction before the next one
	}
}

// errOutput says that the output has failed. The caller reports the reason.
var errOutput = errors.New("the output could not be written")

// OutputFailed reports whether nothing is saved any more because the output has failed.
func (s *saver) OutputFailed() bool { return errors.Is(s.Failed(), errOutput) }

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
	was, err := entryAt(files, []byte(p.name))
	if err != nil {
		return err
	}
	if err := p.putMessages(tx); err != nil {
		return err
	}
	if err := putIndexes(tx, &p.entry, was); err != nil {
		return err
	}
	return put(files, []byte(p.name), p.appendTo(nil))
}

// copy makes a copy of the state, FILE.bak. If that fails, the old copy is kept.
func (s *store) copy() (err error) {
	newCopy := s.file + copySuffix + newSuffix
	f, err := system.CreateNew(newCopy)
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
		if err = system.IsRegular(s.file + copySuffix); err == nil || errors.Is(err, os.ErrNotExist) {
			err = os.Rename(newCopy, s.file+copySuffix)
		}
	}
	if err != nil {
		_ = os.Remove(newCopy)
	}
	return err
}

// putRounds adds the number of rounds to that in the state.
func (s *saver) putRounds(meta *bolt.Bucket) error {
	if s.rounds == 0 {
		return nil
	}
	n, err := number(meta, roundsKey)
	if err != nil {
		return err
	}
	n += uint64(s.rounds)
	s.rounds = 0
	return putNumber(meta, roundsKey, n)
}

// Printed reports whether u was printed by an earlier run. If not, it is saved as printed
// with the next transaction.
func (s *saver) Printed(u URL) bool {
	found := false
	err := s.view(func(tx *bolt.Tx) error {
		list, err := get(tx.Bucket(urlsBucket), u[:prefixLen])
		if err == nil && len(list)%restLen != 0 {
			err = errEntry
		}
		if err != nil {
			return err
		}
		i := sort.Search(len(list)/restLen, func(i int) bool { return bytes.Compare(list[i*restLen:][:restLen], u[prefixLen:]) >= 0 })
		found = i < len(list)/restLen && bytes.Equal(list[i*restLen:][:restLen], u[prefixLen:])
		return nil
	})
	if err != nil {
		s.fail(s.damaged(err))
	}
	if !found {
		s.changes.urls = append(s.changes.urls, u)
	}
	return found
}

// Output returns what is stored of an earlier run that has written to the file at path. device and
// inode are those of this file.
func (s *saver) Output(path string, device, inode uint64) (o OutputFile, known bool) {
	like := OutputFile{Path: s.nameOf(path), Device: device, Inode: inode}
	i := slices.IndexFunc(s.outputs, func(o OutputFile) bool { return o.isSame(&like) })
	if i < 0 {
		return OutputFile{}, false
	}
	return s.outputs[i], true
}
