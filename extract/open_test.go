package extract_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/pierrec/lz4/v4"

	"github.com/urlsift/urlsift/extract"
)

// TestFormats reads each compression, at once and byte by byte: one stream, two streams in a row,
// and one inside another.
func TestFormats(t *testing.T) {
	skipRace(t)
	const n = 4000
	text := sample(n)
	x := extractor(t, extract.Options{})
	want, errs := read(t, x, text)
	if len(want) != n || errs != nil {
		t.Fatalf("%d references in plain text, want %d; errors %v", len(want), n, errs)
	}
	for _, format := range append(slices.Clone(packed), "lz4 legacy") {
		t.Run(format, func(t *testing.T) {
			data := pack(t, format, text)
			for name, r := range map[string]io.Reader{
				"whole":   bytes.NewReader(data),
				"bytes":   iotest.OneByteReader(bytes.NewReader(data)),
				"gzipped": bytes.NewReader(pack(t, "gzip", data)),
				"in zstd": bytes.NewReader(pack(t, "zstd", pack(t, "lz4", data))),
			} {
				got, errs := all(t, x.Read(t.Context(), name, r))
				if !slices.Equal(got, want) || errs != nil {
					t.Errorf("%s: %d references, want %d; errors %v", name, len(got), n, errs)
				}
			}
			if format == "s2" || format == "snappy" || format == "zlib" {
				return // TestMembers covers these formats, or they have no members
			}
			got, errs := read(t, x, slices.Concat(data, data))
			if !slices.Equal(got, slices.Concat(want, want)) || errs != nil {
				t.Errorf("twice: %d references, want %d; errors %v", len(got), 2*n, errs)
			}
		})
	}
}

