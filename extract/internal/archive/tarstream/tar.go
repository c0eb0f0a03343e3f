package tarstream

import (
	"bufio"
	"bytes"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/urlsift/urlsift/extract/internal/damage"
)

// A Reader reads one archive. Call Reset before the first use, and again for each further
// archive. It allocates only the name of each member.
type Reader struct {
	input
	err error // sticky

	begun int64 // see Begun
	lost  bool  // a block that is not a header was reported; the search goes on
	empty int   // number of consecutive zero blocks

	passed, sought int64 // see Counts

	ext
	sparse sparse
	block  block
}

// Reset begins an archive at its first block. The Reader reads no more of in than it needs.
// level is the depth of in; see [damage.Damage].Level.
func (r *Reader) Reset(in *bufio.Reader, level int) {
	*r = Reader{input: input{in: in, level: level}, ext: r.ext, sparse: r.sparse}
	r.forget()
}

// forget forgets what extended headers have said.
func (r *Reader) forget() {
	r.ext.reset()
	r.sparse.reset()
}

// Next skips the rest of the current member and returns the next one. name is verbatim,
// size is the size of the stored data in bytes. regular says that the member is a regular
// file, and not a link, a directory or a device. The data of any member can be read. The error is
//
//   - a *damage.Damage that is Mild for damage, or for blocks after the end that are not an
//     archive. The next call continues after it.
//   - [io.EOF] at the end of the stream,
//   - a Damage that is not Mild and wraps [io.ErrUnexpectedEOF] if the stream ends within a
//     member, after all bytes of the member were returned,
//   - an error of in, unchanged.
//
// The last three are sticky.
func (r *Reader) Next() (name string, size int64, regular bool, err error) {
	if r.err != nil {
		return "", 0, false, r.err
	}
	if r.sparse.is {
		r.sparse.reset()
	}
	for {
		if err := r.skip(); err != nil {
			return "", 0, false, err
		}
		if r.empty == 0 && !r.lost {
			r.begun = r.pos
		}
		if err := r.read(); err != nil {
			if r.said {
				err = r.cut(err)
			}
			return "", 0, false, err
		}
		switch {
		case r.block == zeros:
			r.empty++
			r.forget()
			continue
		case !r.block.isHeader():
			r.forget()
			r.sought += blockSize
			if r.lost {
				continue
			}
			r.lost = true
			if r.empty > 1 {
				return "", 0, false, r.damage(r.pos-blockSize, "blocks after the end of the archive")
			}
			return "", 0, false, r.damage(r.pos-blockSize, "no header of a member")
		}
		r.lost, r.empty = false, 0
		size, ok := number(r.block.size())
		if !ok || size > math.MaxInt64-blockSize {
			r.forget()
			r.lost = true // report the data once, not each of its blocks
			r.sought += blockSize
			return "", 0, false, r.damage(r.pos-blockSize, "impossible size of a member")
		}
		r.open(size)
		r.said = true
		kind := r.block.kind()
		extends, err := r.extend(kind)
		if !extends {
			return r.member(kind)
		}
		if err != nil {
			return "", 0, false, err
		}
	}
}

// extend reads the member whose header was just read, if it is an extended header.
func (r *Reader) extend(kind byte) (extends bool, err error) {
	switch kind {
	case 'x', 'X':
		err = r.pax(&r.input, &r.sparse)
	case 'L':
		err = r.longName(&r.input)
	case 'K', 'g':
	default:
		return false, nil
	}
	if d, ok := err.(*damage.Damage); err != nil && (!ok || !d.Mild) { // an error of in
		err = r.cut(err)
	}
	return true, err
}

// member returns the results of Next for the member whose header was just read.
func (r *Reader) member(kind byte) (name string, size int64, regular bool, err error) {
	name = r.memberName()
	if r.ext.size >= 0 {
		r.open(r.ext.size)
	}
	r.ext.reset()
	switch kind {
	case 'V', '1', '2', '3', '4', '5', '6': // a volume label, links, devices, directory, FIFO
		r.open(0) // regardless of the size in the header
	case 'S':
		regular = true
		err = r.mapOfGNU()
	default:
		// Capital letters are vendor types, which are not files, except M (the rest of a
		// file that began in another volume).
		regular = kind < 'A' || kind > 'Z' || kind == 'M'
		if r.sparse.is {
			err = r.mapOfPax()
		}
	}
	if err != nil {
		return "", 0, false, err
	}
	if r.sparse.is {
		r.sparse.finish()
	}
	if n := len(name); kind == 0 && n > 0 && name[n-1] == '/' {
		regular = false // a directory of V7
	}
	return name, r.left, regular, nil
}

