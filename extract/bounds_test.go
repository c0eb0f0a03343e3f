package extract_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/uri"
)

// TestAllocs counts the allocations of a Read. A stream that is a hundred times as long, with a
// hundred times as many references, must not need more.
func TestAllocs(t *testing.T) {
	skipRace(t)
	const some, much = 100, 10000
	page := func(n int) []byte {
		return bytes.Repeat([]byte("<p>http://a.example/ü <a href='../x?y&amp;z'>&lt;http://b\n  c&gt;</a>\n"), n)
	}
	utf16 := func(n int) []byte { return encode("utf-16le", string(sample(n))) }
	escaped := func(n int) []byte { return bytes.ReplaceAll(sample(n), []byte("path/"), []byte("^päth/")) }
	for _, c := range []struct {
		name string
		opts extract.Options
		text func(n int) []byte
	}{
		{"plain", extract.Options{}, sample},
		{"escaped", extract.Options{}, escaped},
		{"resolved", extract.Options{Base: uri.MustParse("http://base.example/")}, func(n int) []byte { return bytes.Repeat([]byte("<URL:../x> "), n) }},
		{"utf-16", extract.Options{}, utf16},
		{"html", extract.Options{Format: extract.HTML, Base: uri.MustParse("http://base.example/")}, page},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := extractor(t, c.opts)
			r := new(bytes.Reader)
			var allocs [2]float64
			for i, n := range []int{some, much} {
				text, found := c.text(n), 0
				allocs[i] = testing.AllocsPerRun(5, func() {
					r.Reset(text)
					for range x.Read(t.Context(), "data", r) {
						found++
					}
				})
				if found < 6*n {
					t.Fatalf("%d references, want %d at least", found, 6*n)
				}
			}
			// Maps of offsets grow to their full size by doubling, and do so again if the
			// garbage collector has freed a worker.
			if allocs[1] > allocs[0]+40 {
				t.Errorf("%v allocations for %d references, %v for %d", allocs[0], some, allocs[1], much)
			}
		})
	}
}

// TestAllocsRun is TestAllocs for results that pass from a worker to the caller.
func TestAllocsRun(t *testing.T) {
	skipRace(t)
	x := extractor(t, extract.Options{Workers: 2})
	count := func(text []byte) float64 {
		return testing.AllocsPerRun(5, func() {
			for range x.Run(context.Background(), slices.Values([]extract.Source{memory("a", text), memory("b", text)})) {
			}
		})
	}
	some, much := count(sample(2000)), count(sample(40000))
	if much > some+200 {
		t.Errorf("%v allocations for 4000 references, %v for 80000", some, much)
	}
}

// repeat is an endless text, cut off after n bytes.
type repeat struct {
	text string
	n    int64
	at   int
}

func (r *repeat) Read(p []byte) (int, error) {
	if r.n == 0 {
		return 0, io.EOF
	}
	p = p[:min(int64(len(p)), r.n)]
	for i := 0; i < len(p); {
		k := copy(p[i:], r.text[r.at:])
		i += k
		r.at = (r.at + k) % len(r.text)
	}
	r.n -= int64(len(p))
	return len(p), nil
}

// TestMemory reads long texts that a program might keep in memory whole: a line without a break,
// NULs, newlines, tags, quotes that do not end. The sum of all allocations is an upper bound of the
// memory in use.
func TestMemory(t *testing.T) {
	if raceEnabled {
		t.Skip("reads much")
	}
	const limit = 8 << 20
	for i, c := range []struct {
		text   string
		format extract.Format
		size   int64
	}{
		{"word", extract.Plain, 100 << 20},
		{"wordhttp://a/word", extract.Plain, 100 << 20},
		{"\x00", extract.Plain, 100 << 20},
		{"\n", extract.Plain, 16 << 20},
		{"<http://a/", extract.Plain, 16 << 20},
		{"<a href=x>", extract.HTML, 16 << 20},
		{"<p a='\n", extract.HTML, 16 << 20},
	} {
		for _, workers := range []int{1, 3} {
			if !long && (i%2 > 0 || (workers > 1) != (i%3 == 0)) {
				continue
			}
			switch {
			case !long:
				c.size = min(c.size, 12<<20*int64(workers)) // each worker reads 1.5 times the memory that it may allocate
			case !full:
				c.size = min(c.size, 32<<20*int64(workers))
			}
			x := extractor(t, extract.Options{Format: c.format, Workers: workers})
			src := extract.Source{Name: "much", Open: func() (io.ReadCloser, error) {
				return io.NopCloser(&repeat{text: c.text, n: c.size / int64(workers)}), nil
			}}
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			for range x.Run(t.Context(), slices.Values(slices.Repeat([]extract.Source{src}, workers))) {
			}
			runtime.ReadMemStats(&after)
			if total := after.TotalAlloc - before.TotalAlloc; total > uint64(limit*workers) {
				t.Errorf("%q, %d workers: %d MiB allocated in all", c.text, workers, total>>20)
			}
			if s := x.Stats(); s.RawAll < c.size-10 {
				t.Errorf("%q: %d bytes read", c.text, s.RawAll)
			}
		}
	}
}

