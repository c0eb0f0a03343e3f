package extract_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/extract"
)

// TestBrotli reads streams of brotli, which only the name of a source shows: whole, packed again, cut, changed, with bytes after them, and with a window over
// the limit; and a text with such a name.
func TestBrotli(t *testing.T) {
	text := sample(3000)
	data := pack(t, "brotli", text)
	read := func(name string, data []byte, limits extract.Limits) (urls []string, errs []*extract.Error) {
		src := extract.Source{Name: name, Size: -1, Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }}
		return all(t, extractor(t, extract.Options{Workers: 1, Limits: limits}).Run(t.Context(), slices.Values([]extract.Source{src})))
	}
	want, errs := read("text", text, extract.Limits{})
	if len(want) != 3000 || errs != nil {
		t.Fatalf("%d references, %v", len(want), errs)
	}
	for name, data := range map[string][]byte{"a.br": data, "A.BR": data, "a.br.gz": pack(t, "gzip", data), "a.br.zst.br": pack(t, "brotli", pack(t, "zstd", data)), "text.br": text} {
		if urls, errs := read(name, data, extract.Limits{}); !slices.Equal(urls, want) || errs != nil {
			t.Errorf("%s: %d references, %v", name, len(urls), errs)
		}
	}
	if urls, _ := read("a.bro", data, extract.Limits{}); len(urls) != 0 {
		t.Errorf("another name: %d references", len(urls))
	}
	one := func(what string, urls []string, errs []*extract.Error, says string) {
		t.Helper()
		if len(errs) != 1 || errs[0].Stage != "brotli" || !strings.Contains(errs[0].Error(), says) {
			t.Errorf("%s: %v, want %q", what, errs, says)
		}
		if len(urls) > len(want) || !slices.Equal(urls[:max(0, len(urls)-1)], want[:max(0, len(urls)-1)]) { // the last one may be cut
			t.Errorf("%s: %d references, of which some are others", what, len(urls))
		}
	}
	for _, n := range []int{200, len(data) / 2, len(data) - 1} {
		urls, errs := read("a.br", data[:n], extract.Limits{})
		one("cut", urls, errs, "unexpected EOF")
		if n > 200 && len(urls) < 1000*n/len(data) {
			t.Errorf("cut at %d of %d: %d references", n, len(data), len(urls))
		}
	}
	urls, errs := read("a.br", append(bytes.Clone(data), "http://after.example/"...), extract.Limits{})
	one("bytes after it", urls, errs, "trailing bytes")
	if len(urls) != len(want) {
		t.Errorf("bytes after it: %d references", len(urls))
	}
	if urls, errs := read("a.br", append(bytes.Clone(data), make([]byte, 512)...), extract.Limits{}); len(urls) != len(want) || errs != nil {
		t.Errorf("zeros after it: %d references, %v", len(urls), errs)
	}
	if urls, errs := read("a.br", data, extract.Limits{Window: 1 << 10}); len(urls) > 0 || len(errs) != 1 || errs[0].Limit != "Window" {
		t.Errorf("a small window: %d references, %v", len(urls), errs)
	}
	rnd := rand.New(rand.NewPCG(7932, 1))
	for range 100 { // without a checksum, a change may give another text, but never a panic or a loop
		bad := bytes.Clone(data)
		bad[rnd.IntN(len(bad))] ^= 1 << rnd.IntN(8)
		if _, errs := read("a.br", bad, extract.Limits{}); len(errs) > 1 {
			t.Errorf("changed: %v", errs)
		}
	}
}