// memberName returns the name of the member whose header was read.
func (r *Reader) memberName() string {
	b := &r.block
	switch name := b.name(); {
	case len(r.path) > 0:
	case len(r.ext.name) > 0:
		r.path = append(r.path, r.ext.name...)
	case string(b.magic()) == "ustar\x00" && len(b.prefix()) > 0:
		r.path = append(append(append(r.path, b.prefix()...), '/'), name...)
	default:
		r.path = append(r.path, name...)
	}
	return string(r.path)
}

// Read reads data of the member, and does not wait to fill p. It returns [io.EOF] at the end of
// the member. If the archive ends within the member, it returns a *damage.Damage at the level
// of the member that wraps [io.ErrUnexpectedEOF], and Next returns this Damage again. Errors of
// in are returned unchanged. Each error comes after the bytes in front of it.
func (r *Reader) Read(p []byte) (int, error) {
	switch {
	case r.err != nil && r.err != io.EOF:
		return 0, r.err
	case r.sparse.is:
		return r.readSparse(p)
	}
	return r.readData(p)
}

// readData is Read without regard to holes.
func (r *Reader) readData(p []byte) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	n, err := r.in.Read(p[:min(int64(len(p)), r.left)])
	r.pos += int64(n)
	r.left -= int64(n)
	if n > 0 || err == nil {
		return n, nil
	}
	if err == io.EOF {
		err = damage.Truncated(damage.StageTar, r.level+1)
	}
	return 0, r.end(err)
}

// Begun returns the offset of the header of the current member. At the end of the archive it
// returns the offset of the zeros that end it.
func (r *Reader) Begun() int64 { return r.begun }

// Counts returns how many bytes of the archive the Reader has finished; how many of these
// belong to members that Next skipped; and how many to blocks in which no header was found
// after damage. The others were read, or are headers.
func (r *Reader) Counts() (all, passed, sought int64) { return r.pos, r.passed, r.sought }

// skip skips the rest of the member and of its last block. If only the filling of the last block
// is missing, the archive ends there without damage, unless the block belongs to an extended
// header, whose member is missing too.
func (r *Reader) skip() error {
	from := r.pos
	err := r.discard(&r.left)
	if !r.said { // otherwise the extended header describes another member
		r.passed += r.pos - from
	}
	if err != nil {
		return r.cut(err)
	}
	switch err := r.discard(&r.pad); {
	case err != nil && r.said:
		return r.cut(err)
	case err != nil:
		return r.end(err)
	}
	return nil
}

// read reads a block. At the end, zeros shorter than a block are padding.
func (r *Reader) read() error {
	n, err := r.readBlock(&r.block)
	if err == io.ErrUnexpectedEOF && (r.lost || string(r.block[:n]) == string(zeros[:n])) {
		err = io.EOF
	}
	switch err {
	case nil:
		return nil
	case io.ErrUnexpectedEOF:
		return r.cut(err)
	}
	return r.end(err)
}

// end makes err sticky.
func (r *Reader) end(err error) error {
	r.err, r.left, r.pad = err, 0, 0
	return err
}

// cut ends the archive with err. If the archive has ended within a member, the error is a
// Damage.
func (r *Reader) cut(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = damage.Truncated(damage.StageTar, r.level)
	}
	return r.end(err)
}

// maxName is how many bytes of a name are kept. The rest is cut off.
const maxName = 64 << 10

// An input is what an archive is read from. It knows the offset, and how much of the current
// member is left. Errors are those of in.
type input struct {
	in   *bufio.Reader
	pos  int64 // bytes taken from in
	left int64 // bytes of the member that were not read
	pad  int64 // bytes after them that fill the block

	level int // of in
}

// damage returns a Damage at the offset at, after which Next continues.
func (in *input) damage(at int64, what damage.Fact) error {
	return &damage.Damage{Class: damage.Pack, Stage: damage.StageTar, Err: what, Level: in.level, Offset: at, Known: true, Mild: true}
}

// open begins data of size bytes.
func (in *input) open(size int64) { in.left, in.pad = size, -size&(blockSize-1) }

// readBlock reads a block into b, and returns the number of bytes read.
func (in *input) readBlock(b *block) (int, error) {
	n, err := io.ReadFull(in.in, b[:])
	in.pos += int64(n)
	return n, err
}

// take reads n bytes of the member, or the rest if that is less, into dst from its beginning. It
// keeps as many bytes as a name may have, and skips the others.
func (in *input) take(dst []byte, n int64) ([]byte, error) {
	k := int(min(n, maxName))
	dst = slices.Grow(dst[:0], k)[:k]
	m, err := io.ReadFull(in.in, dst)
	in.pos += int64(m)
	in.left -= int64(m)
	if err != nil {
		return dst[:0], err
	}
	return dst, in.skip(n - int64(k))
}

// skip skips n bytes of the member.
func (in *input) skip(n int64) error {
	in.left -= n
	return in.discard(&n)
}

