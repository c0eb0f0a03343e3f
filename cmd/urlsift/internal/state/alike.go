package state

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"

	bolt "go.etcd.io/bbolt"

	"github.com/urlsift/urlsift/extract"
)

const (
	// mostSame bounds the entries that are compared with a file: entries with the same inode, and
	// entries with the same text in other folders.
	mostSame = 64

	// mostAlike bounds the entries with the same text, or beginning, in the folder of the file.
	mostAlike = 1024
)

// A sibling is an entry of another file with the same stem.
type sibling struct {
	*entry
	former bool
	at     []byte // key in the bucket of former ones
}

// alike returns the entries that have the stem of name and whose text the file f begins
// with, the longest first.
func (s *store) alike(f *extract.File, name string) (list []sibling, err error) {
	stem := binary.BigEndian.AppendUint64(nil, stemOf(name))
	known := false
	if err = s.view(func(tx *bolt.Tx) error {
		k, _ := tx.Bucket(contentsBucket).Cursor().Seek(stem)
		known = bytes.HasPrefix(k, stem)
		return nil
	}); err != nil || !known {
		return nil, err
	}
	seek := func(from []byte) (key []byte) {
		if err != nil {
			return nil
		}
		failed := s.view(func(tx *bolt.Tx) error {
			k, _ := tx.Bucket(contentsBucket).Cursor().Seek(slices.Concat(stem, from))
			if bytes.HasPrefix(k, stem) && len(k) == len(contentKey{}) {
				key = bytes.Clone(k[ofKey:ofFolder])
			}
			return nil
		})
		if failed != nil {
			err = failed
		}
		return key
	}
	for _, key := range f.Keys(seek) {
		if err != nil {
			break
		}
		k := contentOf(name, key, 0)
		err = s.view(func(tx *bolt.Tx) error {
			here := k[:ofTag]
			if list, err = appendEntries(tx, list, here, nil, mostAlike); err != nil {
				return err
			}
			list, err = appendEntries(tx, list, k[:ofFolder], here, mostSame)
			return err
		})
	}
	slices.SortStableFunc(list, func(a, b sibling) int { return cmp.Compare(b.place.Text, a.place.Text) })
	return list, err
}

// appendEntries appends entries to list, up to the number most. It finds them by the keys in
// contents that begin with prefix, except the keys that begin with without.
func appendEntries(tx *bolt.Tx, list []sibling, prefix, without []byte, most int) ([]sibling, error) {
	c := tx.Bucket(contentsBucket).Cursor()
	for k, to := c.Seek(prefix); bytes.HasPrefix(k, prefix) && most > 0; k, to = c.Next() {
		if without != nil && bytes.HasPrefix(k, without) { // those were appended before
			continue
		}
		most--
		to, err := unseal(k, to)
		if err != nil {
			return list, err
		}
		key, isFormer := bytes.CutPrefix(to, []byte(former))
		bucket := tx.Bucket(filesBucket)
		if isFormer {
			bucket = tx.Bucket(formerBucket)
		}
		r, err := entryAt(bucket, key)
		if r == nil && err == nil {
			err = errEntry
		}
		if err != nil {
			return list, err
		}
		list = append(list, sibling{r, isFormer, bytes.Clone(key)})
	}
	return list, nil
}

// noHead is the beginning of the keys of Places with little text.
var noHead = make([]byte, 8)

// neighbours returns the entries of files in the folder of name that have its stem and may begin
// like f, at most mostAlike.
func (s *store) neighbours(f *extract.File, name string) (list []*entry, err error) {
	stem := binary.BigEndian.AppendUint64(nil, stemOf(name))
	folder := binary.BigEndian.AppendUint64(nil, folderOf(name))
	heads := [][]byte{noHead}
	if head := f.KeyPrefix(); head == nil {
		heads = [][]byte{nil} // any
	} else if !bytes.HasPrefix(noHead, head) {
		heads = append(heads, head)
	}
	err = s.view(func(tx *bolt.Tx) error {
		c := tx.Bucket(contentsBucket).Cursor()
		for _, head := range heads {
			from := slices.Concat(stem, head)
			for k, to := c.Seek(from); bytes.HasPrefix(k, from) && len(list) < mostAlike; k, to = c.Next() {
				if !bytes.Equal(k[ofFolder:ofTag], folder) || bytes.HasPrefix(to, []byte(former)) {
					continue
				}
				to, err := unseal(k, to)
				if err != nil {
					return err
				}
				r, err := entryAt(tx.Bucket(filesBucket), to)
				if r == nil && err == nil {
					err = errEntry
				}
				if err != nil {
					return err
				}
				list = append(list, r)
			}
		}
		return nil
	})
	return list, err
}
