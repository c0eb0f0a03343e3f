package extract_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
	"github.com/ulikunitz/xz"
	"github.com/ulikunitz/xz/lzma"

	"github.com/urlsift/urlsift/extract/internal/compress"
)

// A compression is what the tests know of a kind of compression.
type compression struct {
	name   string                                 // of the Kind
	suffix string                                 // of its files
	pack   func(t testing.TB, data []byte) []byte // compresses data, in small blocks, so that samples have several
	short  func(t testing.TB) []byte              // makes damaged data; nil: sample(100) without its last 5 bytes, which are a checksum or the end of a block
	says   string                                 // the Error for that: its place and cause; "" if TestEveryStage has a case

	// Without checksums much damage is not found, and unchecked is true. Otherwise lost is how many
	// bytes of text in front of a cut may be lost. Where a library returns a block only after it has
	// checked the whole block, the truncated block is lost. gzip, zlib and xz lose nothing.
	unchecked bool
	lost      int
}

// compressions has a row for each Kind.
var compressions = []compression{
	{name: "gzip", suffix: "gz", pack: written(newGzip), says: "data:101:1@6327 unexpected EOF"},
	{name: "zlib", suffix: "zz", pack: written(func(w io.Writer) (io.WriteCloser, error) { return zlib.NewWriter(w), nil }),
		says: "data:101:1@6327 unexpected EOF"},
	{name: "zstd", suffix: "zst", pack: written(func(w io.Writer) (io.WriteCloser, error) {
		return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(zstd.MinWindowSize<<4))
	}), lost: 128 << 10, says: "data:1:1@0 unexpected EOF"},
	{name: "s2", suffix: "s2", pack: written(newS2()), lost: 16 << 10, says: "data:1:1@0 corrupt input"},
	{name: "snappy", suffix: "sz", pack: written(newS2(s2.WriterSnappyCompat())), lost: 16 << 10, says: "data:1:1@0 corrupt input"},
	{name: "lz4", suffix: "lz4", pack: written(func(w io.Writer) (io.WriteCloser, error) {
		z := lz4.NewWriter(w)
		return z, z.Apply(lz4.BlockSizeOption(lz4.Block64Kb), lz4.ChecksumOption(true), lz4.BlockChecksumOption(true))
	}), lost: 64 << 10, says: "data:101:1@6327 unexpected EOF"},
	{name: "xz", suffix: "xz", pack: written(func(w io.Writer) (io.WriteCloser, error) {
		return xz.WriterConfig{BlockSize: 64 << 10, DictCap: 1 << 20}.NewWriter(w)
	}),
		says: "data:101:1@6327 unexpected EOF"},
	{name: "bzip2", suffix: "bz2", pack: bzip2Sample, short: func(t testing.TB) []byte { piece := bzipped(t, "piece"); return piece[:len(piece)-5] },
		lost: 100 << 10, says: "data:67:1@4148 unexpected EOF"},
	{name: "lzma", suffix: "lzma", unchecked: true, pack: packLzma, says: "data:101:1@6327 unexpected EOF"},
	{name: "lzip", suffix: "lz", pack: packLzip, says: "data:101:1@6327 unexpected EOF"},
	{name: "brotli", suffix: "br", unchecked: true, pack: written(func(w io.Writer) (io.WriteCloser, error) { return brotli.NewWriter(w), nil })},
	{name: "compress", suffix: "Z", unchecked: true, pack: func(_ testing.TB, data []byte) []byte { return packZ(data) },
		short: func(testing.TB) []byte { return []byte("\x1f\x9d\x90\xff\xff\xff\xff") }, says: "data:1:1@0 code 511 beyond the table at offset 3"},
	{name: "batch", unchecked: true, pack: func(t testing.TB, data []byte) []byte {
		return append([]byte("#! gunbatch\n"), written(newGzip)(t, data)...)
	}},
}

// packed has the names of the compressions whose checksums show damage.
var packed = func() (names []string) {
	for _, c := range compressions {
		if !c.unchecked {
			names = append(names, c.name)
		}
	}
	return names
}()

