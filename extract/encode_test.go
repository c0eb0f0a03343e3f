package extract_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/urlsift/urlsift/extract"
)

// listEncodable returns the results and errors of sources, one a line. It omits the numbers that
// Encoders do not know if there are several workers.
func listEncodable(t testing.TB, x *extract.Extractor, sources iter.Seq[extract.Source], workers int) string {
	t.Helper()
	var b strings.Builder
	var line []byte
	for r, err := range x.Run(t.Context(), sources) {
		if err != nil {
			b.WriteString(errorLine(err))
			continue
		}
		is := *r
		if workers > 1 {
			is.Candidate.Line, is.Origin.Line, is.Origin.Message = 0, 0, 0
		}
		line = appendLine(line[:0], &is)
		b.Write(line)
	}
	return b.String()
}

// encoded is listEncodable for Encode.
func encoded(t testing.TB, x *extract.Extractor, sources iter.Seq[extract.Source]) string {
	t.Helper()
	var b strings.Builder
	for some, err := range x.Encode(t.Context(), sources, func() extract.Encoder { return appendLine }) {
		if err != nil {
			if some.Bytes != nil || some.Results != 0 {
				t.Errorf("%d records beside %v", some.Results, err)
			}
			b.WriteString(errorLine(err))
			continue
		}
		if n := bytes.Count(some.Bytes, newline); n != some.Results || n == 0 {
			t.Errorf("%d records are reported as %d", n, some.Results)
		}
		b.Write(some.Bytes)
		clear(some.Bytes) // if Encode kept these bytes, the results would be wrong
	}
	return b.String()
}

var newline = []byte("\n")

// TestEncode compares the results of Encode and Run, for sources of all kinds.
func TestEncode(t *testing.T) {
	sources := many(t)
	fixed := slices.Collect(asFiles(extract.Walker{Hidden: true}.Walk(fixtures)))
	if raceEnabled {
		sources = sources[:40]
	}
	if !long {
		fixed = fixed[:len(fixed)/8]
	}
	for _, list := range [][]extract.Source{nil, sources, fixed} {
		for i, opts := range []extract.Options{{}, {Refused: true, MessageIDs: true}} {
			for _, workers := range []int{1, 2, 4} {
				if !long && (workers == 2) != (i == 1) || raceEnabled && workers == 1 {
					continue
				}
				opts.Workers = 1
				want := listEncodable(t, extractor(t, opts), slices.Values(list), workers)
				opts.Workers = workers
				if got := encoded(t, extractor(t, opts), slices.Values(list)); got != want {
					t.Errorf("%+v: %s", opts, firstDiffer(got, want))
				}
				opts.Unordered = true
				if got := encoded(t, extractor(t, opts), slices.Values(list)); sorted(got) != sorted(want) {
					t.Errorf("%+v: something else", opts)
				}
				opts.Unordered = false
			}
		}
	}
}

// TestEncodeOwn checks that each worker has its own Encoder, that results are left out if
// nothing is appended, and that long records are complete.
func TestEncodeOwn(t *testing.T) {
	data := []byte(strings.Repeat("see http://a.example/ and http://b.example/\n", 20000))
	for _, workers := range []int{1, 2, 3} {
		var made, found atomic.Int64
		encoder := func() extract.Encoder {
			made.Add(1)
			n, busy := 0, false
			return func(dst []byte, r *extract.Result) []byte {
				if busy {
					t.Error("an Encoder is used by two")
				}
				busy = true
				defer func() { busy = false }()
				found.Add(1)
				if r.Host()[0] == 'a' {
					return dst
				}
				if n++; n%1000 == 0 {
					dst = append(dst, bytes.Repeat([]byte("x"), 100<<10)...)
				}
				return append(append(dst, r.URL...), '\n')
			}
		}
		x := extractor(t, extract.Options{Workers: workers, Format: extract.Plain})
		x.SetBlocks(50000, 1, linger)
		results := 0
		var all bytes.Buffer
		for some, err := range x.Encode(t.Context(), stored(t, data), encoder) {
			if err != nil {
				t.Fatal(err)
			}
			results += some.Results
			all.Write(some.Bytes)
		}
		lines := strings.Split(strings.TrimLeft(all.String(), "x"), "\n")
		for i, line := range lines[:len(lines)-1] {
			if strings.TrimLeft(line, "x") != "http://b.example/" {
				t.Fatalf("%d workers: record %d is %q", workers, i, line)
			}
		}
		if results != 20000 || len(lines) != 20001 || found.Load() < 40000 {
			t.Errorf("%d workers: %d results, %d lines, %d were found", workers, results, len(lines), found.Load())
		}
		if n := made.Load(); n != 1 && n != int64(workers)+1 {
			t.Errorf("%d workers have %d encoders", workers, n)
		}
	}
}

// TestEncodeLeave leaves the loop at many places, ends its context, or panics. Nothing
// may be yielded after that, and TestMain checks that no worker continues.
func TestEncodeLeave(t *testing.T) {
	sources := many(t)
	encoder := func() extract.Encoder {
		return func(dst []byte, r *extract.Result) []byte { return append(append(dst, r.URL...), '\n') }
	}
	for _, opts := range []extract.Options{{Workers: 1}, {Workers: 3}, {Workers: 3, Unordered: true}} {
		for after := 1; after < 60; after += 1 + after/4 {
			n := 0
			ctx, cancel := context.WithCancel(t.Context())
			func() {
				defer func() { _ = recover() }()
				for range extractor(t, opts).Encode(ctx, slices.Values(sources), encoder) {
					if n++; n < after {
						continue
					}
					switch after % 3 {
					case 0:
						cancel()
						time.Sleep(50 * time.Millisecond) // so that the workers notice the end of the context
						continue
					case 1:
						panic("enough")
					}
					break
				}
			}()
			if cancel(); n != after {
				t.Errorf("%+v: %d times, want %d", opts, n, after)
			}
		}
	}
}

// TestEncodePrompt writes line by line to a pipe. Each record must arrive before the next
// line. If the loop is left, the worker that waits for more must end.
func TestEncodePrompt(t *testing.T) {
	for _, opts := range []extract.Options{{Workers: 1}, {Workers: 2}, {Workers: 2, Unordered: true}} {
		for _, leave := range []int{3, 9} {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			line := func(i int) { fmt.Fprintf(w, "line http://a.example/%d\n", i) }
			line(0)
			n := 0
			encoder := func() extract.Encoder {
				return func(dst []byte, r *extract.Result) []byte { return append(append(dst, r.URL...), '\n') }
			}
			slow := extract.Source{Name: "slow", Size: -1, Open: func() (io.ReadCloser, error) { return r, nil }}
			for some, err := range extractor(t, opts).Encode(t.Context(), slices.Values([]extract.Source{slow}), encoder) {
				if want := fmt.Sprintf("http://a.example/%d\n", n); err != nil || string(some.Bytes) != want {
					t.Fatalf("%+v: %q, %v, want %q", opts, some.Bytes, err, want)
				}
				if n++; n == leave {
					break
				}
				if n < 6 { // only this goroutine writes n
					line(n)
					continue
				}
				_ = w.Close()
			}
			if n != min(leave, 6) {
				t.Errorf("%+v: %d records", opts, n)
			}
			if _, err := r.Read(nil); !errors.Is(err, os.ErrClosed) {
				t.Errorf("%+v: the source is open", opts)
			}
			_ = w.Close()
		}
	}
}
