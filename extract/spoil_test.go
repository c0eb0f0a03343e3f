package extract_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/extract"
)

// contentsOf returns sources with these contents.
func contentsOf(contents ...string) iter.Seq[extract.Source] {
	return func(yield func(extract.Source) bool) {
		for i, s := range contents {
			open := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(s)), nil }
			if !yield(extract.Source{Name: fmt.Sprint(i), Size: -1, Open: open}) {
				return
			}
		}
	}
}

// TestSpoil keeps the slices of each Result without copying them. In the next iteration of the loop
// they must be spoiled, and a clone must not, with one worker and with several. So the first test
// of a caller that forgets Clone fails.
func TestSpoil(t *testing.T) {
	page := "<html><base href=http://base.example/><a href=a%[1]d>x</a><a href=http://h/%[1]d%%zz>y</a> http://t.example/%[1]d\n<a href=p%[1]d>z</a>"
	var text, html strings.Builder
	for i := range 300 {
		fmt.Fprintf(&text, "see http://h%d.example/a, (http://h/%d), <http://h/ b%d> and http://[bad/%d\n", i, i, i, i)
		fmt.Fprintf(&html, page, i)
	}
	for _, workers := range []int{1, 2} {
		if workers > 1 && raceEnabled {
			continue // a worker may be writing to these slices
		}
		opts := extract.Options{Workers: workers, Refused: true, Normalize: true}
		for name, s := range map[string]string{"text": text.String(), "html": html.String()} {
			x, err := extract.New(opts)
			if err != nil {
				t.Fatal(err)
			}
			var last, clone extract.Result
			n, targets := 0, 0
			for r, err := range x.Run(context.Background(), contentsOf(s)) {
				if err != nil {
					t.Fatal(err)
				}
				if n > 0 {
					for what, kept := range map[string][2][]byte{
						"URL": {last.URL, clone.URL}, "Target": {last.Target, clone.Target},
						"Text": {last.Candidate.Text, clone.Candidate.Text}, "Ref": {last.Candidate.Ref, clone.Candidate.Ref},
						"Raw": {last.Candidate.Raw, clone.Candidate.Raw},
					} {
						if len(kept[0]) > 0 && bytes.Equal(kept[0], kept[1]) {
							t.Fatalf("%d workers, %s, result %d: %s %q is still there", workers, name, n, what, kept[0])
						}
						if bytes.IndexByte(kept[1], 0) >= 0 {
							t.Fatalf("%d workers, %s, result %d: the clone is spoiled: %q", workers, name, n, kept[1])
						}
					}
				}
				if last, clone = *r, r.Clone(); len(r.Target) > 0 {
					targets++
				}
				n++
			}
			if n < 900 || name == "html" && targets < 500 {
				t.Errorf("%d workers, %s: %d results, %d targets", workers, name, n, targets)
			}

			encode := func() extract.Encoder {
				return func(dst []byte, r *extract.Result) []byte { return append(append(dst, r.URL...), '\n') }
			}
			var before, copied []byte
			stretches := 0
			for e, err := range x.Encode(context.Background(), contentsOf("http://1/ "+s, "http://2/ "+s, "http://3/ "+s, "http://4/ "+s), encode) {
				if err != nil {
					t.Fatal(err)
				}
				if len(before) > 0 && bytes.Equal(before, copied) {
					t.Fatalf("%d workers, %s: stretch %d of records is still there: %.40q", workers, name, stretches, before)
				}
				if bytes.IndexByte(e.Bytes, 0) >= 0 {
					t.Fatalf("%d workers, %s: stretch %d is spoiled before it was used", workers, name, stretches)
				}
				before, copied = e.Bytes, bytes.Clone(e.Bytes)
				stretches++
			}
			if stretches < 2 {
				t.Errorf("%d workers, %s: %d stretches", workers, name, stretches)
			}
		}
	}
}