// compressionOf returns the row of the Kind with that name, or nil.
func compressionOf(name string) *compression {
	i := slices.IndexFunc(compressions, func(c compression) bool { return c.name == name })
	if i < 0 {
		return nil
	}
	return &compressions[i]
}

// kinds returns the names of the compressions that the program reads, whatever the name of the file.
func kinds() (names []string) {
	for k := compress.None + 1; k.String() != ""; k++ {
		if k != compress.Brotli {
			names = append(names, k.String())
		}
	}
	return names
}

// packLzma compresses data as LZMA alone, with a mark at its end.
func packLzma(t testing.TB, data []byte) []byte {
	return written(func(w io.Writer) (io.WriteCloser, error) { return lzma.NewWriter(w) })(t, data)
}

// packLzip compresses data with lzip, which has its own header and trailer.
func packLzip(t testing.TB, data []byte) []byte {
	window := min(8<<20, max(len(data), lzma.MinDictCap)) // the writer clears tables as large as its window
	b := written(func(w io.Writer) (io.WriteCloser, error) { return lzma.WriterConfig{DictCap: window}.NewWriter(w) })(t, data)[13:]
	out := append([]byte("LZIP\x01\x17"), b...)
	out = binary.LittleEndian.AppendUint32(out, crc32.ChecksumIEEE(data))
	out = binary.LittleEndian.AppendUint64(out, uint64(len(data)))
	return binary.LittleEndian.AppendUint64(out, uint64(6+len(b)+20))
}

// pack compresses data by a row of compressions, or with "lz4 legacy"; "plain" leaves it unchanged.
func pack(t testing.TB, format string, data []byte) []byte {
	t.Helper()
	switch c := compressionOf(format); {
	case c != nil:
		return c.pack(t, data)
	case format == "plain":
		return data
	case format == "lz4 legacy":
		return legacyLZ4(t, data)
	}
	t.Fatalf("compressions in compressions_test.go has no row for %q", format)
	return nil
}

// written returns a function that compresses with the writers that open makes.
func written(open func(io.Writer) (io.WriteCloser, error)) func(testing.TB, []byte) []byte {
	return func(t testing.TB, data []byte) []byte {
		t.Helper()
		var b bytes.Buffer
		w, err := open(&b)
		must(t, err)
		_, err = w.Write(data)
		must(t, err)
		must(t, w.Close())
		return b.Bytes()
	}
}

func newGzip(w io.Writer) (io.WriteCloser, error) { return gzipWriter(w, gzip.DefaultCompression), nil }

// A gzipper is a writer of gzip that is used again after Close. A new one allocates a megabyte.
type gzipper struct {
	*gzip.Writer
	idle *sync.Pool
}

// idleGzip has the writers of each level.
var idleGzip [gzip.BestCompression - gzip.HuffmanOnly + 1]sync.Pool

func gzipWriter(w io.Writer, level int) gzipper {
	idle := &idleGzip[level-gzip.HuffmanOnly]
	z, ok := idle.Get().(*gzip.Writer)
	if !ok {
		z, _ = gzip.NewWriterLevel(nil, level)
	}
	z.Reset(w)
	return gzipper{z, idle}
}

func (z gzipper) Close() error {
	err := z.Writer.Close()
	z.idle.Put(z.Writer)
	return err
}

func newS2(opts ...s2.WriterOption) func(io.Writer) (io.WriteCloser, error) {
	return func(w io.Writer) (io.WriteCloser, error) {
		return s2.NewWriter(w, append(opts, s2.WriterBlockSize(16<<10), s2.WriterConcurrency(1))...), nil
	}
}

// bzip2Sample returns sample(4000) in bzip2, which is a file, because no library here writes bzip2.
func bzip2Sample(t testing.TB, data []byte) []byte {
	t.Helper()
	packed, err := os.ReadFile("testdata/lines.bz2")
	must(t, err)
	if !bytes.Equal(data, sample(4000)) {
		t.Fatal("only sample(4000) is there in bzip2")
	}
	return packed
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
