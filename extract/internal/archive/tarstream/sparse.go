package tarstream

import (
	"io"
	"math"
	"strconv"

	"github.com/urlsift/urlsift/extract/internal/damage"
)

// A sparse file has holes: stretches of zeros that are not stored. A map says where the stored
// stretches belong. There are four ways to write it, all in front of the data:
//
//	GNU tar, type S  in the header (4 stretches) and in the blocks after it (21 each)
//	pax 0.0          in the extended header: GNU.sparse.offset and GNU.sparse.numbytes for each stretch
//	pax 0.1          in the extended header: GNU.sparse.map, numbers with commas between them
//	pax 1.0          at the beginning of the data: decimal numbers in lines, filled up to whole blocks
//
// The data is returned with zeros in the holes, but of a hole that is longer than maxHole only
// about that many: a hole may have many gigabytes, and text does not continue over zeros anyway. How
// many are left out is a multiple of the size of a block, so an archive within the file stays
// aligned.

const (
	// maxStretches is how many stretches of a map are kept. The map is in front of the data, so
	// it cannot be read together with the data. What is stored after that many stretches is returned
	// without the holes in it.
	maxStretches = 8 << 10

	maxHole = 4 << 10 // no file system has shorter holes, so holes of one unit keep their length
)

// A sparse is the map of a sparse member, and how far the member was read.
type sparse struct {
	is       bool
	real     int64     // size of the file with its holes; -1 if it is not known
	list     []stretch // reused
	at       int       // index of the current stretch
	end      int64     // offset in the file after the stretches so far
	hole     int64     // length of the hole in front of end that is not in list
	shortage bool      // there were more than maxStretches
	wrong    damage.Fact

	major, minor int64 // version of the map of pax
	offset       int64 // pax 0.0: of the stretch whose size follows
}

// A stretch is a hole and the data after it. Its numbers decrease while it is read.
type stretch struct{ hole, data int64 }

// reset clears m.
func (m *sparse) reset() { *m = sparse{real: -1, list: m.list[:0]} }

// fail makes what the end of the member. Stretches that are added later are left out.
func (m *sparse) fail(what damage.Fact) {
	if m.wrong == "" {
		m.wrong = what
	}
}

// add appends size bytes of data to the map, which belong to the offset in the file. A stretch of 0
// bytes marks the end of a hole.
func (m *sparse) add(offset, size int64) {
	switch {
	case m.wrong != "":
		return
	case offset < m.end:
		m.fail("a map of holes that goes backwards")
		return
	case size > math.MaxInt64-offset:
		m.fail("an impossible number in a map of holes")
		return
	}
	m.hole += offset - m.end
	m.end = offset + size
	switch last := len(m.list) - 1; {
	case size == 0:
	case last >= 0 && m.hole == 0:
		m.list[last].data += size
	case last+1 == maxStretches:
		m.list[last].data += size
		m.hole, m.shortage = 0, true
	default:
		m.list = append(m.list, stretch{shortened(m.hole), size})
		m.hole = 0
	}
}

// finish adds the hole at the end of the file.
func (m *sparse) finish() {
	if m.real >= 0 && m.real < m.end {
		m.fail("a map of holes that is longer than the file")
	}
	if m.wrong == "" && m.real >= 0 {
		m.list = append(m.list, stretch{hole: shortened(m.hole + m.real - m.end)})
	}
}

// shortened returns how many zeros stand for a hole of n bytes.
func shortened(n int64) int64 {
	if n <= maxHole {
		return n
	}
	return maxHole + n&(blockSize-1)
}

// addBlock adds the stretches in b, which is part of a header or of a block of the map: two numbers
// of 12 bytes for each stretch, up to the first that has no size.
func (m *sparse) addBlock(b []byte) {
	const width = 12
	for ; len(b) >= 2*width && b[width] != 0; b = b[2*width:] { // 21 stretches at most
		offset, ok := number(b[:width])
		size, sized := number(b[width : 2*width])
		if !ok || !sized {
			m.fail("an impossible number in a map of holes")
			return
		}
		m.add(offset, size)
	}
}

// mapOfGNU reads the map of the member of type S whose header was read.
func (r *Reader) mapOfGNU() error {
	m, b := &r.sparse, &r.block
	m.is = true
	if string(b.magic()) != "ustar " { // star has such members too, whose header is different
		m.fail("a sparse file of an unknown format")
		return nil
	}
	if n, ok := number(b.realSize()); ok {
		m.real = n
	}
	m.addBlock(b.stretches(true))
	for more := b.more(true); more; more = b.more(false) { // each iteration takes a block
		if err := r.read(); err != nil {
			return r.cut(err)
		}
		m.addBlock(b.stretches(false))
	}
	return nil
}

