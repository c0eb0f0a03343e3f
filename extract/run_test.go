package extract_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/urlsift/urlsift/extract"
)

// many is a mixture of sources: empty, small and large ones, in several formats, some
// that cannot be opened and some that are damaged.
func many(t testing.TB) []extract.Source {
	var list []extract.Source
	for i := range 120 {
		name := fmt.Sprintf("source%03d", i)
		data := sample(i * i % 97)
		switch i % 10 {
		case 1:
			data = nil
		case 2:
			data = pack(t, "gzip", sample(1500)) // more results than the batches of a worker hold
		case 3:
			data = pack(t, "zstd", data)
		case 4:
			list = append(list, extract.Source{Name: name, Open: func() (io.ReadCloser, error) { return nil, errors.New("no luck") }})
			continue
		case 5:
			data = pack(t, "gzip", data)
			data = data[:len(data)-5]
		case 6:
			data = []byte("http://long.example/" + strings.Repeat("x", 8000) + "\nhttp://a/" + strings.Repeat("y", 8000) + "\n")
		}
		list = append(list, memory(name, data))
	}
	return list
}

// TestWorkers checks that the results do not depend on the number of workers.
func TestWorkers(t *testing.T) {
	sources := many(t)
	want := run(t, extractor(t, extract.Options{Workers: 1}), slices.Values(sources))
	if n := strings.Count(want, "\n"); n < 10000 {
		t.Fatalf("%d lines only", n)
	}
	for _, workers := range []int{2, 3, 8} {
		x := extractor(t, extract.Options{Workers: workers})
		if got := run(t, x, slices.Values(sources)); got != want {
			t.Errorf("%d workers find something else", workers)
		}
		if s := x.Stats(); s.Sources != 120 || s.ErrorsAll != 24 || s.Found != int64(strings.Count(want, "\n"))-24 {
			t.Errorf("%d workers count %+v", workers, s)
		}
		got := run(t, extractor(t, extract.Options{Workers: workers, Unordered: true}), slices.Values(sources))
		if sorted(got) != sorted(want) {
			t.Errorf("%d workers without order find something else", workers)
		}
	}
}

func sorted(lines string) string {
	list := strings.Split(lines, "\n")
	sort.Strings(list)
	return strings.Join(list, "\n")
}

// TestBreak leaves the loop at many places. TestMain checks that no worker continues.
func TestBreak(t *testing.T) {
	sources := many(t)
	for _, opts := range []extract.Options{{Workers: 1}, {Workers: 3}, {Workers: 3, Unordered: true}} {
		for _, after := range []int{1, 2, 100, 1600, 5000} {
			n := 0
			for range extractor(t, opts).Run(t.Context(), slices.Values(sources)) {
				if n++; n == after {
					break
				}
			}
			if n != after {
				t.Errorf("%+v: %d results, want %d", opts, n, after)
			}
		}
	}
}

// TestCancel ends ctx in the loop. Nothing may be yielded after that.
func TestCancel(t *testing.T) {
	sources := many(t)
	for _, opts := range []extract.Options{{Workers: 1}, {Workers: 3}, {Workers: 3, Unordered: true}} {
		ctx, cancel := context.WithCancel(t.Context())
		n := 0
		for range extractor(t, opts).Run(ctx, slices.Values(sources)) {
			if n++; n == 700 {
				cancel()
				time.Sleep(100 * time.Millisecond) // so that the workers notice it
			}
		}
		if cancel(); n != 700 {
			t.Errorf("%+v: %d results, want 700", opts, n)
		}
	}
}

// one returns a sequence of one source.
func one(open func() (io.ReadCloser, error)) iter.Seq[extract.Source] {
	return slices.Values([]extract.Source{{Name: "one", Size: -1, Open: open}})
}

// TestCancelWaiting ends ctx while workers wait: for a pipe, for an [io.Pipe], and for the writer
// of a FIFO.
func TestCancelWaiting(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := makeFIFO(fifo); err != nil {
		t.Skip(err)
	}
	for name, sources := range map[string]iter.Seq[extract.Source]{
		"pipe": one(func() (io.ReadCloser, error) {
			r, w, err := os.Pipe()
			t.Cleanup(func() { _ = w.Close() })
			return r, err
		}),
		"io.Pipe": one(func() (io.ReadCloser, error) {
			r, _ := io.Pipe()
			return r, nil
		}),
		"fifo": extract.Walk(fifo),
	} {
		for _, workers := range []int{1, 2} {
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
			start := time.Now()
			urls, errs := all(t, extractor(t, extract.Options{Workers: workers}).Run(ctx, sources))
			if took := time.Since(start); took > 10*time.Second || len(urls)+len(errs) > 0 {
				t.Errorf("%s, %d workers: %v %v after %v", name, workers, urls, errs, took)
			}
			cancel()
		}
	}
}

// TestFIFO reads a FIFO whose path is given.
func TestFIFO(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := makeFIFO(fifo); err != nil {
		t.Skip(err)
	}
	go func() { _ = os.WriteFile(fifo, sample(10), 0) }()
	urls, errs := all(t, extractor(t, extract.Options{}).Run(t.Context(), extract.Walk(fifo)))
	if len(urls) != 10 || errs != nil {
		t.Errorf("%d references, errors %v", len(urls), errs)
	}
}

// TestAhead stops the caller at the first source. The workers may continue only until their batches
// and queues are full, and only as many sources may be opened as the list holds.
func TestAhead(t *testing.T) {
	const workers = 4
	opened := 0
	sources := func(yield func(extract.Source) bool) {
		for i := range 10000 {
			opened++ // only one goroutine calls this
			if !yield(memory(fmt.Sprint(i), sample(1+i%5))) {
				return
			}
		}
	}
	for range extractor(t, extract.Options{Workers: workers}).Run(t.Context(), sources) {
		time.Sleep(50 * time.Millisecond)
		break
	}
	if opened > 17*workers+1024+1 {
		t.Errorf("%d sources asked for", opened)
	}
}

// TestPanicInLoop checks that the panic of a loop body reaches the caller, and that all
// workers end.
func TestPanicInLoop(t *testing.T) {
	for _, workers := range []int{1, 3} {
		func() {
			defer func() {
				if v := recover(); v != "enough" {
					t.Errorf("%d workers: recovered %v", workers, v)
				}
			}()
			for range extractor(t, extract.Options{Workers: workers}).Run(t.Context(), slices.Values(many(t))) {
				panic("enough")
			}
		}()
	}
}
