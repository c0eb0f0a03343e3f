package state

import (
	"encoding/binary"
	"errors"
	"os"
	"strconv"
	"time"

	bolt "go.etcd.io/bbolt"

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
	if _, err := os.Stat(o.Path); errors.Is(err, os.ErrNotExist) {
		if kept := target(o.Path) + copySuffix; looksOurs(kept) {
			lost = kept
		}
		if err := create(target(o.Path)); err != nil {
			return nil, pathError(o.Path, err)
		}
	}
	db, err := open(o.Path, false)
	if err != nil {
		return nil, err
	}
	s = newState(o, db)
	if err = s.begin(); err != nil {
		_ = db.Close()
		return nil, s.damaged(err)
	}
	if err = s.mergeURLs(); err != nil { // merge the batches of a run that was killed
		_ = db.Close()
		if errors.Is(err, errEntry) || errors.Is(err, errPages) {
			return nil, s.damaged(err)
		}
		return nil, pathError(o.Path, err)
	}
	s.Lost = lost
	_ = os.WriteFile(s.file+pidSuffix, []byte(strconv.Itoa(os.Getpid())+"\n"), 0o666) // the number is only for a message
	s.own.find(s.nameOf(o.Path))
	s.own.find(realName(o.Path))
	return s, nil
}

// newState returns the State of db.
func newState(o Options, db *bolt.DB) *State {
	b := &common{store: store{o.Path, target(o.Path), db}, opts: o, dir: workingDir()}
	r := &recogniser{common: b, aside: map[inode]string{}, taken: map[id]bool{}}
	s := &State{common: b, recogniser: r, saver: saver{common: b, files: r, saved: time.Now()}}
	s.changes.reset()
	return s
}

// begin reads the data of the last run.
func (s *State) begin() error {
	return s.view(func(tx *bolt.Tx) (err error) {
		meta := tx.Bucket(metaBucket)
		if b := meta.Get(runsKey); len(b) == 8 {
			s.run = int64(binary.BigEndian.Uint64(b))
		}
		s.run++
		s.outputs, err = parseOutputs(meta.Get(outputsKey))
		return err
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
