package lzw

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
)

// decode converts codes to strings in a buffer, until the buffer is full or no more input
// can be read without waiting. Read returns the buffer. A string is written from its end
// to its beginning: its length is known, and each table entry has the last byte and the
// code for the bytes in front of it.

const (
	clearCode = 256 // in block mode
	firstBits = 9
	maxBits   = 16
	noCode    = -1

	fullOut   = 32 << 10     // decode ends when this much is written
	maxString = 1 << maxBits // no string is longer, since each of its prefixes has a code
)

// An Error is damage that ends a stream. What was decoded before it is intact. It reads
// like
//
//	code 4711 beyond the table at offset 1234
type Error struct {
	Offset int64  // offset of the byte in which the damage begins, from the header on
	What   string // what is wrong there
}

func (e *Error) Error() string { return fmt.Sprintf("%s at offset %d", e.What, e.Offset) }

// Sniff reports whether a stream that begins with head was written by compress. whole
// says that head is all there is. Otherwise wait reports that more bytes are needed.
func Sniff(head []byte, whole bool) (is, wait bool) {
	switch {
	case len(head) > 0 && head[0] != 0x1f, len(head) > 1 && head[1] != 0x9d:
		return false, false
	case len(head) < 3:
		return false, !whole
	}
	return goodFlags(head[2]), false
}

// goodFlags checks for a width that compress writes, and that no unused bit is set.
func goodFlags(b byte) bool {
	width := b & 0x1f
	return b&0x60 == 0 && firstBits <= width && width <= maxBits
}

// A Reader reads one stream. Call Reset before the first use, and again for each further
// stream.
type Reader struct {
	in  *bufio.Reader
	pos int64 // bytes consumed from in
	err error // returned after the bytes in out; sticky

	acc    uint64 // bits consumed from in but not used; the lowest is next
	n      uint   // number of bits in acc
	width  uint   // of a code, in bits
	max    uint   // largest width
	grow   int    // when free reaches it, codes become wider
	skip   uint   // bits to skip: the rest of a group
	codes  uint   // number of codes since the width changed
	first  int    // the first code with a table entry: 256, or 257 in block mode
	free   int    // the next code that gets an entry
	prev   int    // the previous code, or noCode
	lo, hi int    // out[lo:hi] is decoded and not yet returned

	table  [1 << maxBits]uint32 // for each code from first on: prefix code << 8 | last byte
	length [1 << maxBits]uint16 // length of its string
	out    [fullOut + maxString]byte
}

// Reset begins a stream and reads its header. The Reader reads no more of in than it
// needs. The error is an error of in, an [*Error] if there is no header, or
// [io.ErrUnexpectedEOF] if the header is truncated. Read returns it too.
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
			// compress checks for the largest width only after it has made codes wider,
			// so it never stays at 9.
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

// empty resets the table to its initial state.
func (r *Reader) empty() {
	r.free, r.prev = r.first, noCode
	r.setWidth(firstBits)
}

// setWidth begins a group of codes of w bits each.
func (r *Reader) setWidth(w uint) {
	r.width, r.codes = w, 0
	r.grow = 1 << w
	if w == r.max {
		r.grow = 1<<maxBits + 1 // never
	}
}

// Read decodes, and does not wait to fill p. It returns [io.EOF] at the end,
// [io.ErrUnexpectedEOF] if the stream ends within a code, an [*Error] for an invalid
// code, and an error of in unchanged. All bytes in front of that are returned first.
func (r *Reader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for r.lo == r.hi { // each iteration consumes at least one byte
		if r.err != nil {
			return 0, r.err
		}
		r.decode()
	}
	n := copy(p, r.out[r.lo:r.hi])
	r.lo += n
	return n, nil
}

// decode writes strings to out until out is full or r.err is set. It waits for a byte
// only if there is none. Each iteration consumes a code of at least 9 bits, and writes up
// to 64 KiB for it, which out has room for.
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
	_, _ = r.in.Discard(i) // these bytes are buffered
}

// padding returns how many bits are left in the current group of eight codes.
func (r *Reader) padding() uint { return -r.codes % 8 * r.width }

// write writes the string of code to out at w and adds an entry to the table. It returns
// the length of the string, or 0 if the code is invalid. Each iteration writes one byte:
// an entry refers to a smaller code.
func (r *Reader) write(w, code int) int {
	n, c, again := 1, code, false
	switch {
	case code < 256:
	case code < r.free:
		n = int(r.length[code])
	case code == r.free && r.prev != noCode:
		// This code is the one being added: the previous string and its first byte again.
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

// len returns the length of the string of a valid code.
func (r *Reader) len(code int) int {
	if code < 256 {
		return 1
	}
	return int(r.length[code])
}

// end decides how a stream ends. If a byte or more of a code is left, the stream was cut
// within a code. Fewer bits fill the last byte; some writers use zeros and some leave
// what was in their buffer. So most truncated streams cannot be recognised by their end.
func (r *Reader) end(err error) {
	if err == io.EOF && r.n >= 8 {
		err = io.ErrUnexpectedEOF
	}
	r.err = err
}
