package sevenzip

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/urlsift/urlsift/extract/internal/compress/lzma"
	"github.com/urlsift/urlsift/extract/internal/damage"
)

// The methods of coders, as 7-Zip numbers them.
const (
	methodCopy    = 0x00
	methodLZMA2   = 0x21
	methodLZMA    = 0x030101
	methodDeflate = 0x040108
	methodBzip2   = 0x040202
	methodAES     = 0x06f10701
)

// filters are the filters of xz, with the numbers that they have there (xz-file-format, section 5.3).
// Each reverses what was done to the addresses in a program.
var filters = map[uint64]byte{
	0x03: 3, 0x03030103: 4, 0x03030205: 5, 0x03030401: 6, 0x03030501: 7, 0x03030701: 8, 0x03030805: 9, // delta, x86, PowerPC, IA-64, ARM, ARM Thumb, SPARC
	0x04: 4, 0x05: 5, 0x06: 6, 0x07: 7, 0x08: 8, 0x09: 9, 0x0a: 10, // the same, and ARM64
}

// unread are the names of methods that are not read.
var unread = map[uint64]string{
	0x030401: "PPMd", 0x0303011b: "BCJ2", 0x040109: "Deflate64", 0x04f71101: "zstd", 0x04f71102: "brotli", 0x04f71104: "lz4", methodLZMA: "LZMA and a filter",
}

// open returns a reader that unpacks the folder f, whose packed stream is from. If the folder is not read,
// it returns why.
func (r *Reader) open(f *folder, from io.Reader) (io.Reader, *damage.Damage) {
	refuse := func(c *coder) (io.Reader, *damage.Damage) {
		for i := range f.n { // the one that is named may not be the first
			if other := &f.coders[i]; unread[other.method] != "" && other.method != methodLZMA {
				c = other
			}
		}
		name := unread[c.method]
		if name == "" {
			name = fmt.Sprintf("method %x", c.method)
		}
		return nil, r.damaged("a folder packed by " + name)
	}
	for _, c := range f.coders[:f.n] {
		if c.method == methodAES {
			return nil, r.damaged("an encrypted folder")
		}
	}
	c := &f.coders[f.first]
	switch {
	case !f.chain, f.n > 1 && c.method != methodLZMA2:
		return refuse(c)
	case c.method == methodCopy:
		return from, nil
	case c.method == methodDeflate:
		r.buf.Reset(from)
		r.deflate.Reset(r.buf)
		return &r.deflate, nil
	case c.method == methodBzip2:
		r.buf.Reset(from)
		r.bzip2.Reset(r.buf)
		return &r.bzip2, nil
	case c.method == methodLZMA:
		return r.openLZMA(c, from)
	case c.method == methodLZMA2:
		return r.openLZMA2(f, from)
	}
	return refuse(c)
}

// tooLarge returns the Damage for a dictionary over the limit.
func (r *Reader) tooLarge() *damage.Damage {
	d := damage.Limited(Stage, "Window", r.window, "a dictionary over the limit of %d bytes")
	d.Level, d.Known = r.level, true
	return d
}

func (r *Reader) openLZMA(c *coder, from io.Reader) (io.Reader, *damage.Damage) {
	const size = 5 // of the properties
	var p lzma.Params
	if len(c.props) < size || !p.SetProperties(c.props[0]) {
		return nil, r.damaged("impossible properties of LZMA")
	}
	p.Dict, p.Size = int64(binary.LittleEndian.Uint32(c.props[1:])), c.size
	if min(p.Dict, p.Size) > r.window {
		return nil, r.tooLarge()
	}
	r.buf.Reset(from)
	r.lzma.Reset(r.buf, p)
	return &r.lzma, nil
}

// openLZMA2 makes the packed stream a block of xz, which has the same data and filters. The reader of xz
// reads no further than the size of the folder, so that the end of the block is never missed.
func (r *Reader) openLZMA2(f *folder, from io.Reader) (io.Reader, *damage.Damage) {
	c := &f.coders[f.first]
	if len(c.props) != 1 || c.props[0] > 40 {
		return nil, r.damaged("impossible properties of LZMA2")
	}
	prop := c.props[0]
	for prop > 0 && dictionary(prop-1) >= c.size { // 7-Zip declares more than a small folder needs
		prop--
	}
	if dictionary(prop) > r.window {
		return nil, r.tooLarge()
	}
	block := []byte{0, byte(f.n - 1)}
	var order []int // from the packed stream on
	for i := f.next[f.first]; i >= 0 && len(order) < f.n; i = f.next[i] {
		order = append(order, i)
	}
	if len(order) != f.n-1 {
		return nil, r.damaged(errDirectory.Error())
	}
	for i := len(order) - 1; i >= 0; i-- { // xz lists them in the order in which they packed
		c := &f.coders[order[i]]
		id, known := filters[c.method]
		if !known || len(c.props) > 1 {
			return nil, r.damaged(fmt.Sprintf("a folder packed by LZMA2 and method %x", c.method))
		}
		block = append(append(block, id, byte(len(c.props))), c.props...)
	}
	const lzma2 = 0x21
	block = append(block, lzma2, 1, prop)
	for len(block)%4 != 0 {
		block = append(block, 0)
	}
	block[0] = byte(len(block) / 4)
	head := []byte("\xfd7zXZ\x00\x00\x00") // without a check: 7z has its own
	head = binary.LittleEndian.AppendUint32(head, crc32.ChecksumIEEE(head[6:]))
	head = binary.LittleEndian.AppendUint32(append(head, block...), crc32.ChecksumIEEE(block))
	r.buf.Reset(io.MultiReader(bytes.NewReader(head), from))
	r.xz.MaxDict = r.window
	r.xz.Reset(r.buf)
	return &r.xz, nil
}

// dictionary returns the size of the dictionary that a property of LZMA2 declares.
func dictionary(prop byte) int64 {
	if prop == 40 {
		return 1<<32 - 1
	}
	return int64(2|prop&1) << (prop/2 + 11)
}
