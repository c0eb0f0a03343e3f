package state

import (
	"bytes"
	"slices"
	"sort"

	bolt "go.etcd.io/bbolt"
)

// The URLs that were printed. A bucket with a key for each would take 40 bytes for one, and
// write a page for nearly each of a batch. So a value has all hashes with the same first
// two bytes, in order. A transaction with many new ones writes all of the values once.

// A URL is the hash of a URL that was printed: the first 80 bits of its SHA-256. Among ten
// million, two have the same one with a probability of 4 in 10^11.
type URL [10]byte

const (
	prefixLen = 2
	restLen   = len(URL{}) - prefixLen
)

// Printed reports whether u was printed by an earlier run. If not, it is saved as printed
// with the next transaction.
func (s *State) Printed(u URL) bool {
	found := false
	err := s.view(func(tx *bolt.Tx) error {
		list := tx.Bucket(urlsBucket).Get(u[:prefixLen])
		if len(list)%restLen != 0 {
			return errRecord
		}
		i := sort.Search(len(list)/restLen, func(i int) bool { return bytes.Compare(list[i*restLen:][:restLen], u[prefixLen:]) >= 0 })
		found = i < len(list)/restLen && bytes.Equal(list[i*restLen:][:restLen], u[prefixLen:])
		return nil
	})
	if err != nil {
		s.fail(s.damaged(err))
	}
	if !found {
		s.changes.urls = append(s.changes.urls, u)
	}
	return found
}

// putURLs adds urls, in any order, to the bucket. Each iteration merges those of a prefix.
func putURLs(bucket *bolt.Bucket, urls []URL) error {
	slices.SortFunc(urls, func(a, b URL) int { return bytes.Compare(a[:], b[:]) })
	urls = slices.Compact(urls)
	for len(urls) > 0 {
		prefix, n := urls[0][:prefixLen], 1
		for n < len(urls) && bytes.Equal(urls[n][:prefixLen], prefix) {
			n++
		}
		old := bucket.Get(prefix)
		merged := make([]byte, 0, len(old)+n*restLen)
		for _, u := range urls[:n] {
			for len(old) >= restLen && bytes.Compare(old[:restLen], u[prefixLen:]) < 0 {
				merged, old = append(merged, old[:restLen]...), old[restLen:]
			}
			if len(old) >= restLen && bytes.Equal(old[:restLen], u[prefixLen:]) {
				continue
			}
			merged = append(merged, u[prefixLen:]...)
		}
		if err := bucket.Put(bytes.Clone(prefix), append(merged, old...)); err != nil {
			return err
		}
		urls = urls[n:]
	}
	return nil
}
