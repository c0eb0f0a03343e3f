package zipstream

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
)

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
	flagDescriptor = 1 << 3
	flagUTF8       = 1 << 11
	flagMasked     = 1 << 13 // the directory is encrypted, and the values of the header are masked
)

// Methods of compression (section 4.4.5).
const (
	Store   = 0
	Deflate = 8
	Bzip2   = 12
	Zstd    = 93
	XZ      = 95
)

// An Entry is what a local header says. It belongs to the Reader and is valid until the
// next call of [Reader.Next]; Name may be kept.
type Entry struct {
	Name      string // verbatim: UTF-8 if UTF8 is set, otherwise of unknown charset
	UTF8      bool   // flag 11
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
	e.Name = string(b[localLen:end])
	e.Dir = strings.HasSuffix(e.Name, "/")
	e.Method = binary.LittleEndian.Uint16(b[8:])
	h.flags, h.crc = binary.LittleEndian.Uint16(b[6:]), binary.LittleEndian.Uint32(b[14:])
	e.UTF8 = h.flags&flagUTF8 != 0
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

// zip64 reads the sizes from the extra field 1 (section 4.5.3) if the header has no room
// for them. It reports whether they are plausible. Each iteration consumes at least 4 bytes
// of extra.
func (h *header) zip64(extra []byte) bool {
	for len(extra) >= 4 {
		id, n := binary.LittleEndian.Uint16(extra), int(binary.LittleEndian.Uint16(extra[2:]))
		extra = extra[4:]
		if n > len(extra) {
			break // some programs pad with bytes that are not a field
		}
		if id == 1 {
			field := extra[:n]
			for _, size := range []*int64{&h.usize, &h.csize} {
				if *size == math.MaxUint32 && len(field) >= 8 {
					*size = int64(binary.LittleEndian.Uint64(field))
					field = field[8:]
				}
			}
		}
		extra = extra[n:]
	}
	return h.csize >= 0 && h.usize >= 0
}
