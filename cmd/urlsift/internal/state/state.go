package state

import (
	"errors"
	"fmt"
	"os"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/state/system"
	"github.com/urlsift/urlsift/extract"
)

// A State is an open state. Several goroutines may call its methods, except Save, Printed, NextRun
// and Close, which only the loop over results may call.
type State struct {
	*common
	*recogniser
	saver

	// Lost is the path of the copy of the state file, if only the copy was found. Then this state
	// begins empty.
	Lost string

	own    ownFiles
	remove func() // removes a temporary state; called at the end
}

// DefaultSettle is the usual Settle.
const DefaultSettle = time.Minute

// Open opens the state at o.Path, or makes it if there is no file. Its error begins with
// the path.
func Open(o Options) (s *State, err error) {
	lost := ""
	file := target(o.Path)
	if err := checkOwn(file); err != nil {
		return nil, err
	}
	if _, err := os.Lstat(file); errors.Is(err, os.ErrNotExist) {
		made, err := create(file)
		switch {
		case errors.Is(err, errInUse):
			return nil, fmt.Errorf("%s: %w%s", o.Path, err, holder(file+newSuffix))
		case err != nil:
			return nil, pathError(o.Path, err)
		case made && looksOurs(file+copySuffix):
			lost = file + copySuffix
		}
	}
	db, err := open(o.Path, false)
	if err != nil {
		return nil, err
	}
	s = newState(o, db)
	if err = s.begin(); err == nil && s.older {
		err = s.upgrade()
	}
	if err == nil {
		err = s.mergeURLs() // merge the batches of a run that was killed
	}
	if err != nil {
		_ = s.close()
		return nil, s.problem(err)
	}
	s.Lost = lost
	s.writePid()
	s.own.find(s.nameOf(o.Path))
	s.own.find(realName(o.Path))
	return s, nil
}

// writePid writes the number of this process to FILE.pid. The number is only for a message, so an
// error does not matter.
func (s *State) writePid() {
	if f, err := system.CreateNew(s.file + pidSuffix); err == nil {
		_, _ = fmt.Fprintln(f, os.Getpid())
		_ = f.Close()
	}
}

func newState(o Options, db *bolt.DB) *State {
	b := &common{store: store{path: o.Path, file: target(o.Path), db: db}, opts: o, dir: workingDir()}
	r := &recogniser{common: b, aside: map[inode]string{}, taken: map[id]bool{}}
	s := &State{common: b, recogniser: r, saver: saver{common: b, files: r, saved: time.Now()}}
	s.changes.reset()
	return s
}

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

// begin reads the data of the last run.
func (s *State) begin() error {
	return s.view(func(tx *bolt.Tx) (err error) {
		meta := tx.Bucket(metaBucket)
		n, err := number(meta, runsKey)
		if err != nil {
			return err
		}
		s.run = int64(n) + 1
		s.older = tx.Bucket(messagesBucket) == nil
		s.outputs, err = outputsOf(meta)
		return err
	})
}

// upgrade makes a state of the version before one of this version.
func (s *store) upgrade() error {
	return s.update(func(tx *bolt.Tx) error {
		if _, err := tx.CreateBucket(messagesBucket); err != nil {
			return err
		}
		return put(tx.Bucket(metaBucket), versionKey, []byte(version))
	})
}

// Resume returns the Resume for package extract.
func (s *State) Resume() *extract.Resume {
	return &extract.Resume{Begin: s.placeOf, Reached: s.note}
}

// Close saves what is left, makes the copy, and closes the state. The error is the first
// one of all.
func (s *State) Close() error {
	s.Save()
	if s.remove != nil {
		err := s.Failed()
		_ = s.close()
		s.remove()
		return err
	}
	if s.Failed() == nil {
		err := s.mergeURLs()
		if err == nil {
			err = s.sweep(time.Now())
		}
		if err != nil {
			s.fail(s.problem(err))
		}
	}
	if s.Failed() == nil && s.changed {
		switch err := s.copy(); {
		case isDamage(err):
			s.fail(s.damaged(err))
		case err != nil:
			s.fail(pathError(s.file+copySuffix, err))
		}
	}
	err := s.Failed()
	_ = os.Remove(s.file + pidSuffix)
	if closed := s.close(); err == nil && closed != nil {
		err = pathError(s.path, closed)
	}
	return err
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
