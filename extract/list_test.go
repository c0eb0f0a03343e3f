package extract_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/extract"
)

// spool makes a tree of small files. There are also a big file, an empty one, and one without
// permission to read.
func spool(t *testing.T, files int) string {
	dir := t.TempDir()
	for i := range files {
		path := filepath.Join(dir, fmt.Sprintf("%02d", i%7), fmt.Sprintf("%04d", i))
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		text := strings.Repeat(fmt.Sprintf("see http://%d.example/a and\n", i), i%4)
		if i%97 == 50 {
			text = strings.Repeat(text+"http://big.example/ on a line\n", 20000)
		}
		must(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return dir
}

// TestBundles reads small files, and some that several workers read, in the same order
// and with the same counts for any number of workers, with sizes and without.
func TestBundles(t *testing.T) {
	files := 400
	switch {
	case raceEnabled:
		files = 60 // with one that is big
	case !long:
		files = 100
	}
	dir := spool(t, files)
	read := func(workers int, unsized bool) (list []string, s extract.Stats) {
		x := extractor(t, extract.Options{Workers: workers})
		for r, err := range x.Run(t.Context(), extract.Walker{Unsized: unsized}.Walk(dir)) {
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, fmt.Sprint(r.Origin, r.Origin.Offset, string(r.URL)))
		}
		return list, x.Stats()
	}
	want, stats := read(1, false)
	if len(want) < 1000 {
		t.Fatalf("%d references", len(want))
	}
	for _, workers := range []int{1, 2, 3, 8} {
		for _, unsized := range []bool{false, true} {
			got, s := read(workers, unsized)
			if !slices.Equal(got, want) {
				t.Errorf("%d workers, unsized %v: %d references of %d, or in another order", workers, unsized, len(got), len(want))
			}
			if s != stats {
				t.Errorf("%d workers, unsized %v:\n%+v\n%+v", workers, unsized, s, stats)
			}
		}
	}
}

// TestUnsized removes files that a walk has found. A removed file is no error; a file replaced by a
// directory is an error of the walk. Sizes are counted even if the walk did not ask for them.
func TestUnsized(t *testing.T) {
	for _, workers := range []int{1, 2} {
		dir := t.TempDir()
		for _, name := range []string{"a", "b", "c"} {
			must(t, os.WriteFile(filepath.Join(dir, name), []byte("http://"+name+".example/"), 0o644))
		}
		sources := func(yield func(extract.Source) bool) {
			for s := range (extract.Walker{Unsized: true}).Walk(dir) {
				if s.Size != -1 {
					t.Errorf("%s has size %d", s.Name, s.Size)
				}
				if filepath.Base(s.Name) == "b" {
					must(t, os.Remove(s.Name))
				}
				if !yield(s) {
					return
				}
			}
		}
		x := extractor(t, extract.Options{Workers: workers})
		urls, errs := all(t, x.Run(t.Context(), sources))
		s := x.Stats()
		if len(urls) != 2 || len(errs) != 0 || s.Sources != 2 || s.StoredRead != 2*int64(len("http://a.example/")) || s.StoredNotRead != 0 {
			t.Errorf("%d workers: %v %v %+v", workers, urls, errs, s)
		}
	}
}

// TestListWaits has a sequence that yields each source only after the one before has been read. So
// listing in advance must not wait for the next source.
func TestListWaits(t *testing.T) {
	dir := spool(t, 40)
	for _, workers := range []int{2, 5} {
		read := make(chan bool, 1)
		read <- true
		sources := func(yield func(extract.Source) bool) {
			for s := range extract.Walk(dir) {
				if s.Size == 0 {
					continue
				}
				<-read
				if !yield(s) {
					return
				}
			}
		}
		last, seen := "", 0
		for r, err := range extractor(t, extract.Options{Workers: workers}).Run(t.Context(), sources) {
			if err != nil {
				t.Fatal(err)
			}
			if r.Origin.Source != last {
				last = r.Origin.Source
				seen++
				read <- true
			}
		}
		if seen != 30 {
			t.Errorf("%d workers: %d sources", workers, seen)
		}
	}
}
