package state

import (
	"bytes"
	"encoding/binary"
	"slices"

	bolt "go.etcd.io/bbolt"
)

// The URLs that were printed. If each URL were a key in a bucket, it would take 40 bytes, and
// saving a batch would write a page for nearly each URL. So a value has all hashes with the same
// first two bytes, in order. A run writes its new hashes in sorted batches, and merges them with
// these lists when it ends. So each hash is written twice, however often the run saves. The lists
// have the URLs of earlier runs; the caller knows those of the current run. If a run was killed,
// the next one merges its batches when it begins.

// A URL is the hash of a URL that was printed: the first 80 bits of its SHA-256. Among ten
// million, two have the same one with a probability of 4 in 10^11.
type URL [10]byte

const (
	prefixLen = 2
	restLen   = len(URL{}) - prefixLen
)

// putBatch saves urls, in any order, as a batch.
func putBatch(bucket *bolt.Bucket, urls []URL) error {
	if len(urls) == 0 {
		return nil
	}
	slices.SortFunc(urls, func(a, b URL) int { return bytes.Compare(a[:], b[:]) })
	b := make([]byte, 0, len(urls)*len(URL{})+sumLen)
	for _, u := range urls {
		b = append(b, u[:]...)
	}
	n, err := bucket.NextSequence()
	if err != nil {
		return err
	}
	return put(bucket, binary.BigEndian.AppendUint64(nil, n), b)
}

// mergeBytes is about how many bytes one transaction writes while batches are merged.
const mergeBytes = 8 << 20

// mergeURLs merges all batches with the lists, and removes them. If it is interrupted, it
// begins again and finds what it has merged in the lists. Each iteration is a transaction.
func (s *store) mergeURLs() error {
	m := merger{}
	for m.prefix < 1<<(8*prefixLen) {
		found := true
		if err := s.view(func(tx *bolt.Tx) error {
			k, _ := tx.Bucket(batchesBucket).Cursor().First()
			found = k != nil
			return nil
		}); err != nil || !found {
			return err
		}
		if err := s.update(m.mergeSome); err != nil {
			return err
		}
	}
	return s.update(func(tx *bolt.Tx) error {
		if err := tx.DeleteBucket(batchesBucket); err != nil {
			return err
		}
		_, err := tx.CreateBucket(batchesBucket)
		return err
	})
}

// A merger merges batches with the lists.
type merger struct {
	prefix int      // the next list
	at     []int    // the next byte of each batch
	next   []byte   // the new hashes for a list, without the prefix
	rest   [][]byte // the rest of each batch; valid in one transaction
	made   []byte   // the lists of one transaction

	all [][restLen]byte // of merge
}

// mergeSome merges lists until it has written mergeBytes. Each iteration handles a list.
func (m *merger) mergeSome(tx *bolt.Tx) error {
	lists := tx.Bucket(urlsBucket)
	lists.FillPercent = fillPercent
	m.rest, m.made = m.rest[:0], m.made[:0]
	if err := tx.Bucket(batchesBucket).ForEach(func(k, b []byte) error {
		b, err := unseal(k, b)
		if err == nil && len(b)%len(URL{}) != 0 {
			err = errEntry
		}
		if err != nil {
			return err
		}
		if len(m.at) == len(m.rest) {
			m.at = append(m.at, 0)
		}
		m.rest = append(m.rest, b[m.at[len(m.rest)]:])
		return nil
	}); err != nil {
		return err
	}
	for written := 0; written < mergeBytes && m.prefix < 1<<(8*prefixLen); m.prefix++ {
		key := binary.BigEndian.AppendUint16(nil, uint16(m.prefix))
		if m.take(key); len(m.next) == 0 {
			continue
		}
		list, err := get(lists, key)
		if err == nil {
			list, err = m.merge(list)
		}
		if err == nil {
			err = put(lists, key, list)
		}
		if err != nil {
			return err
		}
		written += len(list)
	}
	return nil
}

// take sets m.next to the hashes of all batches with that prefix.
func (m *merger) take(prefix []byte) {
	m.next = m.next[:0]
	for i, b := range m.rest {
		for len(b) > 0 && bytes.HasPrefix(b, prefix) {
			m.next = append(m.next, b[prefixLen:len(URL{})]...)
			b = b[len(URL{}):]
		}
		m.at[i] += len(m.rest[i]) - len(b)
		m.rest[i] = b
	}
}

// merge appends to m.made the hashes of list and of m.next, in order and each once, and room for a
// checksum. It returns the hashes.
func (m *merger) merge(list []byte) ([]byte, error) {
	if len(list)%restLen != 0 {
		return nil, errEntry
	}
	m.all = m.all[:0]
	for _, part := range [...][]byte{list, m.next} {
		for ; len(part) > 0; part = part[restLen:] {
			m.all = append(m.all, [restLen]byte(part))
		}
	}
	slices.SortFunc(m.all, func(a, b [restLen]byte) int { return bytes.Compare(a[:], b[:]) })
	m.all = slices.Compact(m.all)
	from := len(m.made)
	for i := range m.all {
		m.made = append(m.made, m.all[i][:]...)
	}
	made := m.made[from:]
	m.made = append(m.made, make([]byte, sumLen)...)
	return made, nil
}