// byte reads a byte of the member.
func (in *input) byte() (byte, error) {
	c, err := in.in.ReadByte()
	if err != nil {
		return 0, err
	}
	in.pos++
	in.left--
	return c, nil
}

// discard skips *n bytes, and subtracts them from *n.
func (in *input) discard(n *int64) error {
	for *n > 0 {
		k, err := in.in.Discard(int(min(*n, 1<<30)))
		*n -= int64(k)
		in.pos += int64(k)
		if err != nil {
			return err
		}
	}
	return nil
}

const blockSize = 512

// A block is one of the blocks of an archive. The offsets in a header are those of POSIX;
// V7 has only the fields in front of the magic.
type block [blockSize]byte

func (b *block) name() []byte { return text(b[0:100]) }

func (b *block) size() []byte { return b[124:136] }

func (b *block) sum() []byte { return b[148:156] }

func (b *block) kind() byte { return b[156] }

func (b *block) magic() []byte { return b[257:263] }

func (b *block) prefix() []byte { return text(b[345:500]) }

// Fields of the header of a sparse file (GNU tar).
func (b *block) realSize() []byte { return b[483:495] }

// stretches returns the part of b that has stretches of the map of a sparse file. b is a header of
// GNU tar if header is set, and otherwise a block of the map.
func (b *block) stretches(header bool) []byte {
	if header {
		return b[386:482]
	}
	return b[:504]
}

// more reports whether another block of the map of a sparse file follows b. b is a header of GNU
// tar if header is set, and otherwise a block of the map.
func (b *block) more(header bool) bool {
	if header {
		return b[482] != 0
	}
	return b[504] != 0
}

// text returns b up to the first NUL.
func text(b []byte) []byte {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		return b[:i]
	}
	return b
}

// number reads a number of a header: octal digits with spaces before and a space or NUL
// after, or in GNU tar a byte 0x80 and the number in base 256. An empty field is 0. ok is
// false for negative numbers and for more than 63 bits.
func number(b []byte) (n int64, ok bool) {
	if b[0]&0x80 != 0 {
		for i, c := range b { // 12 bytes at most
			if i == 0 {
				c &= 0x7f // of which 0x40 is the sign
			}
			if n > math.MaxInt64>>8 {
				return 0, false
			}
			n = n<<8 | int64(c)
		}
		return n, b[0]&0x40 == 0
	}
	b = bytes.Trim(text(b), " ")
	for _, c := range b { // 12 bytes at most: 36 bits
		if c < '0' || c > '7' {
			return 0, false
		}
		n = n<<3 | int64(c-'0')
	}
	return n, true
}

var zeros block

// isHeader reports whether the checksum in b is the sum of its bytes, where the checksum
// itself counts as spaces. Some old programs added signed bytes.
func (b *block) isHeader() bool {
	want, ok := number(b.sum())
	if !ok || want == 0 {
		return false
	}
	var sum, high int64
	for _, c := range b { // 512
		sum += int64(c)
		high += int64(c >> 7)
	}
	for _, c := range b.sum() {
		sum += ' ' - int64(c)
		high -= int64(c >> 7)
	}
	return sum == want || sum-high<<8 == want
}

// Sniff reports whether a stream that begins with head is a tar archive, that is, begins with a
// header. whole says that head is all there is. Otherwise wait reports that more bytes are
// needed: a block for an archive, but only about a line for text. Sniff waits only while the
// bytes can be a name of up to 100 bytes, which has neither control characters nor "://", then
// only NULs, and then an octal number. It does not recognise an archive whose first name is
// different. Blocks of zeros may be in front of the header, as on tapes.
func Sniff(head []byte, whole bool) (is, wait bool) {
	const nameLen, numberLen = 100, 8
	for len(head) >= blockSize && *(*block)(head) == zeros {
		head = head[blockSize:]
	}
	if len(head) < blockSize && bytes.Equal(head, zeros[:len(head)]) {
		return false, !whole
	}
	if len(head) > nameLen { // text rarely has a number there
		if c := head[nameLen]; c > '7' || c < '0' && c != ' ' && c != 0 {
			return false, false
		}
	}
	name := head[:min(len(head), nameLen)]
	rest := name[len(text(name)):]
	name = name[:len(name)-len(rest)]
	for i, c := range name {
		switch {
		case c < ' ', c == 0x7f:
			return false, false
		case c == '/' && i >= 2 && name[i-1] == '/' && name[i-2] == ':':
			return false, false
		}
	}
	if len(name) == 0 && len(rest) > 0 || len(bytes.TrimLeft(rest, "\x00")) > 0 {
		return false, false
	}
	if len(head) > nameLen {
		mode := head[nameLen:min(len(head), nameLen+numberLen)]
		if _, ok := number(mode); !ok || mode[0] >= 0x80 {
			return false, false
		}
	}
	if len(head) < blockSize {
		return false, !whole
	}
	// A header whose checksum is wrong shows by its magic that the archive begins here: only this member
	// is lost.
	b := (*block)(head)
	return b.isHeader() || bytes.HasPrefix(b.magic(), []byte("ustar")), false
}

