package lzw

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
)

// decode converts codes to strings, in a buffer of its own, until that is full or no more input
// can be read without waiting. Read returns the strings. A string is written from its end to
// its beginning: its length is known, and each code leads to the code in front of its last
// byte.

const (
	clearCode = 256 // in block mode
	firstBits = 9
	maxBits   = 16
	noCode    = -1

	fullOut   = 32 << 10     // decode ends when as much is written
	maxString = 1 << maxBits // no string is longer: each of its codes is another
)

// An Error is damage that ends a stream. What was decoded before it is good. It
// reads like
//
//	code 4711 beyond the table at offset 1234
type Error struct {
	Offset int64  // of the byte in which the damage begins, from that of the header
	What   string // what is wrong there
}

func (e *Error) Error() string { return fmt.Sprintf("%s at offset %d", e.What, e.Offset) }

// Sniff reports whether a stream that begins with head is one that compress
// wrote. If wait is true more bytes are needed to say, which is not so if head is
// whole, that is, all that there is.
func Sniff(head []byte, whole bool) (is, wait bool) {
	switch {
	case len(head) > 0 && head[0] != 0x1f, len(head) > 1 && head[1] != 0x9d:
		return false, false
	case len(head) < 3:
		return false, !whole
	}
	return goodFlags(head[2]), false
}

// goodFlags wants a width that compress writes, and none of the bits that it does
// not use.
func goodFlags(b byte) bool {
	width := b & 0x1f
	return b&0x60 == 0 && firstBits <= width && width <= maxBits
}

// A Reader reads one stream. It is to be Reset before it is read, and may be
// Reset as often as there are streams.
type Reader struct {
	in  *bufio.Reader
	pos int64 // bytes taken from in
	err error // returned when out was returned; sticky

	acc    uint64 // bits taken from in and not yet used, the next lowest
	n      uint   // how many
	width  uint   // of a code
	max    uint   // that width grows to
	grow   int    // the least free that makes codes wider
	skip   uint   // bits to skip: what is left of a group
	codes  uint   // since the width changed
	first  int    // the least code that is made: 256, or 257 in block mode
	free   int    // the next code that will be made
	prev   int    // the code before, or noCode
	lo, hi int    // of out: decoded, and not yet passed on

	table  [1 << maxBits]uint32 // for a code from first up: the code before its last byte, << 8, and that byte
	length [1 << maxBits]uint16 // of its string
	out    [fullOut + maxString]byte
}

// Reset begins a stream: it reads the header. The Reader reads from in until the
// stream is read, and no further than it has to. An error is that of in, an
// [*Error] if there is no header, or [io.ErrUnexpectedEOF] if it is cut; Read
// returns it too.
func (r *Reader) Reset(in *bufio.Reader) error {
	r.in, r.pos, r.err = in, 3, nil
	r.acc, r.n, r.skip, r.lo, r.hi = 0, 0, 0, 0, 0
	head, err := in.Peek(3)
	switch is, _ := Sniff(head, true); {
	case len(head) < 3 && err == io.EOF:
		r.err = io.ErrUnexpectedEOF
	case len(head) < 3:
		r.err = err
	case !is:
		r.err = &Error{What: fmt.Sprintf("no header of compress: % x", head)}
	default:
		r.max, r.first = uint(head[2]&0x1f), 256
		if r.max == firstBits {
			// The program looks for the width to stop at when it has made a code
			// wider, and so never stops at 9.
			r.max++
		}
		if head[2]&0x80 != 0 {
			r.first = 257
		}
		r.empty()
		_, r.err = in.Discard(3)
	}
	return r.err
}

// empty makes the table what it was in the beginning.
func (r *Reader) empty() {
	r.free, r.prev = r.first, noCode
	r.setWidth(firstBits)
}

// setWidth begins a group of codes of w bits.
func (r *Reader) setWidth(w uint) {
	r.width, r.codes = w, 0
	r.grow = 1 << w
	if w == r.max {
		r.grow = 1<<maxBits + 1 // never
	}
}

