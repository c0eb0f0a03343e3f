package main

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"

	"github.com/dsnet/compress/bzip2"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

const (
	// memberSize is the size of the text in each member or frame of a file with many. Parallel
	// compressors use pieces of about this size.
	memberSize = 1 << 20
	// blockSize is the size of the text in a block of BGZF. The compressed block must fit in 64
	// KiB, even if the text cannot be compressed.
	blockSize = 0xff00
)

func gzipper(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil }

func zstdder(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) }

func xzer(w io.Writer) (io.WriteCloser, error) {
	return xz.WriterConfig{CheckSum: xz.CRC64}.NewWriter(w)
}

func bzip2er(w io.Writer) (io.WriteCloser, error) {
	return bzip2.NewWriter(w, &bzip2.WriterConfig{Level: bzip2.BestCompression})
}

// inParts compresses each n bytes of text separately.
func inParts(open func(io.Writer) (io.WriteCloser, error), n int) func(io.Writer) (io.WriteCloser, error) {
	return func(w io.Writer) (io.WriteCloser, error) {
		return &parts{max: n, pack: func(text []byte) error {
			z, err := open(w)
			if err != nil {
				return err
			}
			if _, err := z.Write(text); err != nil {
				return err
			}
			return z.Close()
		}}, nil
	}
}

// parts divides what is written to it into pieces of max bytes. The last may be shorter.
type parts struct {
	max  int
	text []byte // less than max bytes
	pack func([]byte) error
}

func (p *parts) Write(b []byte) (int, error) {
	n := len(b)
	for len(b) > 0 {
		k := min(len(b), p.max-len(p.text))
		p.text, b = append(p.text, b[:k]...), b[k:]
		if len(p.text) == p.max {
			if err := p.pack(p.text); err != nil {
				return n - len(b), err
			}
			p.text = p.text[:0]
		}
	}
	return n, nil
}

func (p *parts) Close() error {
	if len(p.text) == 0 {
		return nil
	}
	return p.pack(p.text)
}

// bgzfer writes the blocked gzip of the SAM specification, section 4.1: members
// of at most 64 KiB, each with its packed length in an extra field, and an
// empty one at the end.
func bgzfer(w io.Writer) (io.WriteCloser, error) {
	var packed bytes.Buffer
	z, err := flate.NewWriter(nil, flate.DefaultCompression)
	if err != nil {
		return nil, err
	}
	block := func(text []byte) error {
		packed.Reset()
		z.Reset(&packed)
		if _, err := z.Write(text); err != nil {
			return err
		}
		if err := z.Close(); err != nil {
			return err
		}
		_, err := w.Write(bgzfBlock(packed.Bytes(), text))
		return err
	}
	return &bgzf{parts{max: blockSize, pack: block}}, nil
}

type bgzf struct{ parts }

func (b *bgzf) Close() error {
	if err := b.parts.Close(); err != nil {
		return err
	}
	return b.pack(nil) // the end mark
}

// bgzfBlock puts the header and the trailer of a member around the compressed text.
func bgzfBlock(packed, text []byte) []byte {
	b := []byte{0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 6, 0, 'B', 'C', 2, 0}
	whole := len(b) + 2 + len(packed) + 8
	b = binary.LittleEndian.AppendUint16(b, uint16(whole-1))
	b = append(b, packed...)
	b = binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(text))
	return binary.LittleEndian.AppendUint32(b, uint32(len(text)))
}
