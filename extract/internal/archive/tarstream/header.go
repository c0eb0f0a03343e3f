package tarstream

import (
	"bytes"
	"math"
)

const blockSize = 512

// A block is one of those that an archive consists of. The offsets of what stands
// in a header are those of POSIX; V7 has what comes up to the magic.
type block [blockSize]byte

func (b *block) name() []byte   { return text(b[0:100]) }
func (b *block) size() []byte   { return b[124:136] }
func (b *block) sum() []byte    { return b[148:156] }
func (b *block) kind() byte     { return b[156] }
func (b *block) magic() []byte  { return b[257:263] }
func (b *block) prefix() []byte { return text(b[345:500]) }

// more reports whether a block with more of a sparse file's map follows, in a
// header of GNU tar or in such a block.
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

// number reads a number as headers give them: octal digits, with spaces before
// and a space or NUL after, or, of GNU tar, a byte 0x80 and the number in base
// 256. Nothing is 0. It is not ok below 0 or over 63 bits.
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

// isHeader reports whether the sum in b is that of its bytes, with spaces for the
// sum. Some old programs took bytes for signed.
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

// Sniff reports whether a stream that begins with head is a tar archive: whether
// it begins with a header. If wait is true more bytes are needed to say, which is
// not so if head is whole, that is, all that there is. It wants a block, but no
// more than about a line of a text: it waits only while the bytes can be a name of
// up to 100 bytes without control characters and "://", then
// nothing but NULs, and then an octal number. An archive whose first name is not
// like that is not one to Sniff.
func Sniff(head []byte, whole bool) (is, wait bool) {
	const nameLen, numberLen = 100, 8
	if len(head) > nameLen { // what a text has there is mostly no number
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
	return (*block)(head).isHeader(), false
}
