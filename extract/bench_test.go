package extract_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/urlsift/urlsift/extract"
)

// BenchmarkRead reads text with a reference in each line of 70 bytes.
func BenchmarkRead(b *testing.B) {
	text := sample(50000)
	x := extractor(b, extract.Options{})
	r := new(bytes.Reader)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		r.Reset(text)
		for range x.Read(b.Context(), "data", r) {
		}
	}
}

// BenchmarkRun is BenchmarkRead for results that pass from a worker to the caller.
func BenchmarkRun(b *testing.B) {
	text := sample(50000)
	x := extractor(b, extract.Options{Workers: 2})
	b.SetBytes(int64(2 * len(text)))
	b.ReportAllocs()
	for b.Loop() {
		for range x.Run(b.Context(), slices.Values([]extract.Source{memory("a", text), memory("b", text)})) {
		}
	}
}