// TestMembers reads concatenated streams, with bytes that may be between and after them.
func TestMembers(t *testing.T) {
	a, b := []byte("http://a.example/\n"), []byte("http://b.example/\n")
	skip := func(n int) []byte {
		return append(binary.LittleEndian.AppendUint32([]byte("\x53\x2a\x4d\x18"), uint32(n)), make([]byte, n)...)
	}
	zeros := make([]byte, 512)
	for _, c := range []struct {
		name  string
		data  []byte
		n     int
		stage string
	}{
		{"gzip, empty member", slices.Concat(pack(t, "gzip", a), pack(t, "gzip", nil), pack(t, "gzip", b)), 2, ""},
		{"gzip, padded", slices.Concat(pack(t, "gzip", a), zeros), 1, ""},
		{"gzip, padded within", slices.Concat(pack(t, "gzip", a), zeros, pack(t, "gzip", b)), 2, ""},
		{"gzip, garbage", slices.Concat(pack(t, "gzip", a), []byte("and more")), 1, "gzip"},
		{"gzip, cut header", slices.Concat(pack(t, "gzip", a), pack(t, "gzip", b)[:7]), 1, "gzip"},
		{"gzip, header only", pack(t, "gzip", a)[:10], 0, "gzip"},
		{"gzip, nothing", pack(t, "gzip", nil), 0, ""},
		{"zlib, two", slices.Concat(pack(t, "zlib", a), pack(t, "zlib", b)), 2, ""},
		{"zlib, garbage", slices.Concat(pack(t, "zlib", a), []byte("and more")), 1, "zlib"},
		{"zlib, nothing", pack(t, "zlib", nil), 0, ""},
		{"zstd, skipped first", slices.Concat(skip(40), pack(t, "zstd", a), skip(0), pack(t, "zstd", b), skip(9)), 2, ""},
		{"zstd, much skipped first", slices.Concat(skip(1<<20), pack(t, "zstd", a)), 1, ""},
		{"zstd, one byte less skipped than is looked at", slices.Concat(skip(4096-13), pack(t, "zstd", a)), 1, ""},
		{"zstd, as much skipped", slices.Concat(skip(4096-8), pack(t, "zstd", a)), 1, ""},
		{"skipped only", slices.Concat(skip(4), skip(0)), 0, ""},
		{"zstd, garbage", slices.Concat(pack(t, "zstd", a), []byte("and more")), 1, "zstd"},
		{"lz4, skipped", slices.Concat(skip(40), pack(t, "lz4", a), skip(3), pack(t, "lz4", b)), 2, ""},
		{"lz4, garbage", slices.Concat(pack(t, "lz4", a), []byte("and more")), 1, "lz4"},
		{"lz4, padded", slices.Concat(pack(t, "lz4", a), zeros, pack(t, "lz4", b), zeros), 2, ""},
		{"lz4, checksums of one kind, and none", slices.Concat(checkedLZ4(t, a, true, false), checkedLZ4(t, b, false, true), checkedLZ4(t, a, false, false)), 3, ""},
		{"lz4, cut after a frame", slices.Concat(pack(t, "lz4", a), pack(t, "lz4", b)[:3]), 1, "lz4"},
		{"lz4, cut frame to be skipped", slices.Concat(pack(t, "lz4", a), skip(9)[:12]), 1, "lz4"},
		{"lz4 legacy", legacyLZ4(t, sample(4000)), 4000, ""},
		{"lz4 legacy, of lz4 -l", []byte("\x02\x21\x4c\x18\x26\x00\x00\x00\xff\x0csee http://a.example/b and\n\x1b\x00\xdbP and\n"), 10, ""},
		{"lz4 legacy, nothing", legacyLZ4(t, nil), 0, ""},
		{"lz4 legacy, two", slices.Concat(legacyLZ4(t, a), legacyLZ4(t, nil), legacyLZ4(t, b)), 2, ""},
		{"lz4 legacy and not", slices.Concat(legacyLZ4(t, a), pack(t, "lz4", b), legacyLZ4(t, a), skip(3), legacyLZ4(t, b)), 4, ""},
		{"lz4 legacy, skipped first", slices.Concat(skip(40), legacyLZ4(t, a)), 1, ""},
		{"lz4 legacy, padded", slices.Concat(legacyLZ4(t, a), zeros, legacyLZ4(t, b), zeros), 2, ""},
		{"lz4 legacy, with the size of a kernel", binary.LittleEndian.AppendUint32(legacyLZ4(t, a), uint32(len(a))), 1, ""},
		{"lz4 legacy, a block as long as the text so far", slices.Concat(legacyLZ4(t, []byte(strings.Repeat(" ", len(legacyLZ4(t, a))-8))), legacyLZ4(t, a)[4:]), 1, ""},
		{"lz4 legacy, with the size of another", binary.LittleEndian.AppendUint32(legacyLZ4(t, a), uint32(len(a)+1)), 1, "lz4"},
		{"lz4 legacy, garbage", slices.Concat(legacyLZ4(t, a), []byte("and more")), 1, "lz4"},
		{"lz4 legacy, cut", slices.Concat(legacyLZ4(t, a), legacyLZ4(t, b)[:20]), 1, "lz4"},
		{"lz4 legacy, cut after its size", slices.Concat(legacyLZ4(t, a), legacyLZ4(t, b)[:8]), 1, "lz4"},
		{"lz4 legacy, cut within its size", slices.Concat(legacyLZ4(t, a), legacyLZ4(t, b)[:6]), 1, "lz4"},
		{"lz4 legacy, a wrong block", slices.Concat(legacyLZ4(t, a), []byte("\x04\x00\x00\x00\x1fxxx")), 1, "lz4"},
		{"lz4 legacy, empty blocks", slices.Concat(legacyLZ4(t, a), []byte("\x01\x00\x00\x00\x00\x01\x00\x00\x00\x00"), legacyLZ4(t, b)), 2, ""},
		{"xz, padded", slices.Concat(pack(t, "xz", a), zeros, pack(t, "xz", b), zeros), 2, ""},
		{"xz, garbage", slices.Concat(pack(t, "xz", a), []byte("and more http://c/")), 1, "xz"},
		{"xz, nothing", pack(t, "xz", nil), 0, ""},
		{"s2 and snappy", slices.Concat(pack(t, "s2", a), pack(t, "snappy", b)), 2, ""},
		{"bzip2, padded", slices.Concat(pack(t, "bzip2", sample(4000)), zeros), 4000, ""},
		{"bzip2, padded between", slices.Concat(pack(t, "bzip2", sample(4000)), zeros, bzipped(t, "piece")), 4000 + pieceLines, ""},
		{"bzip2, garbage", slices.Concat(pack(t, "bzip2", sample(4000)), []byte("and more")), 4000, "bzip2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, r := range []io.Reader{bytes.NewReader(c.data), iotest.OneByteReader(bytes.NewReader(c.data))} {
				urls, errs := all(t, extractor(t, extract.Options{}).Read(t.Context(), "data", r))
				if len(urls) != c.n {
					t.Errorf("%d references, want %d", len(urls), c.n)
				}
				switch {
				case len(errs) == 0 && c.stage == "":
				case len(errs) != 1 || errs[0].Stage != c.stage:
					t.Errorf("errors %v, want one of %q", errs, c.stage)
				}
			}
		})
	}
}

