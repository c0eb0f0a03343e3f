package state

import (
	"bytes"
	"encoding/binary"
	"path/filepath"

	"github.com/cespare/xxhash/v2"
	bolt "go.etcd.io/bbolt"
)

// A renamed file is recognised by the text that was read of it. Comparing it with all entries
// would take long: a folder may have thousands of logs with the same stem. A key in the bucket
// of contents begins with the stem and the key of the [extract.Place]. So a search finds the
// texts with which a file may begin in order of their length: see store.alike.

// A contentKey is a key in the bucket contents. Its value is the name of a file or, after the byte
// former, the key of a former entry.
type contentKey [6 * 8]byte

// Offsets in a contentKey: of the key of a Place, and of the fields after it.
const (
	ofKey    = 8
	ofFolder = 32
	ofTag    = 40
)

// former is in front of the key of a former entry. No name begins with it.
const former = aside

// contentOf returns the contentKey for a file of that name and the key of its place. The tag makes
// the contentKey differ from others with the same name and place.
func contentOf(name string, key []byte, tag uint64) (k contentKey) {
	b := binary.BigEndian.AppendUint64(k[:0], stemOf(name))
	b = append(b, key...)
	b = binary.BigEndian.AppendUint64(b, folderOf(name))
	binary.BigEndian.AppendUint64(b, tag)
	return k
}

// folderOf returns a hash of the folder of the file of that name.
func folderOf(name string) uint64 { return xxhash.Sum64String(filepath.Dir(pathOf(name))) }

// An indexed is a key in a bucket whose value is the name of a file.
type indexed struct {
	bucket, key []byte
}

// indexes returns the keys that lead to the file of r.
func (r *entry) indexes() []indexed {
	inode := indexOf(r.inode, r.name)
	list := []indexed{{inodesBucket, inode[:]}}
	if rotates(r.name) {
		k := contentOf(r.name, r.place.AppendKey(nil), xxhash.Sum64String(r.name))
		list = append(list, indexed{contentsBucket, k[:]})
	}
	return list
}

// putIndexes adds the keys of r, and removes those of was, if it is not nil.
func putIndexes(tx *bolt.Tx, r, was *entry) error {
	if was != nil {
		if err := dropIndexes(tx, was); err != nil {
			return err
		}
	}
	for _, in := range r.indexes() {
		if err := put(tx.Bucket(in.bucket), in.key, []byte(r.name)); err != nil {
			return err
		}
	}
	return nil
}

// dropIndexes removes the keys of r.
func dropIndexes(tx *bolt.Tx, r *entry) error {
	for _, in := range r.indexes() {
		if err := tx.Bucket(in.bucket).Delete(in.key); err != nil {
			return err
		}
	}
	return nil
}

// mostFormer is how many former entries of a name are kept.
const mostFormer = 16

// putFormer saves r as a former entry, and removes the oldest one of its name if there are
// too many. The key of a former entry is a hash of its stem, a hash of its name, and a number.
func putFormer(tx *bolt.Tx, r *entry) error {
	if r.place.Text == 0 {
		return nil
	}
	bucket := tx.Bucket(formerBucket)
	n, err := bucket.NextSequence()
	if err != nil {
		return err
	}
	prefix := binary.BigEndian.AppendUint64(nil, stemOf(r.name))
	prefix = binary.BigEndian.AppendUint64(prefix, xxhash.Sum64String(r.name))
	var first []byte
	count := 0
	c := bucket.Cursor()
	for k, _ := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, _ = c.Next() { // at most mostFormer
		if count++; first == nil {
			first = bytes.Clone(k)
		}
	}
	if count >= mostFormer {
		if err := dropFormer(tx, first); err != nil {
			return err
		}
	}
	key := binary.BigEndian.AppendUint64(prefix, n)
	if err := put(bucket, key, r.appendTo(nil)); err != nil {
		return err
	}
	k := contentOf(r.name, r.place.AppendKey(nil), n)
	return put(tx.Bucket(contentsBucket), k[:], append([]byte(former), key...))
}

// dropFormer removes the former entry with that key, if it is there.
func dropFormer(tx *bolt.Tx, key []byte) error {
	bucket := tx.Bucket(formerBucket)
	r, err := entryAt(bucket, key)
	if r == nil {
		return err
	}
	k := contentOf(r.name, r.place.AppendKey(nil), binary.BigEndian.Uint64(key[16:]))
	if err := tx.Bucket(contentsBucket).Delete(k[:]); err != nil {
		return err
	}
	return bucket.Delete(key)
}

// removeFile removes the entry of a file with the identities of its messages, unless the current run has made the entry of that name:
// then this entry describes another file.
func removeFile(tx *bolt.Tx, old *entry, run int64) error {
	files := tx.Bucket(filesBucket)
	r, err := entryAt(files, []byte(old.name))
	if r == nil || r.run == run || r.id() != old.id() {
		return err
	}
	if err := dropIndexes(tx, r); err != nil {
		return err
	}
	if err := tx.Bucket(goneBucket).Delete([]byte(old.name)); err != nil {
		return err
	}
	if err := dropMessages(tx, old.name); err != nil {
		return err
	}
	return files.Delete([]byte(old.name))
}

// fillPercent is how full bbolt makes the pages of names. Most names arrive in order, so pages
// can be nearly full.
const fillPercent = 0.9
