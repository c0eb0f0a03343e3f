package extract

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestListing lists what os.ReadDir does, in the same order, and fails alike.
func TestListing(t *testing.T) {
	dir := t.TempDir()
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range 1500 {
		var b strings.Builder
		for range 1 + rnd.IntN(12) {
			b.WriteString([]string{"a", "b", "A", "0", "-", " ", "ä", "aaaaaaaa", "\x01", "\xff", "12345678"}[rnd.IntN(11)])
		}
		path := filepath.Join(dir, b.String())
		var err error
		switch i % 50 {
		case 0:
			err = os.Mkdir(path, 0o700)
		case 1:
			err = os.Symlink("nowhere", path)
		default:
			err = os.WriteFile(path, nil, 0o600)
		}
		if err != nil && !os.IsExist(err) && i%50 < 2 {
			t.Skip(err) // a system that has no such names, or links
		}
	}
	if err := os.WriteFile(filepath.Join(dir, strings.Repeat("n", 255)), nil, 0o600); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{dir, dir + "/", filepath.Join(dir, "none"), filepath.Join(dir, strings.Repeat("n", 255)), os.TempDir(), "/dev", "/proc/self", "/proc/self/fd/0"} {
		want, wantErr := os.ReadDir(path)
		got, err := listing(path)
		if fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Errorf("%s: %v, want %v", path, err, wantErr)
		}
		if path == os.TempDir() || strings.HasPrefix(path, "/") && !strings.HasPrefix(path, dir) {
			continue // others write there; that it ends well is all
		}
		if len(got) != len(want) {
			t.Fatalf("%s: %d entries, want %d", path, len(got), len(want))
		}
		for i := range got {
			if got[i].name != want[i].Name() || got[i].typ != want[i].Type() {
				t.Errorf("%s: %d: %q %v, want %q %v", path, i, got[i].name, got[i].typ, want[i].Name(), want[i].Type())
			}
		}
	}
}

// TestSorted orders names as they are compared, however many there are and alike.
func TestSorted(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, 63, 64, 65, 500} {
		for _, front := range []string{"", "1", "12345678", "1234567890"} {
			list := make([]dirent, n)
			for i := range list {
				name := make([]byte, rnd.IntN(12))
				for k := range name {
					name[k] = byte(1 + rnd.IntN(255)>>rnd.IntN(8))
				}
				list[i].name = front + string(name)
			}
			want := slices.SortedFunc(slices.Values(list), func(a, b dirent) int { return strings.Compare(a.name, b.name) })
			got := sorted(list)
			if !slices.EqualFunc(got, want, func(a, b dirent) bool { return a.name == b.name }) {
				t.Errorf("%d names that begin with %q: %v", n, front, got)
			}
		}
	}
}
