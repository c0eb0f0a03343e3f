package decode

import (
	"bytes"
	"io"
	"slices"
)

// maxLines is the most newlines that are remembered: as many as fit in the smallest window of the
// scanner, which is 128 KiB.
const maxLines = 128 << 10

// Lines is the bottom of a chain. It passes on the bytes of its reader and counts the
// newlines among them, so that raw offsets can be reported as lines and columns. A newline
// is the code unit U+000A; in UTF-16 this is not the byte 0x0A. A lone CR is not a newline.
// A line begins after a newline.
//
// It remembers where lines begin, from the line of the last Forget on, in 8 bytes for each newline.
// That is a few KiB for text, and not much more than 1 MiB for any input. If more than maxLines newlines were
// read since the last Forget, the oldest are dropped. This happens only if a decoder removes more
// than a window holds, such as a tag with 131072 line breaks in it. The positions in dropped lines
// become unknown.
type Lines struct {
	r    io.Reader
	off  int64  // bytes read
	unit []byte // a newline in the charset

	// part[:off%len(unit)] is the beginning of a code unit that was cut by a Read.
	part [4]byte

	// starts[head:] are the offsets of lines; starts[head] is that of line first+2. Line
	// first+1 begins at start. Earlier lines are forgotten.
	starts       []int64
	head         int
	first, start int64
	asked        int // index in starts from which after searches next
}

// NewLines returns Lines over r, whose first byte has the raw offset 0 and
// in which a newline is one code unit of 1, 2 or 4 bytes.
func NewLines(r io.Reader, newline []byte) *Lines {
	l := new(Lines)
	l.Reset(r, newline)
	return l
}

// Reset starts l at r. It reuses the memory.
func (l *Lines) Reset(r io.Reader, newline []byte) {
	l.r, l.unit, l.off = r, newline, 0
	l.starts, l.head, l.first, l.start, l.asked = l.starts[:0], 0, 0, 0, 0
}

var lineFeed = []byte("\n") // a newline in UTF-8

// ResetAt is like [Lines.Reset] for UTF-8 that begins at the raw offset off, which is the
// first byte of a line. That line gets the number 1.
func (l *Lines) ResetAt(r io.Reader, off int64) {
	l.Reset(r, lineFeed)
	l.off, l.start = off, off
}

// Read calls the reader once, and counts newlines.
func (l *Lines) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	if len(l.unit) > 1 {
		l.countUnits(p[:n])
		return n, err
	}
	for rest := p[:n]; len(rest) > 0; {
		piece := rest[:min(len(rest), chunk)]
		l.reserve(len(piece) + spare)
		k := len(l.starts)
		l.starts = l.starts[:k+newlines(piece, l.off, l.starts[k:cap(l.starts)])]
		l.limit()
		l.off += int64(len(piece))
		rest = rest[len(piece):]
	}
	return n, err
}

// countUnits is the loop of Read for units of 2 and 4 bytes. Units are aligned to the
// beginning of the stream; a unit that was cut by a Read is completed in the field part.
// Each iteration except the last skips one byte 0x0A.
func (l *Lines) countUnits(p []byte) {
	size := len(l.unit)
	if have := int(l.off % int64(size)); have > 0 {
		n := copy(l.part[have:size], p)
		p, l.off = p[n:], l.off+int64(n)
		if have+n == size && bytes.Equal(l.part[:size], l.unit) {
			l.add(l.off)
		}
	}
	for i := 0; i+size <= len(p); {
		k := bytes.IndexByte(p[i:], '\n')
		if k < 0 {
			break
		}
		i += k &^ (size - 1) // p begins with a unit, and so does p[i:]
		if i+size <= len(p) && bytes.Equal(p[i:i+size], l.unit) {
			l.add(l.off + int64(i+size))
		}
		i += size
	}
	l.off += int64(len(p))
	copy(l.part[:], p[len(p)&^(size-1):])
}

// add records that a line begins at off.
func (l *Lines) add(off int64) {
	l.reserve(1)
	l.starts = append(l.starts, off)
	l.limit()
}

