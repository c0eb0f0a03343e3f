package state

import (
	"encoding/binary"
	"math/rand/v2"
	"path/filepath"
	"testing"

	bolt "go.etcd.io/bbolt"
)

// TestURLs saves URLs in runs that end or are killed, also while they merge. Each run must know the
// URLs that earlier runs have saved, and the state must have each once.
func TestURLs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	pick := rand.New(rand.NewPCG(5, 6))
	known := map[URL]bool{}
	urlOf := func(n int) (u URL) {
		binary.BigEndian.PutUint32(u[:], uint32(n)*2654435761)
		u[9] = byte(n)
		return u
	}
	for run := range 12 {
		s, err := Open(Options{Path: path})
		if err != nil {
			t.Fatal(err)
		}
		s.Written = func() (OutputFile, error) { return OutputFile{}, nil }
		now := map[URL]bool{}
		for range 3 {
			for range 3000 {
				u := urlOf(pick.IntN(40000))
				if now[u] {
					continue // the caller would not ask about this URL
				}
				now[u] = true
				if s.Printed(u) != known[u] {
					t.Fatalf("run %d: %x is printed: %v", run, u, !known[u])
				}
			}
			s.Save()
		}
		for u := range now {
			known[u] = true
		}
		switch run % 3 {
		case 0:
			err = s.Close()
		case 1: // killed after the last batch
			err = s.db.Close()
		default: // killed after a part was merged
			m := merger{prefix: 30000}
			if err = s.update(m.mergeSome); err == nil {
				err = s.db.Close()
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	s, err := Open(Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	defer s.db.Close()
	n := 0
	err = s.view(func(tx *bolt.Tx) error {
		if k, _ := tx.Bucket(batchesBucket).Cursor().First(); k != nil {
			t.Error("there are batches after Open")
		}
		return tx.Bucket(urlsBucket).ForEach(func(_, b []byte) error {
			n += len(b) / restLen
			return nil
		})
	})
	if err != nil || n != len(known) {
		t.Errorf("%d URLs are kept of %d; %v", n, len(known), err)
	}
}
