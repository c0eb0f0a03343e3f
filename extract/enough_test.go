package extract_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/urlsift/urlsift/extract"
)

// TestEnough stops reading some sources after two results: a file that several workers would share,
// a damaged source and an endless one. The other sources are read to their ends, and there are no
// errors.
func TestEnough(t *testing.T) {
	text := []byte(strings.Repeat("see http://a.example/ here\n", 400_000))
	big := filepath.Join(t.TempDir(), "big")
	if err := os.WriteFile(big, text, 0o600); err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write(text); err != nil {
		t.Fatal(err)
	}
	cut := packed.Bytes()[:packed.Len()-100] // the end of the stream is missing
	for _, workers := range []int{1, 3} {
		x := extractor(t, extract.Options{Workers: workers})
		sources := slices.Collect(extract.Walk(big))
		endless := func() (io.ReadCloser, error) { return io.NopCloser(&endlessReader{text: text[:27]}), nil }
		sources = append(sources, memory("cut.gz", cut), extract.Source{Name: "endless", Size: -1, Open: endless}, memory("whole", text[:27*10]))
		found := make([]atomic.Int64, 3)
		for i := range found {
			sources[i].Enough = func() bool { return found[i].Load() >= 2 }
		}
		got := map[string]int{}
		for r, err := range x.Run(t.Context(), slices.Values(sources)) {
			if err != nil {
				t.Fatalf("%d workers: %v", workers, err)
			}
			got[r.Origin.Source]++
			for i := range found {
				if sources[i].Name == r.Origin.Source {
					found[i].Add(1)
				}
			}
		}
		if got["whole"] != 10 || len(got) != 4 {
			t.Errorf("%d workers: %v", workers, got)
		}
		for name, n := range got {
			if workers == 1 && name != "whole" && n != 2 {
				t.Errorf("%d results of %s", n, name)
			}
		}
		if read := x.Stats().Text; read > int64(len(text)) {
			t.Errorf("%d workers read %d bytes of text", workers, read)
		}
	}
}

// An endlessReader repeats a text.
type endlessReader struct {
	text []byte
	at   int
}

func (e *endlessReader) Read(p []byte) (n int, err error) {
	for n < len(p) {
		k := copy(p[n:], e.text[e.at:])
		n += k
		e.at = (e.at + k) % len(e.text)
	}
	return n, nil
}
