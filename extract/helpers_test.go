package extract_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"testing"

	"github.com/urlsift/urlsift/extract"
)

// sample returns n lines with one reference each.
func sample(n int) []byte {
	var b bytes.Buffer
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "line %d: see http://host%d.example.org/path/%d?q=%d for more\n", i, i, i*7, i*i)
	}
	return b.Bytes()
}

// extractor returns an Extractor with opts.
func extractor(t testing.TB, opts extract.Options) *extract.Extractor {
	t.Helper()
	x, err := extract.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// all returns the URLs of results, and the errors.
func all(t testing.TB, results iter.Seq2[*extract.Result, error]) (urls []string, errs []*extract.Error) {
	t.Helper()
	for r, err := range results {
		if err != nil {
			var e *extract.Error
			if !errors.As(err, &e) || e.Stage == "" || e.Err == nil {
				t.Errorf("error %v says neither where nor what", err)
			}
			errs = append(errs, e)
			continue
		}
		urls = append(urls, string(r.URL))
	}
	return urls, errs
}

// read returns the URLs in data, and the errors.
func read(t testing.TB, x *extract.Extractor, data []byte) ([]string, []*extract.Error) {
	t.Helper()
	return all(t, x.Read(t.Context(), "data", bytes.NewReader(data)))
}

// memory returns a source with that content.
func memory(name string, data []byte) extract.Source {
	return extract.Source{Name: name, Size: int64(len(data)), Open: func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(data)), nil
	}}
}

// run returns a line for each item of a Run over sources: its position, and the URL or error.
func run(t testing.TB, x *extract.Extractor, sources iter.Seq[extract.Source]) string {
	t.Helper()
	var b bytes.Buffer
	for r, err := range x.Run(context.Background(), sources) {
		if err != nil {
			fmt.Fprintln(&b, "error:", err)
			continue
		}
		fmt.Fprintln(&b, r.Origin.String(), r.Origin.Offset, r.Origin.Length, string(r.URL), r.Candidate.Form, r.Accepts, string(r.Target))
	}
	return b.String()
}

// skippable returns a skippable frame with n bytes in it.
func skippable(n int) []byte {
	return append([]byte{0x50 + byte(n%16), 0x2a, 0x4d, 0x18, byte(n), byte(n >> 8), 0, 0}, bytes.Repeat([]byte{0x28}, n)...)
}
