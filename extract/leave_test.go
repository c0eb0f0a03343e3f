package extract_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/urlsift/urlsift/extract"
)

// TestLeave leaves the loop over a stream at each item in turn, and then reads other streams with
// the same worker. The results of these must not change. TestMain checks that no goroutine
// continues.
func TestLeave(t *testing.T) {
	streams := map[string][]byte{
		"mail in zip in gzip": onion(t),
		"page":                []byte(page),
		"utf-16 page":         encode("utf-16le", "<!DOCTYPE html>"+page),
		"cut gzip":            pack(t, "gzip", sample(20))[:120],
		"spoiled xz":          append(pack(t, "xz", sample(5)), "and more"...),
		"tar in zstd in lz4":  pack(t, "lz4", pack(t, "zstd", []byte(tarred("a", "http://a/ http://b/\n", "b.gz", string(pack(t, "gzip", sample(4))))))),
		"text":                []byte("\xef\xbb\xbfsee http://a.example/ and\n <http://b.example/\n c>\n"),
	}
	for _, c := range mails {
		if len(c.want) > 4 {
			streams[c.name] = []byte(c.text)
		}
	}
	left := 0
	for _, bits := range []uint16{0x38, 0x3b8, 0x9180} {
		opts := options(bits)
		wants := make(map[string]*sight)
		for name, data := range streams {
			wants[name] = survey(t, extractor(t, opts), bytes.NewReader(data), 0)
		}
		names := slices.Collect(func(yield func(string) bool) {
			for name := range streams {
				if !yield(name) {
					return
				}
			}
		})
		slices.Sort(names)
		for i, name := range names {
			want := wants[name]
			x := extractor(t, opts)
			for leave := 1; leave <= len(want.lines)+len(want.failures); leave++ {
				s := survey(t, x, bytes.NewReader(streams[name]), leave)
				if n := len(s.lines); n+len(s.failures) != leave || !slices.Equal(s.lines, want.lines[:n]) {
					t.Errorf("%s, options %#x: left at item %d, there were %d and %d", name, bits, leave, n, len(s.failures))
				}
				left++
				next := names[(i+leave)%len(names)]
				got := survey(t, x, bytes.NewReader(streams[next]), 0)
				if d := got.differ(wants[next]); d != "" || got.stats != wants[next].stats {
					t.Errorf("%s after %s, options %#x, left at item %d: %s\n%+v %+v", next, name, bits, leave, d, got.stats, wants[next].stats)
				}
			}
		}
	}
	t.Logf("left at %d places", left)
}

// TestLeaveRun is TestLeave for runs of several sources and workers. Everything that was
// opened must be closed.
func TestLeaveRun(t *testing.T) {
	var opened, closed atomic.Int64
	counted := func(src extract.Source) extract.Source {
		open := src.Open
		src.Open = func() (io.ReadCloser, error) {
			r, err := open()
			if err != nil {
				return nil, err
			}
			opened.Add(1)
			return &closer{r, &closed}, nil
		}
		return src
	}
	sources := []extract.Source{
		counted(memory("a", onion(t))), counted(memory("b", []byte("http://b/ http://c/"))),
		{Name: "none", Open: func() (io.ReadCloser, error) { return nil, errors.New("no luck") }},
		counted(memory("cut", pack(t, "gzip", sample(20))[:120])), counted(memory("page", []byte(page))), counted(memory("z", []byte("http://z/"))),
	}
	want := run(t, extractor(t, extract.Options{Workers: 1}), slices.Values(sources))
	items := bytes.Count([]byte(want), []byte("\n"))
	for _, opts := range []extract.Options{{Workers: 1}, {Workers: 2}, {Workers: 3}, {Workers: 3, Unordered: true}} {
		x := extractor(t, opts)
		for leave := 1; leave <= items; leave++ {
			n := 0
			for range x.Run(t.Context(), slices.Values(sources)) {
				if n++; n == leave {
					break
				}
			}
			if n != leave || opened.Load() != closed.Load() {
				t.Errorf("%+v: left at %d of %d, %d opened, %d closed", opts, n, leave, opened.Load(), closed.Load())
			}
			if got := run(t, x, slices.Values(sources)); !opts.Unordered && got != want || sorted(got) != sorted(want) {
				t.Errorf("%+v, after a loop that was left at item %d:\n%s\nwant\n%s", opts, leave, got, want)
			}
		}
	}
}

// A closer counts calls of Close.
type closer struct {
	io.ReadCloser
	closed *atomic.Int64
}

func (c *closer) Close() error {
	c.closed.Add(1)
	return c.ReadCloser.Close()
}

// TestLeaveWalk leaves a walk at each file in turn. No file or directory may stay open.
func TestLeaveWalk(t *testing.T) {
	const dir = fixtures + "/mailbox"
	var want []string
	for src := range extract.Walk(dir) {
		want = append(want, src.Name)
	}
	before := descriptors(t)
	for leave := 1; leave <= len(want); leave++ {
		var got []string
		for src := range extract.Walk(dir) {
			if got = append(got, src.Name); len(got) == leave {
				break
			}
		}
		if !slices.Equal(got, want[:leave]) {
			t.Errorf("left at %d: %q", leave, got)
		}
	}
	if after := descriptors(t); after > before+2 {
		t.Errorf("%d descriptors are open, %d before", after, before)
	}
}

// descriptors returns the number of open descriptors, 0 if the system does not report it.
func descriptors(t *testing.T) int {
	t.Helper()
	list, _ := os.ReadDir("/proc/self/fd")
	return len(list)
}
