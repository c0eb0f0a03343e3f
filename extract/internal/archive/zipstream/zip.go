package zipstream

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"math"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/urlsift/urlsift/extract/internal/compress/inflate"
	"github.com/urlsift/urlsift/extract/internal/damage"
)

// Next reads between entries, and Read within an entry. Between entries there is a local header, the
// directory, or the end. Anything else is damage, after which Next searches for the next header byte
// by byte.

// A Reader reads one archive. Call Reset before the first use, and again for each further
// archive. It allocates only the name of each entry.
type Reader struct {
	input
	err error // of Next; sticky

	begun  bool // something was examined
	search bool // search for the next record
	inside bool // within the directory
	ended  bool // after a directory
	open   bool // within an entry

	passed, sought int64 // see Counts

	entry   Entry
	body    entryData
	scratch [8 << 10]byte // for skipped data
}

// Reset begins an archive: in is at its first local header. The Reader may read beyond the
// archive, up to the end of in. level is the depth of in; see [damage.Damage].Level.
func (r *Reader) Reset(in *bufio.Reader, level int) {
	r.reset(in, level)
	r.err, r.body = nil, entryData{in: &r.input, done: io.EOF, flate: r.body.flate, flate64: r.body.flate64}
	r.begun, r.search, r.inside, r.ended, r.open = false, false, false, false, false
	r.passed, r.sought = 0, 0
}

// SkipProgram skips the n bytes of a program in front of the first local header. It is called after
// Reset.
func (r *Reader) SkipProgram(n int64) {
	for n > 0 {
		k, err := r.buf.Discard(int(min(n, 1<<30)))
		if n -= int64(k); err != nil {
			return // Next returns it again
		}
	}
}

// Counts returns how many bytes of the archive the Reader has finished, how many of these
// belong to entries that Next skipped, and how many were skipped in the search for a record
// after damage. The others were read, or are headers.
func (r *Reader) Counts() (all, passed, sought int64) { return r.offset(), r.passed, r.sought }

// Next skips what is left of the entry and returns the next one. The error is
//
//   - a *damage.Damage that is Mild for damage, or for bytes after the archive that are not
//     zero. The next call continues after it.
//   - [io.EOF] at the end of the stream, if the directory was reached or damage was returned.
//   - a Damage that is not Mild and wraps [io.ErrUnexpectedEOF] if the stream ends before the
//     directory. All bytes of the stream were read.
//   - an error of in, unchanged.
//
// The last three are sticky. The Entry is valid until the next call.
func (r *Reader) Next() (*Entry, error) {
	if r.err != nil {
		return nil, r.err
	}
	if r.open {
		if err := r.skip(); err != nil {
			return nil, err
		}
	}
	r.body.done = io.EOF
	if !r.begun {
		r.begun = true
		if b, _ := r.buf.Peek(sigLen); begins(b, sigDescriptor) || begins(b, sigOnePiece) {
			_, _ = r.buf.Discard(sigLen)
		}
	}
	for {
		if r.search {
			from := r.offset()
			err := r.seek()
			r.sought += r.offset() - from
			if err != nil {
				return nil, r.end(err)
			}
			r.search = false
		}
		sig, err := r.buf.Peek(sigLen)
		switch {
		case begins(sig, sigLocal):
			return r.enter()
		case isDirectory(sig):
			r.inside = true
			b, _ := r.buf.Peek(directoryLen) // there may be fewer bytes
			if begins(b, sigEnd) {
				r.ended = true
			}
			if err := r.discard(directoryRecord(b)); err != nil {
				return nil, r.end(err)
			}
		case len(sig) == 0:
			if err == io.EOF && !r.inside && r.offset() > 0 {
				err = r.cut(err)
			}
			return nil, r.end(err)
		case r.ended && sig[0] == 0: // padding
			_, _ = r.buf.Discard(1)
		case r.ended:
			return nil, r.fail(r.lost("bytes after the archive"))
		case err != nil && r.inside:
			return nil, r.end(err)
		case err != nil:
			return nil, r.fail(r.cut(err))
		default:
			return nil, r.fail(r.lost("no header of an entry: % x", sig))
		}
	}
}

// enter opens the entry whose header begins here.
func (r *Reader) enter() (*Entry, error) {
	r.inside, r.ended = false, false
	h, err := r.local(&r.entry)
	if err != nil {
		return nil, r.fail(err)
	}
	r.open = true
	r.body.start(&r.entry, h)
	return &r.entry, nil
}

