package state

import (
	"errors"
	"runtime/debug"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"
)

// Options say where the state is and how it is used.
type Options struct {
	Path   string
	Settle time.Duration // how long a file must be unchanged until its end is read

	// ReadHash is extract.Options.ReadHash of the run. Files that were read with another value are
	// read again.
	ReadHash uint64

	Following bool // runs may happen at any moment, even while files are being rotated
}

// A common is what the parts of a State use.
type common struct {
	store
	opts Options
	run  int64
	dir  string // the working directory

	// OnFailure, if it is not nil, is called when the state has failed, so that the run ends.
	OnFailure func()

	mu     sync.Mutex
	failed error // the state cannot be read or written
}

// A store is the database of a state.
type store struct {
	path string // path of the state, as given
	file string // path with symbolic links resolved
	db   *bolt.DB
}

// version is the value of versionKey in meta.
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

// errPages is the error of a database with damaged pages.
var errPages = errors.New("its pages are not as they were written")

// view runs read in a transaction. A panic in it, or an access beyond the end of the file, is an
// error: the state is damaged.
func (s *store) view(read func(tx *bolt.Tx) error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = errPages
		}
	}()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	return s.db.View(read)
}

// guarded runs write in a transaction. A panic of bbolt is an error: the state is damaged.
func (s *store) guarded(write func(tx *bolt.Tx) error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = errPages
		}
	}()
	return s.db.Update(write)
}

// fail keeps the first error of the state.
func (s *common) fail(err error) {
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
func (s *common) Failed() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failed
}
