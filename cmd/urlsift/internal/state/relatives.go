package state

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	bolt "go.etcd.io/bbolt"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/state/system"
	"github.com/urlsift/urlsift/extract"
)

// sameFile returns the entry of that name, and the entries with that device and inode.
func (s *store) sameFile(name string, device, no uint64) (list []*entry, err error) {
	err = s.view(func(tx *bolt.Tx) error {
		files := tx.Bucket(filesBucket)
		switch r, err := entryAt(files, []byte(name)); {
		case err != nil:
			return err
		case r != nil:
			list = append(list, r)
		}
		if no == 0 {
			return nil // the system has none
		}
		return eachNamed(tx.Bucket(inodesBucket), no, func(key []byte) error {
			if string(key) == name {
				return nil
			}
			r, err := entryAt(files, key)
			if r != nil && r.inode == no && r.device == device {
				list = append(list, r)
			}
			return err
		})
	})
	return list, err
}

// eachNamed calls each for the names in the bucket under a number, at most mostSame of them.
func eachNamed(bucket *bolt.Bucket, number uint64, each func(name []byte) error) error {
	prefix := indexOf(number, "")
	c, n := bucket.Cursor(), 0
	for k, name := c.Seek(prefix[:numberLen]); bytes.HasPrefix(k, prefix[:numberLen]) && n < mostSame; k, name = c.Next() {
		name, err := unseal(k, name)
		if err == nil {
			err = each(name)
		}
		if err != nil {
			return err
		}
		n++
	}
	return nil
}

// isAt reports whether the file of r still has its name.
func isAt(r *entry) bool {
	id, ok := system.Identify(r.name)
	return ok && id.Device == r.device && id.Inode == r.inode
}

// isAlive reports whether the file of r still exists with the bytes that were read, under the same
// name or one with the same stem in the same folder. f is the file that is being looked up.
func isAlive(f *extract.File, r *entry) bool {
	if r.inode == 0 {
		return false // the system has no inodes, and the file of that name is the one that is being read
	}
	path, ok := whereIs(r)
	return ok && holds(f, path, r)
}

// whereIs returns the name that the file of r has now, if it is in the same folder and has
// the same stem.
func whereIs(r *entry) (path string, ok bool) {
	if isAt(r) {
		return r.name, true
	}
	folder := filepath.Dir(r.name)
	names, err := readNames(folder)
	if err != nil {
		return "", false
	}
	st := stemOf(r.name)
	for _, name := range names { // at most mostNames
		if stemOf(name) != st {
			continue
		}
		path := filepath.Join(folder, name)
		if id, ok := system.Identify(path); ok && id.Device == r.device && id.Inode == r.inode {
			return path, true
		}
	}
	return "", false
}

// mostNames bounds the names in a folder among which a renamed file is searched for.
const mostNames = 1 << 16

// readNames returns the names in a folder, at most mostNames.
func readNames(folder string) ([]string, error) {
	d, err := os.Open(folder)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	names, err := d.Readdirnames(mostNames)
	if len(names) > 0 {
		err = nil
	}
	return names, err
}

// holds reports whether the file at path still begins with the bytes that were read for r. f is the
// file that is being looked up. A file that cannot be opened is assumed to hold those bytes.
func holds(f *extract.File, path string, r *entry) (does bool) {
	err := f.Other(path, func(other *extract.File) { does = other.Continues(&r.place) })
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrInvalid)
	}
	return does
}