// Read reads data of the entry. Stored and deflated data is returned as it was before
// compression; data that was compressed by [Bzip2], [Zstd] or [XZ] is returned compressed.
// Read does not wait to fill p. After the bytes in front of it, it returns
//
//   - [io.EOF] at the end of an entry whose sizes and checksum are right,
//   - a *damage.Damage at the level of the entry. Wrong sizes and checksums are also such
//     damage. It is returned at once for an entry that is encrypted or compressed in another
//     way. [Reader.Next] continues after it.
//   - such a Damage that wraps [io.ErrUnexpectedEOF] if the archive ends within the entry; Next
//     returns it again,
//   - an error of in, unchanged.
func (r *Reader) Read(p []byte) (int, error) {
	d := &r.body
	switch {
	case d.done != nil:
		return 0, d.done
	case len(p) == 0:
		return 0, nil
	}
	n, err := d.read(p)
	if n > 0 {
		return n, nil // an error is returned again
	}
	if err == io.EOF {
		r.open = false
		err = d.check(true)
	}
	if err != io.EOF {
		err = r.fail(err)
		if own, ok := err.(*damage.Damage); ok && err != r.src.err {
			err = ofEntry(own)
		}
	}
	d.done = err
	return 0, err
}

// skip skips what is left of the entry.
func (r *Reader) skip() error {
	r.open = false
	d, from := &r.body, r.offset()
	if left, known := d.left(); known {
		if left < 0 {
			return r.fail(r.lost("data longer than its %d bytes", d.header.csize))
		}
		err := r.discard(left)
		r.passed += r.offset() - from
		if err != nil {
			return r.fail(r.cut(err))
		}
		if err := d.check(false); err != io.EOF {
			return r.fail(err)
		}
		return nil
	}
	for { // each iteration reads something
		_, err := d.read(r.scratch[:])
		if err != nil {
			r.passed += r.offset() - from
		}
		if err == io.EOF {
			err = d.check(true)
			if err == io.EOF {
				return nil
			}
		}
		if err != nil {
			return r.fail(err)
		}
	}
}

// fail ends the entry because of err, and returns the error for the caller. The error is sticky
// unless it is a Damage that is Mild. If the beginning of the next record is not known, Next
// searches for it from here on.
func (r *Reader) fail(err error) error {
	if d, ok := err.(*damage.Damage); !ok || !d.Mild {
		return r.end(err)
	}
	r.open = false
	if r.astray {
		r.astray = false
		r.search = true
		r.inside = true // damage was reported, so a missing directory is not reported again
	}
	return err
}

// end makes err sticky.
func (r *Reader) end(err error) error {
	if r.src.err != nil {
		err = r.src.err
	}
	r.err, r.open = err, false
	return err
}

const bufferSize = 64 << 10 // also the size of the longest header

// An input is what an archive is read from. It knows the offset, and keeps the error of the
// reader below.
type input struct {
	src counter
	buf *bufio.Reader // of src

	level  int  // of what src reads
	astray bool // the beginning of the next record is not known
}

// A counter counts what is read through it, and keeps the error.
type counter struct {
	in  io.Reader
	n   int64
	err error // not io.EOF
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.n += int64(n)
	if err != nil && err != io.EOF {
		c.err = err
	}
	return n, err
}

// reset begins an archive, which is read from from, at that level.
func (in *input) reset(from io.Reader, level int) {
	in.src, in.level, in.astray = counter{in: from}, level, false
	if in.buf == nil {
		in.buf = bufio.NewReaderSize(nil, bufferSize)
	}
	in.buf.Reset(&in.src)
}

// offset returns the offset of what is read next.
func (in *input) offset() int64 { return in.src.n - int64(in.buf.Buffered()) }

// more waits until n bytes are buffered, or an error occurs, and returns the buffered
// bytes.
func (in *input) more(n int) ([]byte, error) {
	_, err := in.buf.Peek(n)
	b, _ := in.buf.Peek(in.buf.Buffered())
	return b, err
}

// discard skips n bytes.
func (in *input) discard(n int64) error {
	for n > 0 {
		k, err := in.buf.Discard(int(min(n, 1<<30)))
		if err != nil {
			return err
		}
		n -= int64(k)
	}
	return nil
}

