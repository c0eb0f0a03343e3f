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

	fullOut = 32 << 10 // decode ends when this much is written
)

// An Error is damage that ends a stream. What was decoded before it is intact. Its message has
// this form:
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

// goodFlags reports whether b has a width that compress writes, and no unused bit is set.
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

	acc   uint64 // bits consumed from in but not used; the lowest is next
	n     uint   // number of bits in acc
	skip  uint   // bits to skip: the rest of a group
	width width  // of the codes
	table table

	lo, hi int // out[lo:hi] is decoded and not yet returned
	out    [fullOut + maxString]byte
}

// Reset begins a stream and reads its header. The Reader reads no more of in than it needs. Reset
// returns an error of in, an [*Error] if there is no header, or [io.ErrUnexpectedEOF] if the
// header is truncated. Read returns that error again.
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
		r.width.max, r.table.first = uint(head[2]&0x1f), 256
		if r.width.max == firstBits {
			// compress checks for the largest width only after it has made codes wider,
			// so it never stays at 9.
			r.width.max++
		}
		if head[2]&0x80 != 0 {
			r.table.first = 257
		}
		r.table.most = 1 << r.width.max
		r.table.empty()
		r.width.set(firstBits)
		_, r.err = in.Discard(3)
	}
	return r.err
}

// Read decodes, and does not wait to fill p. It returns [io.EOF] at the end,
// [io.ErrUnexpectedEOF] if the stream ends within a code, an [*Error] for an invalid code, and
// an error of in unchanged. All bytes in front of the error are returned first.
func (r *Reader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for r.lo == r.hi {
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
		if r.table.free >= r.width.grow {
			r.skip = r.width.padding()
			r.width.set(r.width.bits + 1)
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
		for n < r.width.bits && i < len(src) {
			acc |= uint64(src[i]) << n
			i, n = i+1, n+8
		}
		if n < r.width.bits || r.skip > 0 {
			break
		}
		code := int(acc & (1<<r.width.bits - 1))
		acc, n = acc>>r.width.bits, n-r.width.bits
		r.width.codes++
		if code == clearCode && r.table.first > clearCode {
			r.skip = r.width.padding()
			r.table.empty()
			r.width.set(firstBits)
			continue
		}
		k := r.table.write(r.out[w:], code)
		if k == 0 {
			bit := (r.pos+int64(i))*8 - int64(n) - int64(r.width.bits)
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

// end decides how a stream ends. If a byte or more of a code is left, the stream was cut
// within a code. Fewer bits are the filling of the last byte: some writers use zeros, and
// some leave what was in their buffer. So most truncated streams cannot be recognised by
// their end.
func (r *Reader) end(err error) {
	if err == io.EOF && r.n >= 8 {
		err = io.ErrUnexpectedEOF
	}
	r.err = err
}

const (
	maxBits   = 16
	maxString = 1 << maxBits // no string is longer, since each of its prefixes has a code
	noCode    = -1
)

// A width is how many bits a code has. It grows with the table.
type width struct {
	bits  uint
	max   uint // the largest
	grow  int  // when table.free reaches it, codes become wider
	codes uint // number of codes since the width changed
}

// set begins a group of codes of that many bits each.
func (w *width) set(bits uint) {
	w.bits, w.codes = bits, 0
	w.grow = 1 << bits
	if bits == w.max {
		w.grow = 1<<maxBits + 1 // never
	}
}

// padding returns how many bits are left in the current group of eight codes.
func (w *width) padding() uint { return -w.codes % 8 * w.bits }

// A table has the strings of the codes from first on. A smaller code is a byte.
type table struct {
	first int // the first code with an entry: 256, or 257 in block mode
	free  int // the next code that gets an entry
	most  int // the number that free cannot exceed
	prev  int // the previous code, or noCode

	entries [1 << maxBits]uint32 // prefix code << 8 | last byte
	length  [1 << maxBits]uint16 // length of its string
}

// empty resets t to its initial state.
func (t *table) empty() { t.free, t.prev = t.first, noCode }

// write writes the string of code to the beginning of out and adds an entry to t. It returns
// the length of the string, or 0 if the code is invalid. Each iteration writes one byte:
// an entry refers to a smaller code.
func (t *table) write(out []byte, code int) int {
	n, c, again := 1, code, false
	switch {
	case code < 256:
	case code < t.free:
		n = int(t.length[code])
	case code == t.free && t.prev != noCode:
		// This code is the one that is being added: its string is the previous string, followed
		// by the first byte of the previous string.
		c, again = t.prev, true
		n = t.len(c) + 1
	default:
		return 0
	}
	s := out[:n]
	k := n - 1
	if again {
		k--
	}
	for ; c >= 256; k-- {
		e := t.entries[uint16(c)]
		s[k], c = byte(e), int(e>>8)
	}
	s[0] = byte(c)
	if again {
		s[n-1] = s[0]
	}
	if t.prev != noCode && t.free < t.most {
		t.entries[t.free] = uint32(t.prev)<<8 | uint32(s[0])
		t.length[t.free] = uint16(t.len(t.prev) + 1)
		t.free++
	}
	t.prev = code
	return n
}

// len returns the length of the string of a valid code.
func (t *table) len(code int) int {
	if code < 256 {
		return 1
	}
	return int(t.length[code])
}
