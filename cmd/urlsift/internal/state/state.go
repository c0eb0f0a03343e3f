package state

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

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
	path string
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
	if _, err := os.Stat(o.Path); errors.Is(err, os.ErrNotExist) {
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
	_ = os.WriteFile(o.Path+".pid", []byte(strconv.Itoa(os.Getpid())+"\n"), 0o666) // only for a message
	s.own.find(s.nameOf(o.Path))
	return s, nil
}

// newState returns the State of db.
func newState(o Options, db *bolt.DB) *State {
	b := &base{store: store{o.Path, db}, opts: o, dir: workingDir()}
	r := &recogniser{base: b, aside: map[inode]string{}, taken: map[id]bool{}}
	s := &State{base: b, recogniser: r, saver: saver{base: b, files: r, saved: time.Now()}}
	s.changes.reset()
	return s
}

// create makes an empty state at path. It has its name only when it is complete.
func create(path string) error {
	made := path + ".new"
	_ = os.Remove(made)
	db, err := bolt.Open(made, 0o666, &bolt.Options{Timeout: lockWait})
	if err != nil {
		return err
	}
	err = fill(db)
	if closed := db.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Link(made, path) // another run may have made one meanwhile, which stays
		if errors.Is(err, os.ErrExist) {
			err = nil
		} else if err != nil {
			err = os.Rename(made, path)
		}
	}
	_ = os.Remove(made)
	return err
}

// fill makes the buckets of an empty state.
func fill(db *bolt.DB) error {
	return db.Update(func(tx *bolt.Tx) error {
		for _, name := range buckets {
			if _, err := tx.CreateBucket(name); err != nil {
				return err
			}
		}
		return tx.Bucket(metaBucket).Put(versionKey, []byte(version))
	})
}

// open opens the database at path and checks that it is one of ours.
func open(path string, reading bool) (db *bolt.DB, err error) {
	defer func() {
		if v := recover(); v != nil { // of bbolt, which trusts its file
			err = damagedError(path, errPages)
		}
	}()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Size() == 0 {
		return nil, damagedError(path, errors.New("it is empty"))
	}
	flag := func(name string, flags int, mode os.FileMode) (*os.File, error) {
		return os.OpenFile(name, flags&^os.O_CREATE, mode)
	}
	db, err = bolt.Open(path, 0o666, &bolt.Options{Timeout: lockWait, FreelistType: bolt.FreelistMapType, ReadOnly: reading, OpenFile: flag})
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return nil, fmt.Errorf("%s: in use by another run%s", path, holder(path))
	case err != nil && isSystem(err):
		return nil, pathError(path, err)
	case err != nil:
		return nil, damagedError(path, err)
	}
	err = check(db, path)
	if err != nil {
		_ = db.Close()
	}
	var other otherVersion
	switch {
	case errors.As(err, &other):
		return nil, fmt.Errorf("%s: %w; remove it to read everything again", path, err)
	case err != nil:
		return nil, damagedError(path, err)
	}
	return db, nil
}

// check returns an error if db is not a state, or not complete.
func check(db *bolt.DB, path string) error {
	return db.View(func(tx *bolt.Tx) error {
		if info, err := os.Stat(path); err == nil && info.Size() < tx.Size() {
			return fmt.Errorf("%d of %d bytes are there", info.Size(), tx.Size())
		}
		meta := tx.Bucket(metaBucket)
		if meta == nil {
			return errForeign
		}
		switch v := string(meta.Get(versionKey)); {
		case v == version:
		case strings.HasPrefix(v, "urlsift state "):
			return otherVersion(v)
		default:
			return errForeign
		}
		for _, name := range buckets {
			if tx.Bucket(name) == nil {
				return errForeign
			}
		}
		return nil
	})
}

// errForeign is the error of a database that is not one of ours.
var errForeign = errors.New("it is no state of urlsift")

// An otherVersion is the error of a state that another version of urlsift has made.
type otherVersion string

func (v otherVersion) Error() string {
	return fmt.Sprintf("another version of urlsift has made this state (%q, not %q)", string(v), version)
}

// isSystem reports whether err is an error of the operating system.
func isSystem(err error) bool {
	var number syscall.Errno
	return errors.As(err, &number)
}

// pathError returns err with path in front of it.
func pathError(path string, err error) error {
	var of *os.PathError
	if errors.As(err, &of) {
		err = of.Err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// damagedError returns the error of a state that cannot be used because of err. It says
// what can be done.
func damagedError(path string, err error) error {
	hint := "; remove it to read everything again"
	if _, missing := os.Stat(path + ".bak"); missing == nil {
		hint = "; " + filepath.Base(path) + ".bak is the copy of the last good one"
	}
	return fmt.Errorf("%s: the state is damaged: %w%s", path, err, hint)
}

func (s *store) damaged(err error) error { return damagedError(s.path, err) }

// holder says which process has the state at path open, if that is known.
func holder(path string) string {
	b, err := os.ReadFile(path + ".pid")
	if pid := strings.TrimSpace(string(b)); err == nil && pid != "" {
		return " (process " + pid + ")"
	}
	return ""
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