// damage returns a Damage at the current offset. The next record is expected there.
func (in *input) damage(what string, args ...any) *damage.Damage {
	return &damage.Damage{Class: damage.Pack, Stage: damage.StageZip, Err: fmt.Errorf(what, args...),
		Level: in.level, Offset: in.offset(), Known: true, Mild: true}
}

// lost returns a Damage at the current offset. Next then searches for the next record.
func (in *input) lost(what string, args ...any) *damage.Damage {
	in.astray = true
	return in.damage(what, args...)
}

// cut returns the error for an archive that err has ended within an entry.
func (in *input) cut(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return damage.Truncated(damage.StageZip, in.level)
	}
	return err
}

// ofEntry makes d, which was found in the data of an entry, damage of the entry's own stream, which
// ends there. The offset of the result is the number of bytes of that stream that were read.
func ofEntry(d *damage.Damage) *damage.Damage {
	d.Level++
	d.Offset, d.Known, d.Mild = 0, false, false
	return d
}

// seek continues to the next local header or record of the directory. If an error comes first, seek
// returns the error. Each iteration consumes the buffer except for 3 bytes, or a signature.
func (in *input) seek() error {
	for {
		if _, err := in.buf.Peek(sigLen); err != nil {
			return err
		}
		b, _ := in.buf.Peek(in.buf.Buffered())
		_, _ = in.buf.Discard(signature(b))
		b, _ = in.buf.Peek(localLen)
		switch {
		case begins(b, sigLocal) && len(b) == localLen && sane(b):
			return nil
		case begins(b, sigDirectory) && len(b) == localLen && b[6] <= 99 && known(binary.LittleEndian.Uint16(b[10:])):
			return nil
		case begins(b, sigEnd):
			return nil
		case begins(b, "PK"):
			_, _ = in.buf.Discard(1)
		}
	}
}

// signature returns the offset in b of the first signature for which seek searches. If b has
// none, it returns the offset of the last 3 bytes, which may begin one. b has at least 4 bytes.
func signature(b []byte) int {
	end := len(b) - 3
	for i := 0; ; i++ {
		k := bytes.Index(b[i:end+1], []byte("PK"))
		if k < 0 {
			return end
		}
		i += k
		if s := b[i:]; begins(s, sigLocal) || begins(s, sigDirectory) || begins(s, sigEnd) {
			return i
		}
	}
}

// isDirectory reports whether a record that begins with sig belongs to the directory.
func isDirectory(sig []byte) bool {
	if len(sig) < sigLen {
		return false
	}
	switch string(sig) {
	case sigDirectory, sigExtra, sigSignature, sigEnd64, sigLocator, sigEnd:
		return true
	}
	return false
}

// directoryRecord returns the length of the record of the directory that b begins with
// (sections 4.3.11 to 4.3.16). A truncated directory is treated as the end and not as damage,
// since no data is lost.
func directoryRecord(b []byte) int64 {
	u16 := func(i int) int64 {
		if i+2 > len(b) {
			return 0
		}
		return int64(binary.LittleEndian.Uint16(b[i:]))
	}
	switch string(b[:sigLen]) {
	case sigSignature:
		return 6 + u16(4)
	case sigLocator:
		return 20
	case sigExtra:
		return 8 + u16(4) + u16(6)<<16
	case sigEnd64:
		// Of a size of 64 bits, only the low bits are used.
		return 12 + u16(4) + (u16(6)|u16(8)|u16(10))<<16
	case sigEnd:
		return endLen + u16(20)
	}
	return directoryLen + u16(28) + u16(30) + u16(32)
}

// Records begin with four bytes, of which the first two are "PK" (section 4.3).
const (
	sigLocal      = "PK\x03\x04"
	sigDescriptor = "PK\x07\x08" // also in front of the first entry of a split archive
	sigOnePiece   = "PK00"       // in front of an archive that could have been split, but was not
	sigExtra      = "PK\x06\x08"
	sigDirectory  = "PK\x01\x02"
	sigSignature  = "PK\x05\x05"
	sigEnd64      = "PK\x06\x06"
	sigLocator    = "PK\x06\x07"
	sigEnd        = "PK\x05\x06"
	sigLen        = 4
)

// Lengths of the parts of records that are always there.
const (
	localLen     = 30
	directoryLen = 46
	endLen       = 22
)