// mapOfPax reads the map of a member of pax whose data was opened, if the data begins with one:
// the number of stretches, and offset and size of each, as decimal numbers in lines.
func (r *Reader) mapOfPax() error {
	m, in := &r.sparse, &r.input
	switch {
	case m.major == 0:
		return nil // it was in the extended header
	case m.major != 1 || m.minor != 0:
		m.fail("a sparse file of an unknown format")
		return nil
	}
	before := in.left
	n, ok, err := in.digits('\n', in.left)
	for ; n > 0 && ok && err == nil; n-- { // each iteration takes two lines of the data
		var offset, size int64
		if offset, ok, err = in.digits('\n', in.left); ok {
			if size, ok, err = in.digits('\n', in.left); ok {
				m.add(offset, size)
			}
		}
	}
	if err == nil && !ok {
		m.fail("a bad line in a map of holes")
	}
	if err == nil {
		err = in.skip(min(in.left, (in.left-before)&(blockSize-1)))
	}
	if err != nil {
		return r.cut(err)
	}
	return nil
}

// A record of an extended header about a sparse file has one of these keys.
const (
	keySparse   = "GNU.sparse." // all begin like this; numblocks and others say nothing that is needed
	keyName     = "GNU.sparse.name"
	keyMajor    = "GNU.sparse.major"
	keyMinor    = "GNU.sparse.minor"
	keySize     = "GNU.sparse.size"
	keyRealSize = "GNU.sparse.realsize"
	keyOffset   = "GNU.sparse.offset"
	keyNumBytes = "GNU.sparse.numbytes"
	keyMap      = "GNU.sparse.map"
)

var sparseKeys = [...]string{keyName, keyMajor, keyMinor, keySize, keyRealSize, keyOffset, keyNumBytes, keyMap}

// paxNumber reads the value of a record with that key, a number, and the newline after it. end is
// how many bytes of the extended header follow the record.
func (m *sparse) paxNumber(in *input, key string, end int64) error {
	n, ok, err := in.digits('\n', in.left-end)
	switch {
	case err != nil:
		return err
	case !ok || in.left != end:
		m.fail("a bad number in a map of holes")
	case key == keyMajor:
		m.major = n
	case key == keyMinor:
		m.minor = n
	case key == keyOffset:
		m.offset = n
	case key == keyNumBytes:
		m.add(m.offset, n)
	default:
		m.real = n
	}
	return nil
}

// paxMap is paxNumber for the map of pax 0.1: offset and size of each stretch, with commas between
// the numbers.
func (m *sparse) paxMap(in *input, end int64) error {
	for in.left > end+1 { // each iteration takes a stretch
		offset, ok, err := in.digits(',', in.left-end)
		var size int64
		var last byte
		if ok {
			size, last, err = in.decimal(in.left - end)
		}
		switch {
		case err != nil:
			return err
		case last != ',' && (last != '\n' || in.left != end):
			m.fail("a bad number in a map of holes")
			return nil
		}
		m.add(offset, size)
	}
	return nil
}

// readSparse is Read for a sparse member. Each iteration finishes a stretch.
func (r *Reader) readSparse(p []byte) (int, error) {
	for m := &r.sparse; m.at < len(m.list); m.at++ {
		s := &m.list[m.at]
		if n := int(min(s.hole, int64(len(p)))); n > 0 {
			clear(p[:n])
			s.hole -= int64(n)
			return n, nil
		}
		if s.data > 0 && r.left == 0 {
			m.fail("a map of holes for more data than there is")
			m.at = len(m.list) - 1
		} else if s.data > 0 {
			n, err := r.readData(p[:min(int64(len(p)), s.data)])
			s.data -= int64(n)
			return n, err
		}
	}
	switch m := &r.sparse; {
	case m.wrong != "":
		return 0, &damage.Damage{Class: damage.Pack, Stage: damage.StageTar, Err: m.wrong, Level: r.level + 1}
	case r.left > 0:
		return 0, &damage.Damage{Class: damage.Pack, Stage: damage.StageTar, Err: damage.Fact("data that is not in the map of holes"), Level: r.level + 1}
	case m.shortage:
		return 0, &damage.Damage{Class: damage.Pack, Severity: damage.Warning, Stage: damage.StageTar, Level: r.level + 1,
			Err: damage.Fact("more than " + strconv.Itoa(maxStretches) + " holes: the rest was read without its holes")}
	}
	return 0, io.EOF
}