// checkedLZ4 compresses data with lz4, with checksums of blocks or of the whole text, and
// with the size of the text.
func checkedLZ4(t testing.TB, data []byte, block, all bool) []byte {
	t.Helper()
	var b bytes.Buffer
	w := lz4.NewWriter(&b)
	must(t, w.Apply(lz4.ChecksumOption(all), lz4.BlockChecksumOption(block), lz4.SizeOption(uint64(len(data)))))
	_, err := w.Write(data)
	must(t, err)
	must(t, w.Close())
	return b.Bytes()
}

// TestManyLZ4 reads 12 million consecutive empty legacy frames, after a frame of another kind. The
// lz4 library calls itself recursively for each of these, so without our own parser the stack would
// overflow.
func TestManyLZ4(t *testing.T) {
	skipRace(t)
	const n = 12_000_000
	data := slices.Concat(pack(t, "lz4", []byte("http://a/\n")), bytes.Repeat(legacyLZ4(t, nil), n), legacyLZ4(t, []byte("http://b/")))
	urls, errs := read(t, extractor(t, extract.Options{Workers: 1}), data)
	if len(urls) != 2 || len(errs) > 0 {
		t.Errorf("%q; errors %v", urls, errs)
	}
}

// TestText reads text that begins like compressed data.
func TestText(t *testing.T) {
	for _, begin := range []string{
		"", "x", "x^2 + y", "x\x9c", "x\x01 ", "BZ", "BZh", "BZh9", "BZh91AY&S", "BZhttp ", "P*M\x18", "P", "_*M\x18....", "\x1f\x8b", "\xfd7zX",
		"x^ " + strings.Repeat("abc ", 50), "\xff\x06\x00\x00sNaP", "\x28\xb5\x2f",
	} {
		for _, r := range []io.Reader{
			strings.NewReader(begin + "\nhttp://a.example/\n"),
			iotest.OneByteReader(strings.NewReader(begin + "\nhttp://a.example/\n")),
		} {
			urls, errs := all(t, extractor(t, extract.Options{}).Read(t.Context(), "data", r))
			if len(urls) != 1 || errs != nil {
				t.Errorf("%q: %q, errors %v", begin, urls, errs)
			}
		}
	}
}

// TestWindow reads streams that declare too large a window.
func TestWindow(t *testing.T) {
	x := extractor(t, extract.Options{Limits: extract.Limits{Window: 4 << 10}})
	for _, format := range []string{"zstd", "xz"} {
		urls, errs := read(t, x, pack(t, format, sample(4000)))
		if len(urls) != 0 || len(errs) != 1 || errs[0].Stage != format {
			t.Errorf("%s: %d references, errors %v", format, len(urls), errs)
		}
	}
}

// TestDepth reads streams that are compressed too many times.
func TestDepth(t *testing.T) {
	data := sample(3)
	for range 3 {
		data = pack(t, "gzip", data)
	}
	for depth, want := range map[int]int{2: 0, 3: 3} {
		urls, errs := read(t, extractor(t, extract.Options{Limits: extract.Limits{Depth: depth}}), data)
		if len(urls) != want || (want == 0) != (len(errs) == 1) {
			t.Errorf("depth %d: %d references, errors %v", depth, len(urls), errs)
		}
	}
}

// TestSize reads streams over the limit and one exactly as long.
func TestSize(t *testing.T) {
	data := sample(100)
	for size, want := range map[int]int{len(data): 100, len(data) - 1: 100, len(data) / 2: 50} {
		x := extractor(t, extract.Options{Limits: extract.Limits{Size: int64(size)}})
		urls, errs := read(t, x, pack(t, "gzip", data))
		if d := len(urls) - want; d < -1 || d > 1 {
			t.Errorf("size %d: %d references, want %d", size, len(urls), want)
		}
		if (size == len(data)) != (len(errs) == 0) {
			t.Errorf("size %d: errors %v", size, errs)
		}
	}
}

// TestSniffWaits reads from pipes that pause after few bytes. References in these must be
// found without another byte.
func TestSniffWaits(t *testing.T) {
	for _, text := range []string{"h http://a/\n", "x^2 http://a/\n", "P http://a/\n", "BZ http://a/\n", "\xff http://a/\n"} {
		r, w := io.Pipe()
		ctx, cancel := context.WithCancel(context.Background())
		go func() { _, _ = w.Write([]byte(text)) }() // the pipe stays open
		src := extract.Source{Name: "pipe", Size: -1, Open: func() (io.ReadCloser, error) { return r, nil }}
		n := 0
		for range extractor(t, extract.Options{Workers: 2}).Run(ctx, slices.Values([]extract.Source{src})) {
			n++
			cancel()
		}
		if cancel(); n != 1 {
			t.Errorf("%q: %d references", text, n)
		}
	}
}