// Flags of an entry (section 4.4.4).
const (
	flagEncrypted  = 1 << 0
	flagEOS        = 1 << 1 // of LZMA: a mark ends the data
	flagDescriptor = 1 << 3
	flagUTF8       = 1 << 11
	flagMasked     = 1 << 13 // the directory is encrypted, and the values of the header are masked
)

// Methods of compression (section 4.4.5).
const (
	Store     = 0
	Deflate   = 8
	Deflate64 = 9
	Bzip2     = 12
	LZMA      = 14
	Zstd      = 93
	XZ        = 95
)

// An Entry is what a local header says. It belongs to the Reader and is valid until the
// next call of [Reader.Next]; Name may be kept.
type Entry struct {
	Name      string // see [nameOf]
	Dir       bool   // the name ends in '/'
	Encrypted bool   // Read returns an error
	Method    uint16
	Size      int64 // of the compressed data in bytes, or -1 if it is not known; 0 of a directory
	Offset    int64 // of the header, in bytes from where the archive begins
}

// Sniff reports whether a stream that begins with head is a zip archive: whether it begins
// with a plausible local header, or is an empty archive. whole says that head is all there
// is. Otherwise wait reports that more bytes are needed: at most 34, and for text only one
// after "PK".
func Sniff(head []byte, whole bool) (is, wait bool) {
	if len(head) > 0 && head[0] != 'P' { // all signatures begin with it
		return false, false
	}
	if begins(head, sigDescriptor) || begins(head, sigOnePiece) {
		head = head[sigLen:]
		if len(head) < sigLen && (whole || !strings.HasPrefix(sigLocal, string(head))) {
			return false, false
		}
	}
	switch {
	case begins(head, sigEnd):
		// Numbers of disks and entries, size and place of the directory: all zero.
		n := min(len(head), endLen-2)
		for _, b := range head[sigLen:n] { // 16 bytes
			if b != 0 {
				return false, false
			}
		}
		return n == endLen-2, n < endLen-2 && !whole
	case begins(head, sigLocal):
		if !sane(head) {
			return false, false
		}
		return len(head) >= localLen || whole, len(head) < localLen && !whole
	}
	for _, sig := range []string{sigLocal, sigEnd, sigDescriptor, sigOnePiece} {
		if len(head) < sigLen && strings.HasPrefix(sig, string(head)) {
			return false, !whole
		}
	}
	return false, false
}

// First returns the name of the first entry of the archive that begins with head. If the data of
// the entry is stored, it also returns as much of the data as head has. If head is too short,
// wait is true and name is "". If no entry begins the archive, name is "" too.
func First(head []byte) (name string, data []byte, wait bool) {
	if !begins(head, sigLocal) {
		return "", nil, false
	}
	if len(head) < localLen {
		return "", nil, true
	}
	end := localLen + int(binary.LittleEndian.Uint16(head[26:]))
	if len(head) < end {
		return "", nil, true
	}
	if binary.LittleEndian.Uint16(head[8:]) == Store {
		data = head[min(len(head), end+int(binary.LittleEndian.Uint16(head[28:]))):]
	}
	return string(head[localLen:end]), data, false
}

func begins(b []byte, sig string) bool { return len(b) >= len(sig) && string(b[:len(sig)]) == sig }

// sane reports whether b, the beginning of a local header, has plausible values: a possible
// version, known flags, a known method, a name.
func sane(b []byte) bool {
	switch n := len(b); {
	case n > 4 && b[4] > 99, n > 5 && b[5] > 30: // version 6.3 is 63; the byte after it is the system
		return false
	case n > 7 && b[7]&0xd0 != 0: // flags 12, 14 and 15
		return false
	case n > 9 && !known(binary.LittleEndian.Uint16(b[8:])):
		return false
	case n >= localLen && b[26] == 0 && b[27] == 0 && binary.LittleEndian.Uint16(b[28:]) > 1<<10:
		return false
	}
	return true
}

// known reports whether m is a compression method that the specification defines.
func known(m uint16) bool { return m <= 20 || 90 <= m && m <= 99 }

// A header is what the data of the current entry is compared with.
type header struct {
	flags        uint16
	crc          uint32
	csize, usize int64 // compressed and not; -1 if not known
}

