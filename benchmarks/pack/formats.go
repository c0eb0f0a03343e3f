package main

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"

	"github.com/dsnet/compress/bzip2"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
	"github.com/ulikunitz/xz"
	"github.com/ulikunitz/xz/lzma"
)

// A format is a way to compress a whole text, and the suffix of its files. The suffixes are for
// people; urlsift examines the bytes of these formats.
type format struct {
	ext    string
	name   string // of the compression
	about  string // what a file has, for the README
	encode func(text []byte) ([]byte, error)
}

var formats = []format{
	{".gz", "gzip", "one member", single(gzipper)},
	{".multi.gz", "gzip", "four members, the second empty", many(gzipper, nil)},
	{".zst", "zstd", "one frame, with checksum", single(zstdder)},
	{".frames.zst", "zstd", "four frames, the second empty, a skippable frame after each", many(zstdder, skippable("urlsift fixture"))},
	{".zz", "zlib", "", single(zlibber)},
	{".s2", "s2 stream", "", single(func(w io.Writer) (io.WriteCloser, error) {
		return s2.NewWriter(w, s2.WriterConcurrency(1)), nil
	})},
	{".sz", "snappy framing", "", single(func(w io.Writer) (io.WriteCloser, error) {
		return s2.NewWriter(w, s2.WriterSnappyCompat(), s2.WriterConcurrency(1)), nil
	})},
	{".bz2", "bzip2", "", single(bzipper)},
	{".multi.bz2", "bzip2", "four streams, the second empty", many(bzipper, nil)},
	{".xz", "xz", "CRC-64", single(xzer)},
	{".multi.xz", "xz", "four streams, the second empty, eight bytes of stream padding after each", many(xzer, make([]byte, 8))}, // stream padding: zeros, four at a time
	{".lzma", "LZMA alone", "a mark at the end", single(lzmaer)},
	{".lz", "lzip", "one member", lziper},
	{".lz4", "lz4 frame", "64 KiB blocks with checksums", single(lz4er)},
	{".frames.lz4", "lz4", "four frames, the second empty, a skippable frame after each", many(lz4er, skippable("urlsift fixture"))},

	{".dat", "gzip", "the name does not matter: gzip is recognised by its first bytes", single(gzipper)},
}

func gzipper(w io.Writer) (io.WriteCloser, error) {
	return gzip.NewWriterLevel(w, gzip.BestCompression)
}

func zlibber(w io.Writer) (io.WriteCloser, error) {
	return zlib.NewWriterLevel(w, zlib.BestCompression)
}

func zstdder(w io.Writer) (io.WriteCloser, error) {
	return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedBestCompression))
}

func bzipper(w io.Writer) (io.WriteCloser, error) {
	return bzip2.NewWriter(w, &bzip2.WriterConfig{Level: bzip2.BestCompression})
}

func xzer(w io.Writer) (io.WriteCloser, error) {
	return xz.WriterConfig{CheckSum: xz.CRC64}.NewWriter(w)
}

func lzmaer(w io.Writer) (io.WriteCloser, error) { return lzma.NewWriter(w) }

// lziper compresses text with lzip, which has a header and a trailer of its own.
func lziper(text []byte) ([]byte, error) {
	b, err := single(lzmaer)(text)
	if err != nil {
		return nil, err
	}
	const header = 13 // bytes of .lzma
	out := append([]byte("LZIP\x01\x17"), b[header:]...)
	out = binary.LittleEndian.AppendUint32(out, crc32.ChecksumIEEE(text))
	out = binary.LittleEndian.AppendUint64(out, uint64(len(text)))
	return binary.LittleEndian.AppendUint64(out, uint64(len(out)+8)), nil
}

// lz4er writes blocks of 64 KiB with a checksum each, so that damage in one is
// reported when that block is read.
func lz4er(w io.Writer) (io.WriteCloser, error) {
	z := lz4.NewWriter(w)
	err := z.Apply(lz4.BlockSizeOption(lz4.Block64Kb), lz4.BlockChecksumOption(true), lz4.ConcurrencyOption(1))
	return z, err
}

// single compresses a text as one stream.
func single(open func(io.Writer) (io.WriteCloser, error)) func([]byte) ([]byte, error) {
	return func(text []byte) ([]byte, error) {
		var b bytes.Buffer
		w, err := open(&b)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(text); err != nil {
			return nil, err
		}
		err = w.Close()
		return b.Bytes(), err
	}
}

// many compresses a text as four streams in a row, the second of them empty,
// with filler after each.
func many(open func(io.Writer) (io.WriteCloser, error), filler []byte) func([]byte) ([]byte, error) {
	return func(text []byte) ([]byte, error) {
		t := thirds(text)
		var all []byte
		for _, part := range [][]byte{t[0], nil, t[1], t[2]} {
			b, err := single(open)(part)
			if err != nil {
				return nil, err
			}
			all = append(append(all, b...), filler...)
		}
		return all, nil
	}
}

// skippable returns a frame that zstd and lz4 readers pass over.
func skippable(what string) []byte {
	b := binary.LittleEndian.AppendUint32(nil, 0x184D2A50)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(what)))
	return append(b, what...)
}

// thirds divides text into three pieces. Each cut is five bytes after the first "://" that follows
// a third of the text, or at the third if there is no "://".
func thirds(text []byte) [][]byte {
	at := func(i int) int {
		if j := bytes.Index(text[i:], []byte("://")); j >= 0 && i+j+8 < len(text) {
			return i + j + 8
		}
		return i
	}
	a := at(len(text) / 3)
	b := max(a, at(2*len(text)/3))
	return [][]byte{text[:a], text[a:b], text[b:]}
}
