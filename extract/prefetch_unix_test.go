//go:build unix

package extract_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/extract"
)

// foundIn returns the files that an unsized walk finds in dir.
func foundIn(dir string) []extract.Source {
	return slices.Collect(extract.Walker{Unsized: true}.Walk(dir))
}

// TestPrefetchOpen checks that a source whose Open was replaced, and those after it, are
// not prefetched.
func TestPrefetchOpen(t *testing.T) {
	dir := t.TempDir()
	for i := range 10 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), []byte("http://old.example/"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, workers := range []int{1, 2} {
		some := foundIn(dir)
		for i := range some {
			if open := some[i].Open; i%3 == 1 {
				some[i].Open = func() (io.ReadCloser, error) {
					if err := os.WriteFile(some[i].Name, []byte("http://new.example/"), 0o600); err != nil {
						return nil, err
					}
					return open()
				}
			}
		}
		x, err := extract.New(extract.Options{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for r, err := range x.Run(t.Context(), slices.Values(some)) {
			if err != nil {
				t.Fatal(err)
			}
			want := "http://old.example/"
			if n%3 == 1 {
				want = "http://new.example/"
			}
			if string(r.URL) != want {
				t.Errorf("%d workers: %d: %s", workers, n, r.URL)
			}
			n++
		}
		if n != len(some) {
			t.Errorf("%d workers: %d of %d", workers, n, len(some))
		}
		for i := range some { // as above
			if err := os.WriteFile(some[i].Name, []byte("http://old.example/"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestPrefetchLeft leaves a run while files are prefetched, by break and by a panic. All
// descriptors must be closed.
func TestPrefetchLeft(t *testing.T) {
	dir := t.TempDir()
	for i := range 100 {
		text := strings.Repeat("http://a.example/\n", 1+i*i)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	before := descriptors(t)
	for _, workers := range []int{1, 2} {
		x, err := extract.New(extract.Options{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		for left := range 60 {
			func() {
				defer func() { _ = recover() }()
				n := 0
				for range x.Run(t.Context(), (extract.Walker{Unsized: true}).Walk(dir)) {
					if n++; n > left {
						if left%2 == 0 {
							panic("left")
						}
						break
					}
				}
			}()
		}
		x.Stats()
	}
	if after := descriptors(t); after != before {
		t.Errorf("%d descriptors before, %d after", before, after)
	}
}