// local reads the local header that begins here (section 4.3.7), up to the data, into e.
// It also returns what the data is compared with. If the header is not plausible, it returns
// a *damage.Damage and skips the signature.
func (in *input) local(e *Entry) (h header, err error) {
	*e = Entry{Offset: in.offset()}
	b, err := in.buf.Peek(localLen)
	if err != nil {
		return h, in.cut(err)
	}
	bad := func(what string) (header, error) {
		err := in.lost("%s", what)
		_, _ = in.buf.Discard(sigLen) // otherwise it would be found again
		return h, err
	}
	if !sane(b) {
		return bad("impossible header of an entry")
	}
	end := localLen + int(binary.LittleEndian.Uint16(b[26:]))
	all := end + int(binary.LittleEndian.Uint16(b[28:]))
	if all > bufferSize { // up to twice 64 KiB; the specification recommends at most 64 KiB in all
		return bad("header of an entry that is too long")
	}
	if b, err = in.buf.Peek(all); holdsRecord(b[localLen:], min(len(b), end)-localLen) {
		return bad("header of an entry that holds another record")
	} else if err != nil {
		return h, in.cut(err)
	}
	h.flags, h.crc = binary.LittleEndian.Uint16(b[6:]), binary.LittleEndian.Uint32(b[14:])
	e.Name = nameOf(b[localLen:end], h.flags, b[end:])
	e.Dir = strings.HasSuffix(e.Name, "/")
	e.Method = binary.LittleEndian.Uint16(b[8:])
	e.Encrypted = h.flags&(flagEncrypted|flagMasked) != 0
	h.csize = int64(binary.LittleEndian.Uint32(b[18:]))
	h.usize = int64(binary.LittleEndian.Uint32(b[22:]))
	if !h.zip64(b[end:]) {
		return bad("impossible size of an entry")
	}
	_, _ = in.buf.Discard(all)
	if h.flags&flagDescriptor != 0 && h.csize == 0 && !(e.Dir && e.Method == Store) {
		h.csize, h.usize = -1, -1
	}
	if e.Size = h.csize; e.Dir {
		e.Size = 0
	}
	return h, nil
}

// holdsRecord examines the fields of a header: a name of n bytes and the extra field. It reports
// whether they contain the signature of another record, or the name contains a NUL. Then one of
// the lengths in the header is damaged.
func holdsRecord(fields []byte, n int) bool {
	return bytes.IndexByte(fields[:n], 0) >= 0 ||
		bytes.Contains(fields, []byte(sigLocal)) || bytes.Contains(fields, []byte(sigDirectory))
}

// nameOf returns the name of an entry, which the header writes so, with these flags and this extra field.
// The name is the one in UTF-8 of the extra field 0x7075 (section 4.6.9), or else as written if a flag says
// that this is UTF-8, or if it is: many programs write UTF-8 without the flag. Any other name is in code
// page 437 (appendix D).
func nameOf(written []byte, flags uint16, extra []byte) string {
	const version, crc = 1, 4 // bytes in front of the name; the CRC is that of the name in the header
	for id, field := range extraFields(extra) {
		if id == 0x7075 && len(field) > version+crc && field[0] == 1 && binary.LittleEndian.Uint32(field[version:]) == crc32.ChecksumIEEE(written) {
			if name := field[version+crc:]; utf8.Valid(name) && bytes.IndexByte(name, 0) < 0 {
				return string(name)
			}
		}
	}
	if flags&flagUTF8 != 0 || utf8.Valid(written) {
		return string(written)
	}
	name := make([]byte, 0, 2*len(written))
	for _, c := range written {
		name = utf8.AppendRune(name, charmap.CodePage437.DecodeByte(c))
	}
	return string(name)
}

// extraFields yields the fields in extra, the extra field of a header, with their numbers (section 4.5.1).
func extraFields(extra []byte) iter.Seq2[uint16, []byte] {
	return func(yield func(uint16, []byte) bool) {
		for len(extra) >= 4 {
			id, n := binary.LittleEndian.Uint16(extra), int(binary.LittleEndian.Uint16(extra[2:]))
			extra = extra[4:]
			if n > len(extra) || !yield(id, extra[:n]) { // some programs pad with bytes that are not a field
				return
			}
			extra = extra[n:]
		}
	}
}

// zip64 reads the sizes from the extra field 1 (section 4.5.3) if the header has no room
// for them. It reports whether they are plausible.
func (h *header) zip64(extra []byte) bool {
	for id, field := range extraFields(extra) {
		if id != 1 {
			continue
		}
		for _, size := range []*int64{&h.usize, &h.csize} {
			if *size == math.MaxUint32 && len(field) >= 8 {
				*size = int64(binary.LittleEndian.Uint64(field))
				field = field[8:]
			}
		}
	}
	return h.csize >= 0 && h.usize >= 0
}

