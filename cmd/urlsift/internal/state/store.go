package state

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"path/filepath"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/state/system"
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
	opts  Options
	run   int64
	older bool   // the state was made by the version before
	dir   string // the working directory

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

	broken atomic.Bool // a transaction has failed in the middle of bbolt
}

// version is the value of versionKey in meta. A state of the version before, whose places have no
// messages of mailboxes, is read too, and gets the new version when it is opened to be written.
const (
	version       = versionPrefix + "6"
	versionBefore = versionPrefix + "5"
	versionPrefix = "urlsift state "
)

// The keys in meta.
var (
	versionKey = []byte("version")
	runsKey    = []byte("runs")
	lastKey    = []byte("last")
	outputsKey = []byte("outputs")
	sweptKey   = []byte("swept")
	roundsKey  = []byte("rounds")
)

// errPages is the error of a database with damaged pages.
var errPages = errors.New("its pages are not as they were written")

// view runs read in a transaction.
func (s *store) view(read func(tx *bolt.Tx) error) error {
	return s.shielded(func() error { return s.db.View(read) })
}

// update runs write in a transaction, and commits it.
func (s *store) update(write func(tx *bolt.Tx) error) error {
	return s.shielded(func() error { return s.db.Update(write) })
}

// shielded calls do, which uses the database. A panic of bbolt, or an access beyond the end of the
// file, is an error: the state was damaged while it was open, because its pages were checked before.
// Then bbolt may hold locks that it does not release, so the database is not used again.
func (s *store) shielded(do func() error) (err error) {
	if s.broken.Load() {
		return errPages
	}
	defer func() {
		if v := recover(); v != nil {
			s.broken.Store(true)
			err = errPages
		}
	}()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	return do()
}

// close closes the database. The system closes one that is broken.
func (s *store) close() error {
	if s.broken.Load() {
		return nil
	}
	return s.db.Close()
}

// put saves value under key, with a checksum. The caller does not use value again.
func put(bucket *bolt.Bucket, key, value []byte) error {
	return bucket.Put(key, binary.BigEndian.AppendUint32(value, sumOf(key, value)))
}

// get returns the value under key, or nil if there is none.
func get(bucket *bolt.Bucket, key []byte) ([]byte, error) {
	b := bucket.Get(key)
	if b == nil {
		return nil, nil
	}
	return unseal(key, b)
}

// putNumber saves n under key.
func putNumber(bucket *bolt.Bucket, key []byte, n uint64) error {
	return put(bucket, key, binary.BigEndian.AppendUint64(nil, n))
}

// number returns the number under key, or 0 if there is none.
func number(bucket *bolt.Bucket, key []byte) (uint64, error) {
	b, err := get(bucket, key)
	if err == nil && b != nil && len(b) != 8 {
		err = errEntry
	}
	if b == nil || err != nil {
		return 0, err
	}
	return binary.BigEndian.Uint64(b), nil
}

// unseal returns the value that put has saved as b under key.
func unseal(key, b []byte) ([]byte, error) {
	n := len(b) - sumLen
	if n < 0 || binary.BigEndian.Uint32(b[n:]) != sumOf(key, b[:n]) {
		return nil, errEntry
	}
	return b[:n:n], nil
}

// sumLen is the length of a checksum.
const sumLen = 4

// sumOf returns the checksum of a key and its value. It begins with the length of the key, so that
// it also differs if the border between key and value is at another place.
func sumOf(key, value []byte) uint32 {
	return crc32.Update(crc32.Update(uint32(len(key)), crc32.IEEETable, key), crc32.IEEETable, value)
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

// isGrowing reports whether a file that was changed at that time may be written to soon.
func (s *common) isGrowing(now, modified time.Time) bool {
	return !modified.After(now) && now.Sub(modified) < s.opts.Settle
}

// isUnchanged reports whether the file of the entry has not changed since, if it is this one now.
func (s *common) isUnchanged(was entryHeader, now system.Identity) bool {
	return system.Identity{Device: was.device, Inode: was.inode, Size: was.size, Modified: was.modified} == now && was.readHash == s.opts.ReadHash && was.flags&isYoung == 0 &&
		(was.flags&isWhole != 0 || s.isGrowing(time.Now(), time.Unix(0, was.modified)))
}

// nameOf returns the name in the state of the file at path.
func (s *common) nameOf(path string) string {
	if filepath.IsAbs(path) || s.dir == "" {
		return filepath.Clean(path)
	}
	return filepath.Join(s.dir, path)
}
