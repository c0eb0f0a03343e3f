package extract_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
	"github.com/ulikunitz/xz"

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

// pack compresses data. Writers use small blocks, so that samples have several.
func pack(t testing.TB, format string, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	var err error
	switch format {
	case "plain":
		return data
	case "gzip":
		w = gzip.NewWriter(&b)
	case "zlib":
		w = zlib.NewWriter(&b)
	case "zstd":
		w, err = zstd.NewWriter(&b, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(zstd.MinWindowSize<<4))
	case "s2":
		w = s2.NewWriter(&b, s2.WriterBlockSize(16<<10), s2.WriterConcurrency(1))
	case "snappy":
		w = s2.NewWriter(&b, s2.WriterSnappyCompat(), s2.WriterBlockSize(16<<10), s2.WriterConcurrency(1))
	case "lz4":
		z := lz4.NewWriter(&b)
		err = z.Apply(lz4.BlockSizeOption(lz4.Block64Kb), lz4.ChecksumOption(true), lz4.BlockChecksumOption(true))
		w = z
	case "lz4 legacy":
		return legacyLZ4(t, data)
	case "xz":
		w, err = xz.WriterConfig{BlockSize: 64 << 10}.NewWriter(&b)
	case "compress":
		return packZ(data)
	case "bzip2": // only for sample(4000)
		if packed, err := os.ReadFile("testdata/lines.bz2"); err == nil && bytes.Equal(data, sample(4000)) {
			return packed
		}
		t.Fatal("nothing here writes bzip2")
	default:
		t.Fatalf("no format is called %q", format)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// legacyLZ4 compresses data like lz4 -l, but in blocks of 64 KiB of text.
func legacyLZ4(t testing.TB, data []byte) []byte {
	t.Helper()
	packed := []byte("\x02\x21\x4c\x18")
	block := make([]byte, lz4.CompressBlockBound(64<<10))
	for text := range slices.Chunk(data, 64<<10) {
		n, err := lz4.CompressBlock(text, block, nil)
		must(t, err)
		packed = append(binary.LittleEndian.AppendUint32(packed, uint32(n)), block[:n]...)
	}
	return packed
}

// packed lists the formats that pack writes and that have checksums.
var packed = []string{"gzip", "zlib", "zstd", "s2", "snappy", "lz4", "xz", "bzip2"}

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
	return all(t, x.Read("data", bytes.NewReader(data)))
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