// TestLinear doubles hostile texts and compares the times. The bound is linear growth.
func TestLinear(t *testing.T) {
	if raceEnabled {
		t.Skip("takes its time")
	}
	for _, text := range []string{"<a href=\"", "<a href=x>http://y/", "<base href=//x/>", "&lt;http://a", "<!--", "<!--->", "&amp", "http://a/<b>"} {
		n := 1 << 20
		if !long {
			n /= 2
		}
		fourfold(t, text, n, 3, func(n int) func() {
			return func() {
				for range extractor(t, extract.Options{Format: extract.HTML}).Read(t.Context(), "data", &repeat{text: text, n: int64(n)}) {
				}
			}
		})
	}
}

// FuzzRead reads any bytes in any format. Nothing may panic, the results must be in order
// and within the text, and reading byte by byte must give the same.
func FuzzRead(f *testing.F) {
	f.Add([]byte("see http://a.example/ and <URL:../x>"), false)
	f.Add([]byte(page), true)
	f.Add(encode("utf-16le", page), true)
	f.Add(encode("utf-32be", "<http://a/\n b>"), false)
	for _, format := range packed {
		if format != "bzip2" {
			f.Add(pack(f, format, sample(20)), false)
			f.Add(pack(f, format, []byte(page)), true)
		}
	}
	plain, err := extract.New(extract.Options{Format: extract.Plain, Refused: true, Limits: extract.Limits{Size: 1 << 20, Window: 1 << 20}})
	if err != nil {
		f.Fatal(err)
	}
	html, err := extract.New(extract.Options{Format: extract.HTML, Refused: true, Base: uri.MustParse("http://base/"), Limits: extract.Limits{Size: 1 << 20, Window: 1 << 20}})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte, asHTML bool) {
		x := plain
		if asHTML {
			x = html
		}
		read := func(r io.Reader) string {
			var b strings.Builder
			end := int64(0)
			for r, err := range x.Read(context.Background(), "data", r) {
				if err != nil {
					if b.Len() > 0 && strings.HasSuffix(b.String(), "error\n") {
						t.Error("an error after an error")
					}
					b.WriteString("error\n")
					continue
				}
				o := r.Origin
				if o.Offset < 0 || o.Length <= 0 && len(r.Candidate.Text) > 0 || o.Line < 1 && !asHTML || o.Column < 1 && !asHTML || !asHTML && o.Offset < end {
					t.Errorf("%q is at %+v, after %d", r.URL, o, end)
				}
				end = o.Offset + o.Length
				fmt.Fprintln(&b, o.Offset, o.Length, o.Line, o.Column, string(r.URL), string(r.Target), r.Valid)
			}
			return b.String()
		}
		whole := read(bytes.NewReader(data))
		if small := read(&dribble{data: data}); small != whole {
			t.Errorf("whole:\n%s\nin small reads:\n%s", whole, small)
		}
	})
}

// dribble reads few bytes at a time: 1, 2, 3, 1 ...
type dribble struct {
	data []byte
	n    int
}

func (d *dribble) Read(p []byte) (int, error) {
	if len(d.data) == 0 {
		return 0, io.EOF
	}
	d.n++
	n := copy(p, d.data[:min(1+d.n%3, len(d.data))])
	d.data = d.data[n:]
	return n, nil
}