// limit drops the oldest lines, if there are too many.
func (l *Lines) limit() {
	l.drop(len(l.starts) - l.head - maxLines)
}

// reserve makes room for n more starts.
func (l *Lines) reserve(n int) {
	if len(l.starts)+n <= cap(l.starts) {
		return
	}
	if l.head > len(l.starts)/4 {
		l.starts = l.starts[:copy(l.starts, l.starts[l.head:])]
		l.asked = max(0, l.asked-l.head)
		l.head = 0
	}
	if len(l.starts)+n > cap(l.starts) {
		l.starts = slices.Grow(l.starts, max(n, len(l.starts))) // doubled: less garbage than append makes
	}
}

// drop forgets the n oldest lines; the last of their starts becomes l.start.
func (l *Lines) drop(n int) {
	if n > 0 {
		l.head += n
		l.first += int64(n)
		l.start = l.starts[l.head-1]
	}
}

// near is how many starts are tried one by one, before a binary search: positions are usually asked for in order.
const near = 8

// after returns the index of the first start after off.
func (l *Lines) after(off int64) int {
	i := max(l.asked, l.head)
	if i > len(l.starts) || i > l.head && l.starts[i-1] > off {
		i = l.head
	}
	most := min(i+near, len(l.starts))
	for i < most && l.starts[i] <= off {
		i++
	}
	if i == most {
		n, _ := slices.BinarySearch(l.starts[i:], off+1)
		i += n
	}
	l.asked = i
	return i
}

// Starts returns the raw offsets after off at which lines begin, in ascending order, as far as
// the stream was read. The caller can use it instead of searching for line ends again. ok is
// false if some of these lines are forgotten. The slice is valid until the next Read; the
// caller must not change it.
func (l *Lines) Starts(off int64) (starts []int64, ok bool) {
	return l.starts[l.after(off):], off >= l.start
}

// Position returns the line and the column of the raw byte at off. Both count from 1, the
// column in bytes; a byte order mark belongs to line 1. ok is false, and both are 0, if off
// was not read yet or its line is forgotten.
func (l *Lines) Position(off int64) (line, column int64, ok bool) {
	if off < l.start || off > l.off {
		return 0, 0, false
	}
	i, start := l.after(off), l.start
	if i > l.head {
		start = l.starts[i-1]
	}
	return l.first + int64(i-l.head) + 1, off - start + 1, true
}

// Ends returns how many newlines were read.
func (l *Lines) Ends() int64 { return l.first + int64(len(l.starts)-l.head) }

// Forget drops the lines before the line of the raw offset off.
func (l *Lines) Forget(off int64) { l.drop(l.after(off) - l.head) }

// newlines writes the offset after each newline in b to out, in order, and returns their number. at
// is the offset of b. out has spare entries more than b has bytes, which newlines may overwrite.
func newlines(b []byte, at int64, out []int64) (n int) {
	i := 0
	if hasAVX2 && len(b) >= 64 {
		_ = out[len(b)+spare-1]
		i = len(b) &^ 63
		n = newlinesAVX2(b[:i], at, out)
	}
	for { // newlines after i
		k := bytes.IndexByte(b[i:], '\n')
		if k < 0 {
			return n
		}
		i += k + 1
		out[n] = at + int64(i)
		n++
	}
}

// Text has a newline every few dozen bytes. A call of bytes.IndexByte for each costs more
// than the search itself. So newlines are found in whole chunks, on amd64 by an assembler
// kernel. Without the kernel, with a call for each newline, a mailing list takes 7 % more
// processor time, and a mailbox of MIME mail 3 % (least of 25 interleaved runs, one worker,
// text and JSON). With a search in Go that compares eight bytes at a time, both take 6 to 11 %
// more.

// chunk is how many bytes are scanned together. It is a multiple of the 64 bytes that the kernel
// compares. The kernel writes spare entries at a time.
const (
	chunk = 512
	spare = 4
)
