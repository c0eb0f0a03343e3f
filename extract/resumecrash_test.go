package extract_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/urlsift/urlsift/extract"
)

// TestResumeCrash ends runs in the middle of files, and keeps the results of each run up to the
// last reported place. Together these must be the results of one complete run, by Run and by
// Encode, with one worker and with several.
func TestResumeCrash(t *testing.T) {
	defer extract.SetResume(0, 64<<10)()
	rounds := uint64(1)
	switch {
	case full:
		rounds = 4
	case long:
		rounds = 2
	}
	for seed := range rounds {
		for _, workers := range []int{1, 3} {
			if raceEnabled && workers == 1 {
				continue
			}
			for _, encode := range []bool{false, true} {
				if long || encode == (workers == 1) {
					crash(t, seed, workers, encode)
				}
			}
		}
	}
}

// crash makes some files and reads them in runs that end early.
func crash(t *testing.T, seed uint64, workers int, encode bool) {
	pick := rand.New(rand.NewPCG(seed, 9))
	dir, pieces := t.TempDir(), 80
	if !long {
		pieces = 30
	}
	for _, name := range slices.Sorted(maps.Keys(growths)) {
		var all []byte
		for n := range pieces {
			for range 1 + pick.IntN(12) {
				all = append(all, growths[name](pick, n)...)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, name), all, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	line := func(r *extract.Result) string {
		s := filepath.Base(r.Origin.Source) + " " + string(r.URL)
		if !encode { // with Encode, several workers do not know it
			s += fmt.Sprintf(" %d %d %d", r.Origin.Offset, r.Origin.Line, r.Origin.Message)
		}
		return s + "\n"
	}
	b := notebook{}
	var got []byte
	crashes := 0
	for ended := false; !ended; {
		resume := b.resume(t, false)
		reached, text, kept, saved := 0, []byte(nil), 0, maps.Clone(b)
		last := 1 + pick.IntN(40)
		if crashes > 20 {
			last = 1 << 30
		}
		note := resume.Reached
		resume.Reached = func(f *extract.File, p *extract.Place) {
			if note(f, p); reached == last {
				return
			}
			reached++
			kept = len(text)
			saved = maps.Clone(b)
		}
		x, err := extract.New(extract.Options{Workers: workers, Resume: resume})
		if err != nil {
			t.Fatal(err)
		}
		ended = true
		if encode {
			encoder := func() extract.Encoder {
				return func(dst []byte, r *extract.Result) []byte { return append(dst, line(r)...) }
			}
			for some := range x.Encode(context.Background(), extract.Walk(dir), encoder) {
				if text = append(text, some.Bytes...); reached == last {
					ended = false
					break
				}
			}
		} else {
			for r := range x.Run(context.Background(), extract.Walk(dir)) {
				if text = append(text, line(r)...); reached == last {
					ended = false
					break
				}
			}
		}
		got = append(got, text[:kept]...)
		clear(b)
		maps.Copy(b, saved)
		if !ended {
			crashes++
		}
	}
	var want []byte
	x, err := extract.New(extract.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for r := range x.Run(context.Background(), extract.Walk(dir)) {
		want = append(want, line(r)...)
	}
	g, w := lines(got), lines(want)
	slices.Sort(g) // the order differs: a file that was interrupted comes after files that were read since
	slices.Sort(w)
	if !slices.Equal(g, w) {
		t.Errorf("seed %d, %d workers, encoded %t, %d runs cut: %d results, not %d; %s", seed, workers, encode, crashes, len(g), len(w), differ(g, w))
	}
	if crashes < 3 {
		t.Errorf("seed %d, %d workers: only %d runs were cut", seed, workers, crashes)
	}
}

// lines returns the lines of text.
func lines(text []byte) (list []string) {
	for len(text) > 0 {
		i := slices.Index(text, '\n') + 1
		list = append(list, string(text[:i]))
		text = text[i:]
	}
	return list
}
