package state

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"

	"github.com/urlsift/urlsift/extract"
)

// runOver runs over path with the state at file, and returns the hosts that are yielded.
func runOver(t *testing.T, file, path string) (hosts string) {
	t.Helper()
	s, err := Open(Options{Path: file})
	if err != nil {
		t.Fatal(err)
	}
	s.Written = func() (OutputFile, error) { return OutputFile{}, nil }
	x, err := extract.New(extract.Options{Resume: s.Resume()})
	if err != nil {
		t.Fatal(err)
	}
	for r, err := range x.Run(context.Background(), s.Sources(extract.Walk(path))) {
		if err != nil {
			t.Fatal(err)
		}
		hosts += strings.TrimPrefix(string(r.URL), "http://") + " "
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return hosts
}

// stateAt opens the state at file, whatever its version.
func stateAt(t *testing.T, file string) *State {
	t.Helper()
	db, err := bolt.Open(file, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	return newState(Options{Path: file}, db)
}

// older makes the state at file one of the version before.
func older(t *testing.T, file string) {
	t.Helper()
	s := stateAt(t, file)
	defer s.db.Close()
	if err := s.update(func(tx *bolt.Tx) error {
		if err := put(tx.Bucket(metaBucket), versionKey, []byte(versionBefore)); err != nil {
			return err
		}
		return tx.DeleteBucket(messagesBucket)
	}); err != nil {
		t.Fatal(err)
	}
}

// TestUpgrade reads a state of the version before: nothing is found again, and the messages are learned from then on.
func TestUpgrade(t *testing.T) {
	dir := t.TempDir()
	file, box := filepath.Join(dir, "s"), filepath.Join(dir, "box")
	letters := func(from, to int, fields string) {
		var b strings.Builder
		for i := from; i < to; i++ {
			fmt.Fprintf(&b, "From a@b.example Mon Nov 23 00:10:00 2026\n%sSubject: %d\nFrom: a@b.example\n\nhttp://m%d.example\n\n", fields, i, i)
		}
		f, err := os.OpenFile(box, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
		if err == nil {
			_, err = f.WriteString(b.String())
			_ = f.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	expect := func(want string) {
		t.Helper()
		if got := runOver(t, file, box); got != want {
			t.Errorf("yielded %q, not %q", got, want)
		}
	}
	letters(0, 3, "")
	expect("m0.example m1.example m2.example ")
	older(t, file)
	if sum, err := Show(file, func(Known) error { return nil }); err != nil {
		t.Error(sum, err)
	}
	letters(3, 5, "")
	expect("m3.example m4.example ")
	if err := os.Remove(box); err != nil {
		t.Fatal(err)
	}
	letters(1, 6, "Status: RO\n")
	letters(1, 2, "")
	expect("m1.example m5.example m1.example ") // the version before did not know m1; then also a second copy
	expect("")
}

// TestUpgradeMissing checks that a state of this version that lacks a bucket is damaged.
func TestUpgradeMissing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s")
	s, err := Open(Options{Path: file})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.update(func(tx *bolt.Tx) error { return tx.DeleteBucket(messagesBucket) }); err != nil {
		t.Fatal(err)
	}
	_ = s.db.Close()
	if _, err := Open(Options{Path: file}); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("opened: %v", err)
	}
}

// TestUpgradeOther checks the message for a version that is not read.
func TestUpgradeOther(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s")
	s, err := Open(Options{Path: file})
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range []string{versionPrefix + "4", versionPrefix + "7"} {
		if err := s.update(func(tx *bolt.Tx) error { return put(tx.Bucket(metaBucket), versionKey, []byte(other)) }); err != nil {
			t.Fatal(err)
		}
		_ = s.db.Close()
		_, err := Open(Options{Path: file})
		if want := fmt.Sprintf("another version of urlsift has made this state (%q, not %q); remove it", other, version); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, not %q", err, want)
		}
		s = stateAt(t, file)
	}
	_ = s.db.Close()
}
