package extract_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/urlsift/urlsift/extract"
)

// TestZero uses zero Extractors, which have the zero Options: the results are those of New.
func TestZero(t *testing.T) {
	text := "From a@b Mon Mar  1 10:00:00 1999\nFrom: a@b\n\nhttp://a.example/ and ftp://b.example/\n"
	sources := slices.Values([]extract.Source{memory("data", []byte(text)), memory("other", pack(t, "gzip", []byte(text)))})
	want := run(t, extractor(t, extract.Options{}), sources)
	if strings.Count(want, "\n") != 4 {
		t.Fatal(want)
	}
	if got := run(t, new(extract.Extractor), sources); got != want {
		t.Errorf("Run: %s, want %s", got, want)
	}
	if urls, errs := read(t, new(extract.Extractor), []byte(text)); len(urls) != 2 || errs != nil {
		t.Errorf("Read: %q, %v", urls, errs)
	}
	n := 0
	encoder := func() extract.Encoder { return func(dst []byte, r *extract.Result) []byte { return append(dst, '.') } }
	for e, err := range new(extract.Extractor).Encode(t.Context(), sources, encoder) {
		if n += e.Results; err != nil {
			t.Error(err)
		}
	}
	if n != 4 {
		t.Errorf("Encode: %d results", n)
	}
	if s := new(extract.Extractor).Stats(); s != (extract.Stats{}) {
		t.Errorf("Stats: %+v", s)
	}
	var x extract.Extractor
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			if urls, _ := read(t, &x, []byte(text)); len(urls) != 2 {
				t.Errorf("together: %q", urls)
			}
		})
	}
	group.Wait()
}
