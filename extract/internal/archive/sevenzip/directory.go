package sevenzip

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"unicode/utf16"
)

// The directory of an archive is a tree of lists, in which all numbers have a variable length. It is kept
// as it is written, and each list is read from its own cursor while the archive is read, so that it takes no
// more memory than its bytes. 7zFormat.txt, in the sources of 7-Zip, describes it.

// These bytes announce the parts of a directory.
const (
	tagEnd           = 0x00
	tagHeader        = 0x01
	tagProperties    = 0x02
	tagMoreStreams   = 0x03
	tagStreams       = 0x04
	tagFiles         = 0x05
	tagPacked        = 0x06
	tagFolders       = 0x07
	tagSubStreams    = 0x08
	tagSize          = 0x09
	tagSum           = 0x0a
	tagFolder        = 0x0b
	tagUnpackedSizes = 0x0c
	tagCounts        = 0x0d
	tagEmpty         = 0x0e
	tagNames         = 0x11
	tagEncoded       = 0x17
)

var errDirectory = errors.New("the directory is damaged")

// A cursor reads the rest of a list. After an error, bad is set and all numbers are 0.
type cursor struct {
	b   []byte
	bad bool
}

func (c *cursor) fail() { c.b, c.bad = nil, true }

func (c *cursor) byte() byte {
	if len(c.b) == 0 {
		c.fail()
		return 0
	}
	v := c.b[0]
	c.b = c.b[1:]
	return v
}

// take returns the next n bytes.
func (c *cursor) take(n int64) []byte {
	if n < 0 || n > int64(len(c.b)) {
		c.fail()
		return nil
	}
	v := c.b[:n]
	c.b = c.b[n:]
	return v
}

// number reads a number: the ones in front of the first byte say how many bytes follow. It fails for
// one of more than 62 bits, so that two can be added.
func (c *cursor) number() int64 {
	first := c.byte()
	n := bits.LeadingZeros8(^first)
	var v uint64
	for i, b := range c.take(int64(n)) { // 8 at most
		v |= uint64(b) << (8 * i)
	}
	if n < 8 {
		v |= uint64(first&(0x7f>>n)) << (8 * n)
	}
	if v >= 1<<62 {
		c.fail()
		return 0
	}
	return int64(v)
}

// expect fails if the next byte is not tag.
func (c *cursor) expect(tag byte) {
	if c.byte() != tag {
		c.fail()
	}
}

// numbers passes a list of n numbers and returns a cursor for it. Each has at least one byte, so the list
// ends the loop.
func (c *cursor) numbers(n int64) cursor {
	list := *c
	for ; n > 0 && !c.bad; n-- {
		c.number()
	}
	return list
}

// sums are a list of CRC-32s, some of which may be missing.
type sums struct {
	cursor
	defined []byte // bits; nil if all are there
	i       int64
	none    bool
}

// sums passes a list for n streams.
func (c *cursor) sums(n int64) (s sums) {
	count := n
	if c.byte() == 0 {
		s.defined = c.take((n + 7) / 8)
		count = 0
		for i := range int64(8 * len(s.defined)) {
			if i < n && bit(s.defined, i) {
				count++
			}
		}
	}
	s.b = c.take(4 * count)
	return s
}

// next returns the next sum; known is false if it is missing.
func (s *sums) next() (sum uint32, known bool) {
	i := s.i
	if s.i++; s.none || s.defined != nil && !bit(s.defined, i) {
		return 0, false
	}
	if b := s.take(4); b != nil {
		return binary.LittleEndian.Uint32(b), true
	}
	return 0, false
}

// bit returns the bit i of b, the highest of a byte first.
func bit(b []byte, i int64) bool { return i/8 < int64(len(b)) && b[i/8]&(0x80>>(i%8)) != 0 }

// A directory has cursors for its lists.
type directory struct {
	packedAt int64  // offset of the packed data after the first header
	packed   cursor // sizes of the packed streams

	folders    int64 // number of folders
	coders     cursor
	sizes      cursor // of what the coders return
	folderSums sums

	hasCounts bool
	counts    cursor // of files in each folder; one each without it
	fileSizes cursor // of the files in a folder, without the last one
	fileSums  sums

	files int64
	names cursor
	empty []byte // bits: the files without data, such as folders
}

// parse parses b. If encoded is set, the directory itself is packed, and d describes it as one file.
func (d *directory) parse(b []byte) (encoded bool, err error) {
	c := cursor{b: b}
	*d = directory{folderSums: sums{none: true}, fileSums: sums{none: true}}
	switch c.byte() {
	case tagEncoded:
		d.parseStreams(&c)
		d.files, encoded = 1, true
	case tagHeader:
		d.parseHeader(&c)
	default:
		c.fail()
	}
	if c.bad {
		return false, errDirectory
	}
	return encoded, nil
}

func (d *directory) parseHeader(c *cursor) {
	tag := c.byte()
	if tag == tagStreams {
		d.parseStreams(c)
		tag = c.byte()
	}
	if tag == tagFiles {
		d.parseFiles(c)
		tag = c.byte()
	}
	if tag != tagEnd { // also tagProperties and tagMoreStreams, which 7-Zip does not write
		c.fail()
	}
}