// Read decodes, and does not wait to fill p. It returns [io.EOF] at the end,
// [io.ErrUnexpectedEOF] if that is within a code, an [*Error] for a code that
// cannot be, and an error of the reader below as it is; each after the bytes
// that stood before it.
func (r *Reader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for r.lo == r.hi { // each iteration takes a byte at least
		if r.err != nil {
			return 0, r.err
		}
		r.decode()
	}
	n := copy(p, r.out[r.lo:r.hi])
	r.lo += n
	return n, nil
}

// decode takes what is there and writes strings to out, until that is full, or
// r.err is set. It waits for a byte if none is there. Each iteration of its loop uses
// a code, and so 9 bits at least; what it writes for one may be 64 KiB, which is
// the ratio of the format, and not more than out has room for.
func (r *Reader) decode() {
	_, err := r.in.Peek(1)
	src, _ := r.in.Peek(r.in.Buffered())
	if len(src) == 0 {
		r.end(err)
		return
	}
	i, w := 0, 0
	acc, n := r.acc, r.n
	for w < fullOut {
		if r.free >= r.grow {
			r.skip = r.padding()
			r.setWidth(r.width + 1)
		}
		for r.skip > 0 && (n > 0 || i < len(src)) { // at most 15 bytes
			if n == 0 {
				acc, n, i = uint64(src[i]), 8, i+1
			}
			k := min(r.skip, n)
			acc, n, r.skip = acc>>k, n-k, r.skip-k
		}
		if i+4 <= len(src) && n <= 32 {
			acc |= uint64(binary.LittleEndian.Uint32(src[i:])) << n
			i, n = i+4, n+32
		}
		for n < r.width && i < len(src) {
			acc |= uint64(src[i]) << n
			i, n = i+1, n+8
		}
		if n < r.width || r.skip > 0 {
			break
		}
		code := int(acc & (1<<r.width - 1))
		acc, n = acc>>r.width, n-r.width
		r.codes++
		if code == clearCode && r.first > clearCode {
			r.skip = r.padding()
			r.empty()
			continue
		}
		k := r.write(w, code)
		if k == 0 {
			bit := (r.pos+int64(i))*8 - int64(n) - int64(r.width)
			r.err = &Error{Offset: bit / 8, What: fmt.Sprintf("code %d beyond the table", code)}
			break
		}
		w += k
	}
	r.acc, r.n = acc, n
	r.lo, r.hi = 0, w
	r.pos += int64(i)
	_, _ = r.in.Discard(i) // which is there
}

// padding returns how many bits of the group of eight codes are left.
func (r *Reader) padding() uint { return -r.codes % 8 * r.width }

// write puts the string of code into out at w, makes the next code, and returns
// the string's length, or 0 if there is no such code. Its loop has an iteration for
// each byte of the string: a code's table entry leads to a lesser code.
func (r *Reader) write(w, code int) int {
	n, c, again := 1, code, false
	switch {
	case code < 256:
	case code < r.free:
		n = int(r.length[code])
	case code == r.free && r.prev != noCode:
		// The code that is made by it: the string before and its first byte again.
		c, again = r.prev, true
		n = r.len(c) + 1
	default:
		return 0
	}
	s := r.out[w : w+n]
	k := n - 1
	if again {
		k--
	}
	for ; c >= 256; k-- {
		e := r.table[uint16(c)]
		s[k], c = byte(e), int(e>>8)
	}
	s[0] = byte(c)
	if again {
		s[n-1] = s[0]
	}
	if r.prev != noCode && r.free < 1<<r.max {
		r.table[r.free] = uint32(r.prev)<<8 | uint32(s[0])
		r.length[r.free] = uint16(r.len(r.prev) + 1)
		r.free++
	}
	r.prev = code
	return n
}

// len returns the length of the string of a code that was made, or is a byte.
func (r *Reader) len(code int) int {
	if code < 256 {
		return 1
	}
	return int(r.length[code])
}

// end says how a stream ends: within a code, if a byte or more is left of one.
// Less is what fills up the last byte, which some writers do with zeros and some
// with what was in their buffer; so most cuts cannot be reported from an end.
func (r *Reader) end(err error) {
	if err == io.EOF && r.n >= 8 {
		err = io.ErrUnexpectedEOF
	}
	r.err = err
}