// A descriptorForm is one of the forms of the descriptor (section 4.3.9): with a signature or
// without, with sizes of 32 or 64 bits.
type descriptorForm struct{ sig, size int }

var forms = [...]descriptorForm{{sigLen, 4}, {sigLen, 8}, {0, 4}, {0, 8}}

const maxDescriptor = sigLen + 4 + 2*8

// len returns the length of a descriptor in bytes.
func (f descriptorForm) len() int { return f.sig + 4 + 2*f.size }

// crc reads the checksum of the descriptor b.
func (f descriptorForm) crc(b []byte) uint32 { return binary.LittleEndian.Uint32(b[f.sig:]) }

// sizes reads both sizes of the descriptor b.
func (f descriptorForm) sizes(b []byte) (csize, usize int64) {
	b = b[f.sig+4:]
	if f.size == 4 {
		return int64(binary.LittleEndian.Uint32(b)), int64(binary.LittleEndian.Uint32(b[4:]))
	}
	return int64(binary.LittleEndian.Uint64(b)), int64(binary.LittleEndian.Uint64(b[8:]))
}

// fits reports whether b begins with a descriptor of this form for data of these sizes. It
// ignores the signature. An out below 0 is unknown.
func (f descriptorForm) fits(b []byte, size, out int64) bool {
	if len(b) < f.len() {
		return false
	}
	csize, usize := f.sizes(b)
	return low(csize, size) && (out < 0 || low(usize, out))
}

// signed reports whether b begins with the signature of this form, or the form has none.
func (f descriptorForm) signed(b []byte) bool { return f.sig == 0 || begins(b, sigDescriptor) }

// before reports whether b begins with a descriptor of this form that is followed by a
// record.
func (f descriptorForm) before(b []byte) bool {
	if len(b) < f.len()+sigLen {
		return false
	}
	b = b[f.len():]
	return begins(b, sigLocal) || begins(b, sigDirectory) || begins(b, sigExtra) || begins(b, sigEnd)
}

// descriptor consumes the descriptor at this position, if there is one. The data is then compared
// with the descriptor instead of the header. The descriptor should give the sizes size, of the
// compressed data, and out, of the decompressed data; an out below 0 is unknown.
func (h *header) descriptor(in *bufio.Reader, size, out int64) bool {
	b, _ := in.Peek(maxDescriptor + sigLen) // less at the end
	take := func(f descriptorForm) bool {
		h.crc = f.crc(b)
		h.csize, h.usize = f.sizes(b)
		_, _ = in.Discard(f.len())
		return true
	}
	for _, f := range forms {
		if f.signed(b) && f.fits(b, size, out) && f.before(b) {
			return take(f)
		}
	}
	for _, f := range forms { // the next record is damaged, or truncated
		if f.signed(b) && f.fits(b, size, out) {
			return take(f)
		}
	}
	for _, f := range forms[:2] { // a descriptor with wrong values
		if f.signed(b) && f.before(b) {
			return take(f)
		}
	}
	return false
}

// low reports whether two sizes agree: said, which the archive gives, and is, which was counted.
// said may also be the low 32 bits of the counted size: some writers store only these for large
// entries.
func low(said, is int64) bool {
	return said == is || said <= math.MaxUint32 && said == is&math.MaxUint32
}

// A dataEnd says how the end of an entry's data is found.
type dataEnd uint8

const (
	bySize       dataEnd = iota // by its size
	byStream                    // by the end of the deflate stream
	byDescriptor                // by a descriptor with the right size
)

// An entryData is the state of reading the data of an entry.
type entryData struct {
	in      *input
	entry   *Entry
	header  header // what the data is compared with
	endsBy  dataEnd
	begin   int64 // offset of the data
	out     int64 // decompressed bytes
	crc     uint32
	done    error // of Read; sticky
	safe    int   // bytes of stored data that are not a descriptor, see [entryData.findSafe]
	seen    int   // bytes that have been examined for a descriptor
	last    bool  // the data ends after safe
	flate   *inflate.Reader
	flate64 *inflate.Reader64
	stream  io.Reader // flate or flate64
	head    [lzmaHead + 8]byte
	begun   []byte // what is returned in front of the data
}

var table = crc32.IEEETable