// Extended headers are members that describe the next member.

const (
	maxKey  = 64 // no known key is longer
	maxSize = 20 // digits
)

// ext is what extended headers say about the next member. Its slices are reused.
type ext struct {
	said  bool   // there was an extended header
	name  []byte // of GNU tar
	path  []byte // of pax
	size  int64  // of pax; or -1
	named bool   // path is the name of a sparse file; the header has a generated one
}

// reset clears e.
func (e *ext) reset() {
	*e = ext{name: e.name[:0], path: e.path[:0], size: -1}
}

// longName reads the data of a member of type L: a name, and a NUL.
func (e *ext) longName(in *input) error {
	var err error
	e.name, err = in.take(e.name, in.left)
	e.name = text(e.name)
	return err
}

// pax reads the data of a member of type x (POSIX.1-2017, pax, "pax Extended
// Header"): records of the form
//
//	length key=value newline
//
// where the length, in decimal digits, is the length of the whole record. A record that is not of
// this form is damage, and the rest of the member is skipped. Each iteration of the loop consumes
// a record, and nothing longer than a name is kept. The map of a sparse file goes into m.
func (e *ext) pax(in *input, m *sparse) error {
	for in.left > 0 {
		begin := in.left
		length, ok, err := in.digits(' ', begin)
		if err != nil {
			return err
		}
		end := begin - length // bytes of the member after this record
		if !ok || length <= 0 || end < 0 || end >= in.left {
			return e.bad(in, m)
		}
		key, ok, err := in.key(end)
		if err != nil {
			return err
		}
		if !ok {
			return e.bad(in, m)
		}
		value := in.left - end - 1
		m.is = m.is || strings.HasPrefix(key, keySparse)
		switch {
		case key == keyName, key == "path" && !e.named:
			e.path, err = in.take(e.path, value)
			e.named = key != "path"
		case key == "size":
			e.size, ok, err = in.digits('\n', value+1)
			if err == nil && (!ok || in.left != end) {
				return e.bad(in, m)
			}
		case key == keyMap:
			err = m.paxMap(in, end)
		case key != keySparse && strings.HasPrefix(key, keySparse):
			err = m.paxNumber(in, key, end)
		default:
			err = in.skip(value)
		}
		if err == nil {
			err = in.skip(in.left - end) // the newline
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// bad returns damage in an extended header, whose contents are then ignored.
func (e *ext) bad(in *input, m *sparse) error {
	e.reset()
	m.reset()
	return in.damage(in.pos, "bad record in a pax header")
}

// digits reads a decimal number and the byte last after it, together at most n bytes.
func (in *input) digits(last byte, n int64) (num int64, ok bool, err error) {
	num, after, err := in.decimal(n)
	return num, after == last, err
}

// decimal reads a decimal number and the byte last after it, together at most n bytes. last is 0 if
// there is no such number, or if it is too large.
func (in *input) decimal(n int64) (num int64, last byte, err error) {
	for i := int64(0); i < min(n, maxSize); i++ {
		c, err := in.byte()
		switch {
		case err != nil:
			return 0, 0, err
		case c >= '0' && c <= '9' && num <= (1<<62)/10:
			num = num*10 + int64(c-'0')
		case i == 0 || c >= '0' && c <= '9':
			return 0, 0, nil
		default:
			return num, c, nil
		}
	}
	return 0, 0, nil
}

// key reads a key and the '=' after it, which must be in front of the last end bytes of the
// member. It returns "" for a key that is too long.
func (in *input) key(end int64) (key string, ok bool, err error) {
	var buf [maxKey]byte
	for n := 0; in.left > end+1; n++ {
		c, err := in.byte()
		switch {
		case err != nil:
			return "", false, err
		case c == '=' && n > len(buf):
			return "", true, nil
		case c == '=':
			return known(buf[:n]), true, nil
		case n < len(buf):
			buf[n] = c
		}
	}
	return "", false, nil
}

// known returns key if it is a known one, without allocating a string. It returns keySparse for
// other keys that begin with it.
func known(key []byte) string {
	switch {
	case string(key) == "path":
		return "path"
	case string(key) == "size":
		return "size"
	case !strings.HasPrefix(string(key), keySparse):
		return ""
	}
	for _, k := range sparseKeys {
		if string(key) == k {
			return k
		}
	}
	return keySparse
}

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
	for more := b.more(true); more; more = b.more(false) {
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
	for ; n > 0 && ok && err == nil; n-- {
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
	for in.left > end+1 {
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

// readSparse is Read for a sparse member.
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
