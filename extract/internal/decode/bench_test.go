package decode_test

import (
	"strings"
	"testing"

	"github.com/urlsift/urlsift/extract/internal/decode/decodetest"
)

func BenchmarkLines(b *testing.B) {
	decodetest.Benchmark(b, []byte(strings.Repeat(decodetest.Sentence, 10000)), nil)
}
