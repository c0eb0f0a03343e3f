package state

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/state/system"
)

// How the database is made and opened, and the errors if that fails.

// lockWait is how long a run waits for another one to end.
const lockWait = 200 * time.Millisecond

// lockAgain is how long it waits between two attempts.
const lockAgain = 10 * time.Millisecond

// errInUse is the error of a file that another run has locked.
var errInUse = errors.New("in use by another run")

// lock locks f, and waits if another run has locked it.
func lock(f *os.File, shared bool) error {
	for began := time.Now(); ; time.Sleep(lockAgain) {
		locked, err := system.TryLock(f, shared)
		if locked || err != nil {
			return err
		}
		if time.Since(began) > lockWait {
			return errInUse
		}
	}
}

// create makes an empty state at path, and reports whether it did: another run may be faster. The
// file gets that name only when it is complete. Until then it has the name FILE.new, and is locked.
// So a FILE.new that no run has locked is left over, and may be removed.
func create(path string) (made bool, err error) {
	for began := time.Now(); ; {
		if _, err := os.Lstat(path); err == nil {
			return false, nil
		}
		f, err := os.OpenFile(path+newSuffix, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		isNew := err == nil
		if errors.Is(err, os.ErrExist) {
			if f, err = system.OpenRegular(path+newSuffix, os.O_RDWR); errors.Is(err, os.ErrNotExist) {
				continue // the other run has finished
			}
		}
		if err != nil {
			return false, err
		}
		locked, err := system.TryLock(f, false)
		removed := true
		if err == nil && locked && system.IsAt(f, path+newSuffix) {
			if isNew {
				made, err = publish(f, path)
			}
			removed = os.Remove(path+newSuffix) == nil
		}
		_ = f.Close()
		if !removed {
			_ = os.Remove(path + newSuffix) // a system that cannot remove an open file
		}
		if made || err != nil && !errors.Is(err, os.ErrExist) {
			return made, err
		}
		if !locked {
			if time.Since(began) > lockWait {
				return false, errInUse
			}
			time.Sleep(lockAgain)
		}
	}
}

// publish writes an empty state into f, whose name is FILE.new and which is locked, and gives it the
// name path.
func publish(f *os.File, path string) (made bool, err error) {
	db, remove, err := inMemory()
	if err != nil {
		return false, err
	}
	defer remove()
	defer db.Close()
	err = db.View(func(tx *bolt.Tx) error {
		_, err := tx.WriteTo(f)
		return err
	})
	if err == nil {
		err = f.Sync()
	}
	if err == nil {
		err = os.Link(f.Name(), path)
		if err != nil && !errors.Is(err, os.ErrExist) { // a file system without links; other runs wait for the lock
			if _, there := os.Lstat(path); there == nil {
				return false, os.ErrExist
			}
			err = os.Rename(f.Name(), path)
		}
	}
	return err == nil, err
}

// inMemory returns an empty state in memory, if the system has files in memory, otherwise in a
// temporary file. The caller calls remove after it is closed.
func inMemory() (db *bolt.DB, remove func(), err error) {
	file, remove, err := system.TempFile(nameless)
	if err != nil {
		return nil, nil, err
	}
	db, err = bolt.Open(file.Name(), 0o600, &bolt.Options{NoSync: true, NoGrowSync: true, FreelistType: bolt.FreelistMapType,
		OpenFile: func(string, int, os.FileMode) (*os.File, error) { return file, nil }})
	if err == nil {
		err = fill(db)
	}
	if err != nil {
		_ = file.Close()
		remove()
		return nil, nil, err
	}
	return db, remove, nil
}

// fill makes the buckets of an empty state.
func fill(db *bolt.DB) error {
	return db.Update(func(tx *bolt.Tx) error {
		for _, name := range buckets {
			if _, err := tx.CreateBucket(name); err != nil {
				return err
			}
		}
		return put(tx.Bucket(metaBucket), versionKey, []byte(version))
	})
}

// open opens the database at path, and checks that it is one of ours and as it was written.
func open(path string, reading bool) (*bolt.DB, error) {
	flag := os.O_RDWR
	if reading {
		flag = os.O_RDONLY
	}
	f, err := system.OpenRegular(target(path), flag)
	if err != nil {
		return nil, openError(path, err)
	}
	if err = lock(f, reading); err == nil { // before anything is read: another run may be writing
		err = checkFile(f)
	}
	if err != nil {
		_ = f.Close()
		return nil, openError(path, err)
	}
	var db *bolt.DB
	s := store{path: path}
	err = s.shielded(func() (err error) {
		db, err = bolt.Open(path, 0o600, &bolt.Options{Timeout: lockWait, FreelistType: bolt.FreelistMapType, ReadOnly: reading,
			OpenFile: func(string, int, os.FileMode) (*os.File, error) { return f, nil }})
		return err
	})
	if errors.Is(err, bolterrors.ErrTimeout) {
		err = errInUse
	}
	if err != nil {
		return nil, openError(path, err)
	}
	return db, nil
}

// checkFile returns an error if f is not a state, or not as it was written.
func checkFile(f *os.File) error {
	info, err := f.Stat()
	switch {
	case err != nil:
		return err
	case info.Size() == 0:
		return errEmpty
	}
	err = checkPages(f, info.Size())
	if err != nil && !hasMetaPage(f) && !looksOurs(f.Name()+copySuffix) { // with a copy, the file is ours and its beginning is damaged
		return errForeign
	}
	return err
}

// openError returns the error of a state at path that cannot be used because of err.
func openError(path string, err error) error {
	var other otherVersion
	switch {
	case errors.Is(err, system.ErrIrregular):
		return fmt.Errorf("%s: %w, as a state has to be", path, system.ErrIrregular)
	case errors.Is(err, errInUse):
		return fmt.Errorf("%s: %w%s", path, errInUse, holder(path))
	case errors.Is(err, errForeign), isSystem(err):
		return pathError(path, err)
	case errors.As(err, &other):
		return fmt.Errorf("%s: %w; remove it to read everything again", path, err)
	}
	return damagedError(path, err)
}

// errEmpty is the error of a file without bytes.
var errEmpty = errors.New("it is empty")

// errForeign is the error of a database that is not one of ours.
var errForeign = errors.New("it is not a state of urlsift")

// isGood reports whether the file at path is a state as it was written.
func isGood(path string) bool {
	f, err := system.OpenRegular(path, os.O_RDONLY)
	if err != nil {
		return false
	}
	defer f.Close()
	return checkFile(f) == nil
}

// looksOurs reports whether the file at path has one of the two pages with which a database
// of bbolt begins.
func looksOurs(path string) bool {
	f, err := system.OpenRegular(path, os.O_RDONLY)
	if err != nil {
		return false
	}
	defer f.Close()
	return hasMetaPage(f)
}

// hasMetaPage reports whether f has the beginning of one of the two meta pages. The second one
// begins at the size of a page, which differs among systems.
func hasMetaPage(f *os.File) bool {
	var b [pageHeaderLen + 4]byte
	for at := int64(0); at <= largestPage; at = max(smallestPage, 2*at) { // 16 places
		n, _ := f.ReadAt(b[:], at)
		if n == len(b) && binary.NativeEndian.Uint16(b[8:]) == metaPage && binary.NativeEndian.Uint32(b[pageHeaderLen:]) == metaMark {
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
	var link *os.LinkError
	switch {
	case errors.As(err, &of):
		err = of.Err
	case errors.As(err, &link):
		err = link.Err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// damagedError returns the error of a state that cannot be used because of err. Its message
// says what the user can do.
func damagedError(path string, err error) error {
	hint := "; remove it to read everything again"
	if kept := target(path) + copySuffix; isGood(kept) {
		if kept == path+copySuffix {
			kept = filepath.Base(kept)
		}
		hint = "; " + kept + " is the copy of the last good one"
	}
	return fmt.Errorf("%s: the state is damaged: %w%s", path, err, hint)
}

// problem returns the error of a state that is open and cannot be used because of err.
func (s *store) problem(err error) error {
	if isDamage(err) {
		return s.damaged(err)
	}
	return pathError(s.path, err)
}

// isDamage reports whether err says that something is not as it was written.
func isDamage(err error) bool { return errors.Is(err, errEntry) || errors.Is(err, errPages) }

func (s *store) damaged(err error) error { return damagedError(s.path, err) }

// holder returns a description of the process that has the state at path open, if the system or the
// file written by that process shows it.
func holder(path string) string {
	pid := system.LockedBy(path)
	if pid <= 0 {
		pid = writtenPid(target(path) + pidSuffix)
	}
	if pid <= 0 {
		return ""
	}
	return fmt.Sprintf(" (process %d)", pid)
}

// writtenPid returns the number in the file at path, or 0.
func writtenPid(path string) int {
	f, err := system.OpenRegular(path, os.O_RDONLY)
	if err != nil {
		return 0
	}
	defer f.Close()
	var b [20]byte
	n, _ := f.Read(b[:])
	pid, _ := strconv.Atoi(strings.TrimSpace(string(b[:n])))
	return pid
}
