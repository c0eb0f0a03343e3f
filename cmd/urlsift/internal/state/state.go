package state

import (
	"encoding/binary"
	"errors"
	"os"
	"runtime/debug"
	"strconv"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/urlsift/urlsift/extract"
)

// Options say where the state is, and how it is used.
type Options struct {
	Path   string
	Settle time.Duration // how long a file has to rest until its end is read

	// Reading is extract.Options.Reading of the run. Files that were read in another way are
	// read anew.
	Reading uint64

	Following bool // a run may be at any moment, also while files are being rotated
}

// A State is an open state. Its methods may be called by several goroutines, but for
// those that the loop over results calls: Save, Printed, NextRun, Close.
type State struct {
	*base
	*recogniser
	saver

	// Lost is the name of the copy of a state that was not there any more: this one begins
	// anew.
	Lost string

	own    ownFiles
	remove func() // of a temporary state: called at the end
}

// A base is what the parts of a State use.
type base struct {
	store
	opts Options
	run  int64
	dir  string // the working directory

	// OnFailure, if it is not nil, is called when the state has failed: the run has to end.
	OnFailure func()

	mu     sync.Mutex
	failed error // the state cannot be read or written
}

// A store is the database of a state.
type store struct {
	path string // as it was given
	file string // to which path leads
	db   *bolt.DB
}

// DefaultSettle is the usual Settle.
const DefaultSettle = time.Minute

// version is the value of the key of that name in meta.
const version = "urlsift state 4"

// The keys in meta.
var (
	versionKey = []byte("version")
	runsKey    = []byte("runs")
	lastKey    = []byte("last")
	outputsKey = []byte("outputs")
	sweptKey   = []byte("swept")
	roundsKey  = []byte("rounds")
)

// lockWait is how long Open waits for another run to end.
const lockWait = 200 * time.Millisecond

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
	if err = s.mergeURLs(); err != nil { // of a run that was killed
		_ = db.Close()
		if errors.Is(err, errRecord) || errors.Is(err, errPages) {
			return nil, s.damaged(err)
		}
		return nil, pathError(o.Path, err)
	}
	s.Lost = lost
	_ = os.WriteFile(s.file+pidSuffix, []byte(strconv.Itoa(os.Getpid())+"\n"), 0o666) // only for a message
	s.own.find(s.nameOf(o.Path))
	s.own.find(realName(o.Path))
	return s, nil
}

// newState returns the State of db.
func newState(o Options, db *bolt.DB) *State {
	b := &base{store: store{o.Path, target(o.Path), db}, opts: o, dir: workingDir()}
	r := &recogniser{base: b, aside: map[inode]string{}, taken: map[id]bool{}}
	s := &State{base: b, recogniser: r, saver: saver{base: b, files: r, saved: time.Now()}}
	s.changes.reset()
	return s
}

// begin reads what the last run has left.
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

// errPages is the error of a database whose pages are not as bbolt has written them.
var errPages = errors.New("its pages are not as they were written")

// view runs read in a transaction. A panic in it, also for memory that is not in the file,
// is an error: the state is damaged.
func (s *store) view(read func(tx *bolt.Tx) error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = errPages
		}
	}()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	return s.db.View(read)
}

// fail keeps the first error of the state.
func (s *base) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed != nil {
		return
	}
	if s.failed = err; s.OnFailure != nil {
		s.OnFailure()
	}
}

// Failed returns the error of the state, if it has one: then nothing more is saved, and the
// run has to end.
func (s *base) Failed() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failed
}

// Resume returns the Resume for package extract.
func (s *State) Resume() *extract.Resume {
	return &extract.Resume{Begin: s.place, Reached: s.note}
}
