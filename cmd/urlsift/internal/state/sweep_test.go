package state

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"
)

// TestSweep checks that a file is forgotten when its name has been missing for a month, however
// long ago it was read.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(Options{Path: filepath.Join(dir, "s")})
	if err != nil {
		t.Fatal(err)
	}
	defer s.db.Close()
	long := time.Now().Add(-1000 * time.Hour).Unix()
	err = s.update(func(tx *bolt.Tx) error {
		for _, name := range []string{"a", "b", "c"} {
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, nil, 0o666); err != nil {
				return err
			}
			if err := s.putFile(tx, &pending{entry: entry{name: path, read: long, run: 1}}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	for _, step := range []struct {
		days   int    // later
		move   string // from
		to     string
		remain string // names that the state still has
	}{
		{1, "a", "x", "abc"},
		{29, "b", "y", "abc"},
		{3, "x", "a", "abc"}, // a exists again
		{28, "a", "x", "ac"},
		{1, "", "", "ac"},
		{28, "", "", "ac"},
		{2, "", "", "c"},
	} {
		if step.move != "" {
			if err := os.Rename(filepath.Join(dir, step.move), filepath.Join(dir, step.to)); err != nil {
				t.Fatal(err)
			}
		}
		now = now.Add(time.Duration(step.days) * 24 * time.Hour)
		if err := s.sweep(now); err != nil {
			t.Fatal(err)
		}
		remain := ""
		for _, name := range []string{"a", "b", "c"} {
			if s.entryOf(filepath.Join(dir, name)) != nil {
				remain += name
			}
		}
		if remain != step.remain {
			t.Fatalf("after %v: %q remain, not %q", step, remain, step.remain)
		}
	}
}
