package extract_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/urlsift/urlsift/extract"
)

// A wakeable is a source in memory that an assistant goroutine may read ahead. It examines every
// fourth Read, counts those of the assistant, and ends with err.
type wakeable struct {
	r        io.Reader
	err      error
	assisted *atomic.Int64
	reads    int
}

func (w *wakeable) Read(p []byte) (int, error) {
	if w.reads++; w.reads%4 == 0 {
		stack := make([]byte, 16<<10)
		if bytes.Contains(stack[:runtime.Stack(stack, false)], []byte("(*readAhead).fill")) {
			w.assisted.Add(1)
		}
	}
	n, err := w.r.Read(p[:min(len(p), 8<<10)])
	if err == io.EOF {
		err = w.err
	}
	return n, err
}

func (w *wakeable) SetReadDeadline(time.Time) error { return nil }
func (w *wakeable) Close() error                    { return nil }

// TestReadAhead reads compressed files (complete, truncated, damaged, ended by an error) with
// and without reading ahead. The results are equal.
func TestReadAhead(t *testing.T) {
	defer extract.AheadFrom(1)()
	lines := 4000
	switch {
	case raceEnabled:
		lines = 500
	case !long:
		lines = 1500
	}
	var files []string
	for i := range 30 {
		files = append(files, fmt.Sprintf("f%d", i), string(sample(lines/10)))
		if i%4 == 1 {
			files = append(files, fmt.Sprintf("f%d.gz", i), string(pack(t, "gzip", sample(lines/10))[:lines/2]))
		}
	}
	archive := []byte(tarred(files...))
	type file struct {
		name string
		data []byte
	}
	list := []file{
		{"tar.gz", pack(t, "gzip", archive)},
		{"tar.zst", pack(t, "zstd", archive)},
		{"gz.zst", pack(t, "zstd", pack(t, "gzip", sample(2*lines)))},
		{"members", bytes.Repeat(pack(t, "gzip", sample(lines/8)), 20)},
		{"frames", bytes.Repeat(pack(t, "zstd", sample(lines/8)), 20)},
		{"mbox.gz", pack(t, "gzip", bytes.Repeat([]byte("From a@b Mon Jan  5 12:00:00 1998\nSubject: x\nContent-Transfer-Encoding: base64\n\n"+b64(string(sample(50)))+"\n\n"), lines/20))},
		{"page.gz", pack(t, "gzip", bytes.Repeat([]byte("<html><a href='http://a.example/x'>\n"), 5*lines))},
		{"small", pack(t, "gzip", sample(1))},
		{"empty", pack(t, "gzip", nil)},
	}
	for _, f := range packed {
		n := lines
		if f == "bzip2" {
			n = 4000 // the only size of bzip2 data that pack has
		}
		list = append(list, file{f, pack(t, f, sample(n))})
	}
	list = append(list, file{"Z", packZ(sample(lines))})
	var assisted atomic.Int64
	for _, f := range list {
		type way struct {
			how  string
			data []byte
			err  error
		}
		ways := []way{
			{"whole", f.data, io.EOF},
			{"trailing", append(bytes.Clone(f.data), "more"...), io.EOF},
			{"padded", append(bytes.Clone(f.data), make([]byte, 600)...), io.EOF},
			{"failing", f.data, errors.New("no luck")},
		}
		n := 3
		if !long {
			n = 1
		}
		for i := range n {
			at := len(f.data) * (2*i + 1) / (2 * n)
			spoiled := bytes.Clone(f.data)
			spoiled[at] ^= 4
			ways = append(ways, way{"cut", f.data[:at], io.EOF}, way{"failing", f.data[:at], errors.New("no luck")}, way{"spoiled", spoiled, io.EOF})
		}
		for _, way := range ways {
			sources := slices.Values([]extract.Source{{Name: f.name, Size: int64(len(way.data)), Open: func() (io.ReadCloser, error) {
				return &wakeable{bytes.NewReader(way.data), way.err, &assisted, 0}, nil
			}}})
			var want string
			var stats extract.Stats
			for _, workers := range []int{1, 2} {
				x := extractor(t, extract.Options{Workers: workers})
				got := run(t, x, sources)
				if workers == 1 {
					want, stats = got, x.Stats()
					continue
				}
				now := x.Stats()
				if sum := now.StoredRead + now.StoredNotRead; sum != int64(len(way.data)) {
					t.Errorf("%s, %s, %d workers: %d bytes are read or left of %d", f.name, way.how, workers, sum, len(way.data))
				}
				now.StoredRead, now.StoredNotRead = stats.StoredRead, stats.StoredNotRead // they depend on how far was read after damage
				if got != want || now != stats {
					t.Errorf("%s, %s, %d workers: not the same as with one: %s\n%+v\n%+v", f.name, way.how, workers, firstOther(got, want), now, stats)
				}
			}
		}
	}
	if assisted.Load() == 0 {
		t.Error("no worker has read ahead")
	}
	t.Log(assisted.Load(), "reads by assistants")
}

// firstOther returns the first line in which a and b differ.
func firstOther(a, b string) string {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(as), len(bs)) {
		if as[i] != bs[i] {
			return fmt.Sprintf("%q, %q", as[i], bs[i])
		}
	}
	return fmt.Sprintf("%d and %d lines", len(as), len(bs))
}

// TestReadAheadLeave leaves the loop over a compressed pipe that stays open, at several items,
// while an assistant decompresses. The Read in which the assistant waits must end.
func TestReadAheadLeave(t *testing.T) {
	defer extract.AheadFrom(1)()
	for leave := 1; leave <= 3000; leave = 3*leave + 7 {
		r, w, _ := os.Pipe()
		go func() {
			z := gzip.NewWriter(w)
			_, _ = z.Write(sample(3000))
			_ = z.Flush()
		}()
		n := 0
		for range extractor(t, extract.Options{Workers: 2}).Run(t.Context(), one(func() (io.ReadCloser, error) { return r, nil })) {
			if n++; n >= leave {
				break
			}
		}
		_ = w.Close()
		if n != leave {
			t.Errorf("left at %d, want %d", n, leave)
		}
	}
}

// TestReadAheadLimit reads a source that exceeds a limit while an assistant waits for more data of
// that source. The next source must be read.
func TestReadAheadLimit(t *testing.T) {
	defer extract.AheadFrom(1)()
	r, w, _ := os.Pipe()
	go func() {
		z := gzip.NewWriter(w)
		_, _ = z.Write(sample(1000))
		_ = z.Flush()
	}()
	x := extractor(t, extract.Options{Workers: 2, Limits: extract.Limits{Size: 20000}})
	got, errs := all(t, x.Run(t.Context(), slices.Values([]extract.Source{
		{Name: "pipe", Size: -1, Open: func() (io.ReadCloser, error) { return r, nil }}, memory("next", []byte("http://next/")),
	})))
	_ = w.Close()
	if len(got) < 100 || got[len(got)-1] != "http://next/" || len(errs) != 1 || errs[0].Stage != "size" {
		t.Errorf("%d references, %v", len(got), errs)
	}
}

// TestReadAheadPrompt is TestPromptPacked with reading ahead.
func TestReadAheadPrompt(t *testing.T) {
	defer extract.AheadFrom(1)()
	TestPromptPacked(t)
}
