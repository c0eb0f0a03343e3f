package extract_test

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/urlsift/urlsift/extract"
)

// TestPrompt writes line by line to a pipe. Each reference must be yielded before the next line is
// written. The pipe is the only source, or a later one. A worker may read a later source before its
// results may be yielded.
func TestPrompt(t *testing.T) {
	for _, opts := range []extract.Options{{Workers: 1}, {Workers: 2}, {Workers: 2, Unordered: true}} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		var written atomic.Int64
		found := make(chan string)
		go func() {
			for i := range 5 {
				written.Store(time.Now().UnixNano())
				fmt.Fprintf(w, "line http://a.example/%d\n", i)
				<-found
			}
			_ = w.Close()
		}()
		slow := extract.Source{Name: "slow", Open: func() (io.ReadCloser, error) { return r, nil }}
		n, best := 0, time.Hour
		for res, err := range extractor(t, opts).Run(t.Context(), slices.Values([]extract.Source{memory("first", sample(2000)), slow})) {
			if err != nil {
				t.Fatal(err)
			}
			if res.Origin.Source == "first" {
				continue
			}
			if n > 0 {
				best = min(best, time.Duration(time.Now().UnixNano()-written.Load()))
			}
			n++
			found <- ""
		}
		if best > 100*time.Millisecond { // the machine may be busy
			t.Errorf("%+v: the references came after %v and more", opts, best)
		}
		if n != 5 {
			t.Errorf("%+v: %d references, want 5", opts, n)
		}
	}
}

// TestPromptParked stops the caller at the first source until the second, a pipe, has been read up
// to its pause.
func TestPromptParked(t *testing.T) {
	first, feed, _ := os.Pipe()
	pipe, w, _ := os.Pipe()
	fmt.Fprintln(feed, "http://first/")
	fmt.Fprintln(w, "http://second/")
	list := []extract.Source{
		{Name: "first", Open: func() (io.ReadCloser, error) { return first, nil }},
		{Name: "second", Open: func() (io.ReadCloser, error) { return pipe, nil }},
	}
	var got []string
	for r := range extractor(t, extract.Options{Workers: 2}).Run(t.Context(), slices.Values(list)) {
		got = append(got, string(r.URL))
		if len(got) == 1 {
			time.Sleep(20 * time.Millisecond) // the second one waits for more now
			_ = feed.Close()
			continue
		}
		_ = w.Close()
	}
	if strings.Join(got, " ") != "http://first/ http://second/" {
		t.Errorf("got %q", got)
	}
}

// TestPromptPacked writes to a compressed pipe, and flushes.
func TestPromptPacked(t *testing.T) {
	for _, format := range []string{"gzip", "zstd"} {
		r, w, _ := os.Pipe()
		var z interface {
			io.WriteCloser
			Flush() error
		}
		if format == "gzip" {
			z = gzip.NewWriter(w)
		} else {
			z, _ = zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
		}
		line := func(i int) {
			fmt.Fprintf(z, "http://a.example/%d\n", i)
			_ = z.Flush()
		}
		line(0)
		n := 0
		for range extractor(t, extract.Options{Workers: 2}).Run(t.Context(), one(func() (io.ReadCloser, error) { return r, nil })) {
			if n++; n < 4 { // only this goroutine writes n
				line(n)
				continue
			}
			_ = z.Close()
			_ = w.Close()
		}
		if n != 4 {
			t.Errorf("%s: %d references, want 4", format, n)
		}
	}
}
