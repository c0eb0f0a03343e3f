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
	"syscall"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/state/system"
)

// How the database is made and opened, and the errors if that fails.

// create makes an empty state at path. The file gets that name only when it is complete.
func create(path string) error {
	made := path + newSuffix
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
		err = os.Link(made, path) // keep a state that another run has made meanwhile
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
		if v := recover(); v != nil { // bbolt panics if its file is damaged
			err = damagedError(path, errPages)
		}
	}()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	switch info, err := os.Stat(path); {
	case err != nil:
		return nil, pathError(path, err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: it is no regular file, as a state has to be", path)
	case info.Size() == 0:
		return nil, damagedError(path, errors.New("it is empty"))
	case !looksOurs(path) && !looksOurs(target(path)+copySuffix): // the file is ours, but its beginning is damaged
		return nil, pathError(path, errForeign)
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
	case errors.Is(err, errForeign):
		return nil, pathError(path, err)
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
				return errPages
			}
		}
		return nil
	})
}

// errForeign is the error of a database that is not one of ours.
var errForeign = errors.New("it is not a state of urlsift")

// The beginning of a meta page of bbolt: the number of the page, its flags, and a magic number, at
// these offsets in bytes. There are two such pages, with the page size of the system.
const (
	pageFlagsAt  = 8
	pageMarkAt   = 16
	pageHead     = pageMarkAt + 4
	metaFlag     = 4
	metaMark     = 0xED0CDAED
	smallestPage = 1 << 10
	largestPage  = 1 << 16
)

// looksOurs reports whether the file at path has one of the two pages with which a database
// of bbolt begins.
func looksOurs(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return true // the error is reported when the file is opened for use
	}
	defer f.Close()
	b := make([]byte, pageHead)
	for at := int64(0); at <= largestPage; at = max(smallestPage, 2*at) { // eight places
		n, _ := f.ReadAt(b, at)
		if n == pageHead && binary.NativeEndian.Uint16(b[pageFlagsAt:]) == metaFlag && binary.NativeEndian.Uint32(b[pageMarkAt:]) == metaMark {
			return true
		}
	}
	return false
}

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

// damagedError returns the error of a state that cannot be used because of err. Its message
// says what the user can do.
func damagedError(path string, err error) error {
	hint := "; remove it to read everything again"
	if kept := target(path) + copySuffix; isThere(kept) {
		if kept == path+copySuffix {
			kept = filepath.Base(kept)
		}
		hint = "; " + kept + " is the copy of the last good one"
	}
	return fmt.Errorf("%s: the state is damaged: %w%s", path, err, hint)
}

func isThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func (s *store) damaged(err error) error { return damagedError(s.path, err) }

// holder returns a description of the process that has the state at path open, if the system or the
// file written by that process shows it.
func holder(path string) string {
	if pid := system.LockedBy(path); pid > 0 {
		return fmt.Sprintf(" (process %d)", pid)
	}
	b, err := os.ReadFile(target(path) + pidSuffix)
	if pid, wrong := strconv.Atoi(strings.TrimSpace(string(b))); err == nil && wrong == nil {
		return fmt.Sprintf(" (process %d)", pid)
	}
	return ""
}