// start prepares for the data of e, whose header is h.
func (d *entryData) start(e *Entry, h header) {
	*d = entryData{in: d.in, entry: e, header: h, begin: d.in.offset(), flate: d.flate, flate64: d.flate64}
	switch {
	case e.Encrypted:
		d.done = ofEntry(d.in.damage("encrypted entry"))
	case e.Method == Deflate:
		d.endsBy = byStream
		if d.flate == nil {
			d.flate = new(inflate.Reader)
		}
		d.flate.Reset(d.in.buf)
		d.stream = d.flate
	case e.Method == Deflate64:
		d.endsBy = byStream
		if d.flate64 == nil {
			d.flate64 = new(inflate.Reader64)
		}
		d.flate64.Reset(d.in.buf)
		d.stream = d.flate64
	case e.Method == LZMA:
		d.beginLZMA()
	case e.Method != Store && e.Method != Bzip2 && e.Method != Zstd && e.Method != XZ:
		d.done = ofEntry(d.in.damage("entry compressed by method %d", e.Method))
	}
	if d.endsBy != byStream && h.csize < 0 {
		d.endsBy = byDescriptor
	}
}

// lzmaHead is how many bytes describe LZMA: those of a .lzma file (section 5.8.8).
const lzmaHead = 5

// beginLZMA reads what is in front of data of method 14, and makes the header of a .lzma file of it, with
// which the data is returned, still compressed.
func (d *entryData) beginLZMA() {
	const version = 4 // bytes: the version, and how many bytes follow
	b, err := d.in.buf.Peek(version + lzmaHead)
	switch {
	case err != nil:
		d.done = d.in.cut(err)
		return
	case binary.LittleEndian.Uint16(b[2:]) != lzmaHead:
		d.done = ofEntry(d.in.damage("%d bytes of properties of LZMA, which should be %d", binary.LittleEndian.Uint16(b[2:]), lzmaHead))
		return
	}
	copy(d.head[:], b[version:])
	size := uint64(d.header.usize)
	if d.header.flags&flagEOS != 0 || d.header.usize < 0 {
		size = 1<<64 - 1 // a mark ends it
	}
	binary.LittleEndian.PutUint64(d.head[lzmaHead:], size)
	d.begun = d.head[:]
	d.out = version + lzmaHead // of the data
	_, _ = d.in.buf.Discard(version + lzmaHead)
}

// left returns how many bytes of the data were not read; it may be negative if the data is
// damaged. known is false if the header does not say the size.
func (d *entryData) left() (n int64, known bool) {
	if d.endsBy == bySize || d.endsBy == byStream && d.header.csize >= 0 {
		return d.begin + d.header.csize - d.in.offset(), true
	}
	return 0, false
}

// read reads from the entry, and returns n > 0 or an error, which is io.EOF at the end of
// the data.
func (d *entryData) read(p []byte) (n int, err error) {
	if len(d.begun) > 0 {
		n = copy(p, d.begun)
		d.begun = d.begun[n:]
		return n, nil
	}
	switch d.endsBy {
	case byStream:
		n, err = d.inflate(p)
	case byDescriptor:
		if d.safe == 0 {
			if err := d.findSafe(); err != nil {
				return 0, err
			}
		}
		n, err = d.in.buf.Read(p[:min(len(p), d.safe)])
		d.safe -= n
		d.seen -= n
	default:
		left := d.header.csize - d.out
		if left == 0 {
			return 0, io.EOF
		}
		n, err = d.in.buf.Read(p[:min(int64(len(p)), left)])
		if n == 0 && err != nil {
			return 0, d.in.cut(err)
		}
	}
	d.crc = crc32.Update(d.crc, table, p[:n])
	d.out += int64(n)
	return n, err
}

// inflate reads from the decompressor, which reads no further than it must. The loop
// iterates only while the decompressor starts and returns nothing.
func (d *entryData) inflate(p []byte) (int, error) {
	for {
		n, err := d.stream.Read(p)
		switch {
		case n > 0:
			return n, nil
		case err == io.EOF:
			return 0, io.EOF
		case d.in.src.err != nil:
			return 0, d.in.src.err
		case err == io.ErrUnexpectedEOF:
			return 0, d.in.cut(err)
		case err != nil:
			return 0, d.in.lost("deflate: %w", err)
		}
	}
}