// parseStreams parses the lists of packed streams, of folders, and of the files in these.
func (d *directory) parseStreams(c *cursor) {
	tag := c.byte()
	if tag == tagPacked {
		d.packedAt = c.number()
		n := c.number()
		for tag = c.byte(); tag != tagEnd && !c.bad; tag = c.byte() {
			switch tag {
			case tagSize:
				d.packed = c.numbers(n)
			case tagSum:
				c.sums(n)
			default:
				c.fail()
			}
		}
		tag = c.byte()
	}
	if tag == tagFolders {
		d.parseFolders(c)
		tag = c.byte()
	}
	if tag == tagSubStreams {
		d.parseSubStreams(c)
		tag = c.byte()
	}
	if tag != tagEnd {
		c.fail()
	}
}

func (d *directory) parseFolders(c *cursor) {
	c.expect(tagFolder)
	d.folders = c.number()
	c.expect(0) // external: in another stream
	d.coders = *c
	outputs := int64(0)
	for i := int64(0); i < d.folders && !c.bad; i++ {
		f := readFolder(c)
		outputs += int64(f.outputs)
	}
	c.expect(tagUnpackedSizes)
	d.sizes = c.numbers(outputs)
	tag := c.byte()
	if tag == tagSum {
		d.folderSums = c.sums(d.folders)
		tag = c.byte()
	}
	if tag != tagEnd {
		c.fail()
	}
}

// parseSubStreams parses how the folders are divided into files.
func (d *directory) parseSubStreams(c *cursor) {
	tag := c.byte()
	if tag == tagCounts {
		d.hasCounts, d.counts = true, c.numbers(d.folders)
		tag = c.byte()
	}
	counts, known := d.counts, d.folderSums
	sizes, unknown := int64(0), int64(0)
	for range d.folders {
		n := int64(1)
		if d.hasCounts {
			n = counts.number()
		}
		if _, is := known.next(); n != 1 || !is {
			unknown += n
		}
		if sizes += max(0, n-1); sizes > 1<<40 || unknown > 1<<40 {
			c.fail()
			return
		}
	}
	if tag == tagSize {
		d.fileSizes = c.numbers(sizes)
		tag = c.byte()
	}
	if tag == tagSum {
		d.fileSums = c.sums(unknown)
		tag = c.byte()
	}
	if tag != tagEnd || len(d.fileSizes.b) == 0 && sizes > 0 {
		c.fail()
	}
}

func (d *directory) parseFiles(c *cursor) {
	d.files = c.number()
	for tag := c.byte(); tag != tagEnd && !c.bad; tag = c.byte() {
		property := cursor{b: c.take(c.number())}
		switch tag {
		case tagEmpty:
			d.empty = property.take((d.files + 7) / 8)
		case tagNames:
			property.expect(0) // external
			d.names = property
		}
		c.bad = c.bad || property.bad
	}
	if d.files > 1+int64(len(d.names.b)/2) { // of one file, some programs write no name
		c.fail()
	}
}

// name returns the next name.
func (d *directory) name() string {
	var name []uint16
	for len(d.names.b) >= 2 {
		u := binary.LittleEndian.Uint16(d.names.take(2))
		if u == 0 {
			break
		}
		name = append(name, u)
	}
	return string(utf16.Decode(name))
}

const (
	mostCoders = 4       // of a folder, as in 7-Zip
	mostInputs = 32      // of a folder
	mostBytes  = 1 << 10 // of the properties of a coder
)

// A coder is one step of decompression.
type coder struct {
	method uint64
	props  []byte
	size   int64 // of what it returns
}

// A folder is a packed stream, or several, that make one stream.
type folder struct {
	coders  [mostCoders]coder
	n       int
	outputs int // as many as coders, as a rule
	packed  int // number of packed streams
	final   int // the coder whose output is that of the folder
	first   int // the coder that reads the packed stream
	chain   bool
	next    [mostCoders]int // of a chain: the coder that reads the output of one, or -1
}

// readFolder reads the coders of a folder and how they are joined.
func readFolder(c *cursor) (f folder) {
	n := c.number()
	if n == 0 || n > mostCoders {
		c.fail()
		return f
	}
	f.n, f.chain = int(n), true
	inputs := 0
	for i := range f.n {
		flags := c.byte()
		for _, b := range c.take(int64(flags & 0xf)) {
			f.coders[i].method = f.coders[i].method<<8 | uint64(b)
		}
		in, out := int64(1), int64(1)
		if flags&0x10 != 0 {
			in, out = c.number(), c.number()
		}
		if flags&0x20 != 0 {
			size := c.number()
			if size > mostBytes {
				c.fail()
			}
			f.coders[i].props = c.take(size)
		}
		if in > mostInputs || out != 1 || flags&0x80 != 0 {
			c.fail()
			return f
		}
		inputs += int(in)
		f.outputs += int(out)
		f.chain = f.chain && in == 1
		f.next[i] = -1
	}
	bound := [mostCoders]bool{} // inputs of a chain that read the output of a coder
	for range f.outputs - 1 {
		in, out := c.number(), c.number()
		if in >= int64(inputs) || out >= int64(f.n) {
			c.fail()
			return f
		}
		if f.chain {
			f.next[out], bound[in] = int(in), true
		}
	}
	if f.packed = inputs - (f.outputs - 1); f.packed < 1 {
		c.fail()
		return f
	}
	if f.packed > 1 {
		c.numbers(int64(f.packed))
	}
	for i := range f.n {
		if !bound[i] {
			f.first = i
		}
		if f.next[i] < 0 {
			f.final = i
		}
	}
	return f
}
