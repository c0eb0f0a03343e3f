package state

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"time"

	bolt "go.etcd.io/bbolt"
)

// Entries of missing files are removed only some time later, because a disk may be unmounted for a
// while, and a file may come back.

const (
	sweepEvery = 24 * time.Hour
	keepGone   = 30 * 24 * time.Hour // time since the name was first missing

	// mostSwept bounds the entries that are examined in one transaction.
	mostSwept = 4096
)

// sweep removes the entries whose names were missing in every sweep for the time keepGone,
// and former entries that were read longer ago than that. It does this at most once a day.
func (s *store) sweep(now time.Time) error {
	last := time.Unix(0, 0)
	err := s.view(func(tx *bolt.Tx) error {
		n, err := number(tx.Bucket(metaBucket), sweptKey)
		last = timeOf(n)
		return err
	})
	if err != nil || now.After(last) && now.Sub(last) < sweepEvery {
		return err
	}
	for from := []byte{}; from != nil; {
		if from, err = s.sweepSome(now, from); err != nil {
			return err
		}
	}
	return s.update(func(tx *bolt.Tx) error {
		if err := sweepFormer(tx, now.Add(-keepGone).Unix()); err != nil {
			return err
		}
		return putNumber(tx.Bucket(metaBucket), sweptKey, uint64(now.Unix()))
	})
}

// sweepSome examines at most mostSwept entries, the first one at the name from. It returns
// the name to continue at, or nil at the end.
func (s *store) sweepSome(now time.Time, from []byte) (next []byte, err error) {
	var there, missing, gone [][]byte
	err = s.view(func(tx *bolt.Tx) error {
		known := tx.Bucket(goneBucket)
		c := tx.Bucket(filesBucket).Cursor()
		n := 0
		for name, _ := c.Seek(from); name != nil; name, _ = c.Next() { // at most mostSwept
			if n++; n > mostSwept {
				next = bytes.Clone(name)
				break
			}
			since, err := number(known, name)
			if err != nil {
				return err
			}
			switch isGone := isGone(string(name)); {
			case isGone && since == 0, isGone && timeOf(since).After(now): // the second case: the clock was set back
				missing = append(missing, bytes.Clone(name))
			case isGone && now.Sub(timeOf(since)) > keepGone:
				gone = append(gone, bytes.Clone(name))
			case !isGone && since != 0:
				there = append(there, bytes.Clone(name))
			}
		}
		return nil
	})
	if err != nil || len(there)+len(missing)+len(gone) == 0 {
		return next, err
	}
	return next, s.update(func(tx *bolt.Tx) error {
		known := tx.Bucket(goneBucket)
		for _, name := range missing {
			if err := putNumber(known, name, uint64(now.Unix())); err != nil {
				return err
			}
		}
		for _, name := range gone {
			r, err := entryAt(tx.Bucket(filesBucket), name)
			if r != nil {
				err = removeFile(tx, r, 0)
			}
			if err != nil {
				return err
			}
		}
		for _, name := range there {
			if err := known.Delete(name); err != nil {
				return err
			}
		}
		return nil
	})
}

// isGone reports whether there is no file of that name in the state.
func isGone(name string) bool {
	path := pathOf(name)
	if path != name {
		return true // a file that has lost its name
	}
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// sweepFormer removes the former entries whose read time is earlier than before.
func sweepFormer(tx *bolt.Tx, before int64) error {
	var old [][]byte
	err := tx.Bucket(formerBucket).ForEach(func(k, b []byte) error {
		r, err := parseEntry(k, b)
		if err == nil && r.read < before {
			old = append(old, bytes.Clone(k))
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, k := range old {
		if err := dropFormer(tx, k); err != nil {
			return err
		}
	}
	return nil
}

// timeOf returns the time n seconds after 1970.
func timeOf(n uint64) time.Time { return time.Unix(int64(n), 0) }
