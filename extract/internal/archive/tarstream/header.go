package tarstream

import (
	"bytes"
	"math"
)

const blockSize = 512

// A block is one of the blocks of an archive. The offsets in a header are those of POSIX;
// V7 has only the fields in front of the magic.
type block [blockSize]byte

func (b *block) name() []byte   { return text(b[0:100]) }
func (b *block) size() []byte   { return b[124:136] }
func (b *block) sum() []byte    { return b[148:156] }
func (b *block) kind() byte     { return b[156] }
func (b *block) magic() []byte  { return b[257:263] }
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
	for len(head) >= blockSize && *(*block)(head) == zeros { // each iteration passes over a block
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