// check reads the descriptor that may follow the data, which ends here. check compares the size of
// the data with that in the header or the descriptor. whole says that all of the data was read.
// Then check also compares the decompressed size and the checksum, unless the data is encrypted or
// was returned compressed. It returns io.EOF if nothing differs.
func (d *entryData) check(whole bool) error {
	h, size := &d.header, d.in.offset()-d.begin
	out := d.out
	if e := d.entry; !whole || e.Encrypted || d.endsBy != byStream && e.Method != Store {
		out = -1 // unknown
	}
	if h.flags&flagDescriptor != 0 && !h.descriptor(d.in.buf, size, out) && h.csize < 0 {
		if _, err := d.in.buf.Peek(maxDescriptor); err != nil {
			return d.in.cut(err) // the archive ends: the descriptor is cut
		}
		return d.in.lost("no descriptor after the data")
	}
	switch {
	case !low(h.csize, size):
		return d.in.lost("%d bytes of data that should be %d", size, h.csize)
	case out >= 0 && !low(h.usize, out):
		return d.in.damage("%d bytes decompressed that should be %d", out, h.usize)
	case out >= 0 && h.crc != d.crc:
		return d.in.damage("CRC-32 is %08x and should be %08x", d.crc, h.crc)
	}
	return io.EOF
}

// If the size of an entry is not known, stored data and data that is not decompressed here end
// at a descriptor with the right size. A descriptor with a signature is recognised by its
// signature. A descriptor without one is recognised by the record that follows it, so the bytes
// that may be a descriptor are held back.

const keepBack = maxDescriptor

// findSafe finds how many bytes can be returned (d.safe), and whether the data ends after them
// (d.last). It returns io.EOF at the end of the data. Each iteration examines bytes that
// were not examined before; a record is examined again after the bytes in front of it were
// returned, or when more of it was read.
func (d *entryData) findSafe() error {
	if d.last {
		return io.EOF
	}
	for {
		b, err := d.in.buf.Peek(d.in.buf.Buffered())
		if len(b) <= d.seen || len(b) <= keepBack {
			b, err = d.in.more(len(b) + 1)
		}
		for d.seen < len(b) {
			i := bytes.IndexByte(b[d.seen:], 'P')
			if i < 0 {
				d.seen = len(b)
				break
			}
			i += d.seen
			d.seen = i
			if isBegun(b[i:]) {
				switch n := i + maxDescriptor + sigLen; {
				case i > keepBack:
					d.safe = i - keepBack
					return nil
				case len(b) < n && err == nil:
					b, err = d.in.more(n)
				}
				if end := d.ends(b, i); end >= 0 {
					d.safe, d.last = end, true
					if end == 0 {
						return io.EOF
					}
					return nil
				}
			}
			d.seen++
		}
		switch {
		case err != nil && len(b) > 0: // the end, without a descriptor
			d.safe = len(b)
			return nil
		case err != nil:
			return d.in.cut(err)
		case len(b) > keepBack:
			d.safe = len(b) - keepBack
			return nil
		}
	}
}

// isBegun reports whether b begins with the signature of a record that can follow data, or
// may do so with more bytes.
func isBegun(b []byte) bool {
	n := min(len(b), sigLen)
	return string(b[:n]) == sigDescriptor[:n] || string(b[:n]) == sigLocal[:n] || string(b[:n]) == sigDirectory[:n]
}

// ends returns where the data ends if b[i:] begins with the first record after it, or -1. b has the
// bytes that Read has not returned yet, so b[:i] is not longer than a descriptor.
func (d *entryData) ends(b []byte, i int) int {
	stored := d.entry.Method == Store && !d.entry.Encrypted
	fits := func(f descriptorForm, at int) bool {
		size, out := d.out+int64(at), int64(-1)
		if stored {
			out = size
		}
		return at >= 0 && f.fits(b[at:], size, out)
	}
	switch {
	case begins(b[i:], sigDescriptor):
		if fits(forms[0], i) || fits(forms[1], i) {
			return i
		}
		for _, f := range forms[:2] { // a descriptor with a signature; its sizes may be wrong
			if stored && f.before(b[i:]) && f.crc(b[i:]) == crc32.Update(d.crc, table, b[:i]) {
				return i
			}
		}
	case begins(b[i:], sigLocal), begins(b[i:], sigDirectory):
		for _, f := range forms { // a descriptor without a signature, or with a wrong one
			if at := i - f.len(); fits(f, at) {
				return at
			}
		}
	}
	return -1
}
