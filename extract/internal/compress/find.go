package compress

import (
	"bufio"
	"bytes"
	"io"

	"github.com/urlsift/urlsift/extract/internal/compress/bzip2"
)

// A zstd frame and a BGZF block have their size in their headers; other gzip members do not. In
// the middle of a file all of them are recognised by their first bytes.

// A file is divided only if its first zstd frame is not longer than longFrame, or its first
// gzip or bzip2 member not longer than longMember. longMember is smaller, because the end of
// such a member has to be searched for.
const (
	longFrame  = 8 << 20
	longMember = 1 << 20
)

// firstMember returns the length in bytes of the first member of file, if it is short enough and
// another one follows; otherwise -1. size is the length of file.
func firstMember(file io.ReaderAt, is Kind, size int64) (long int64) {
	switch is {
	case Zstd:
		w := frameWalk{file: file}
		if long = w.end(0, longFrame); long > 0 && long < size && w.end(long, long+longFrame) > 0 {
			return long
		}
	case Gzip:
		return memberAfter(file, 1, Splits{Kind: is})
	case Bzip2:
		return memberAfter(file, blockHead, Splits{Kind: is}) // the first block begins before that offset
	}
	return -1
}

// memberAfter returns the offset of the first member of file after at, or -1 if it is further
// away than longMember.
func memberAfter(file io.ReaderAt, at int64, s Splits) int64 {
	buf := make([]byte, FileBuffer)
	for end := at + longMember; at < end; at += FileBuffer - blockHead {
		n, _ := file.ReadAt(buf, at)
		if k := s.index(buf[:n]); k >= 0 {
			return at + int64(k)
		}
		if n < len(buf) {
			break
		}
	}
	return -1
}

// Splits says how a file of many members is divided between workers.
type Splits struct {
	Kind       Kind
	SplitSize  int64 // bytes of the source between split points
	Warm       int64 // see [Frames.Share]
	At         int64 // offset in the source of the current member
	BlockLevel int   // bzip2: level of the current stream

	Streams bool // bzip2: segments begin at streams only
}

// hasShortStreams reports whether file has short streams of bzip2, at its beginning and in its
// middle.
//
// pbzip2 writes such files. Each stream in them has 900,000 bytes of text, often as one long block
// and one block of 19 bytes. After most split points, the next block is such a short one. A reader
// that begins there reaches the end of the stream before its split point, and cannot compare the
// checksum. So readers of these files begin at streams.
func hasShortStreams(file io.ReaderAt, size int64) bool {
	s := Splits{Kind: Bzip2, Streams: true}
	return memberAfter(file, 1, s) >= 0 && memberAfter(file, size/2, s) >= 0
}

// index returns the index in b of the probable beginning of a member where a segment may
// begin, or -1.
func (s Splits) index(b []byte) int {
	if s.Streams {
		return bzip2.IndexStream(b)
	}
	return indexMember(b, s.Kind)
}

// A frameWalk goes through a file from frame to frame. Its results are right if the
// caller's offset is the beginning of a frame and the file is not damaged.
type frameWalk struct {
	file        io.ReaderAt
	frameReader zstdFrameReader
	buf         [4 << 10]byte // bytes of the file from offset at
	at          int64
	n           int
}

// end returns the end of the frame whose offset is at, or of the frame after the skippable frames
// there. It returns -1 if the end is unknown or after limit. Each iteration advances by at least
// one byte, usually by a block.
func (w *frameWalk) end(at, limit int64) int64 {
	g := &w.frameReader
	for g.reset(nil); ; g.step(g) {
		if at += g.pass; at > limit {
			return -1
		}
		if g.step == nil {
			return at
		}
		head := w.peek(at, g.want)
		if head == nil {
			return -1
		}
		at += int64(copy(g.head[:], head))
	}
}

// peek returns n bytes at the offset at, where n is small, or nil if there are fewer.
func (w *frameWalk) peek(at int64, n int) []byte {
	if at < w.at || at+int64(n) > w.at+int64(w.n) {
		w.n, _ = w.file.ReadAt(w.buf[:], at)
		if w.at = at; w.n < n {
			return nil
		}
	}
	return w.buf[at-w.at:][:n]
}

// memberHead is the minimum length in bytes of the header of a gzip member. blockHead is how many
// bytes are needed to recognise a member of any kind; blocks of bzip2 need the most.
const (
	memberHead = 10
	blockHead  = max(memberHead, bzip2.HeadLen)
)

// isMember reports whether head is the header of a gzip member as tools write it (RFC
// 1952, section 2.3). In random bytes this happens once in many gigabytes.
func isMember(head []byte) bool {
	return bytes.HasPrefix(head, gzipMagic) && head[3] < 0x20 &&
		(head[8] == 0 || head[8] == 2 || head[8] == 4) && (head[9] < 14 || head[9] == 255)
}

var (
	gzipMagic  = []byte(gzipHead)
	frameMagic = []byte(zstdMagic)
	skipMagic  = []byte(skipTail)
)

// findMember advances r to the probable beginning of a member in front of the offset end, and
// reports whether there is one. at is the offset of the next byte of r. stopped ends the search.
func (s *Splits) findMember(r *bufio.Reader, at, end int64, stopped func() bool) bool {
	for at < end {
		_, err := r.Peek(r.Size())
		b, _ := r.Peek(r.Buffered())
		if k := s.index(b); k >= 0 {
			_, _ = r.Discard(k)
			return at+int64(k) < end
		}
		pass := len(b) - blockHead
		if err != nil || pass <= 0 || stopped() {
			return false
		}
		_, _ = r.Discard(pass)
		at += int64(pass)
	}
	return false
}

// indexMember returns the index in b of the probable beginning of a member, or of a skippable frame
// of zstd in front of a member. It returns -1 if b has neither. Each byte is examined at most
// twice.
func indexMember(b []byte, is Kind) int {
	switch is {
	case Bzip2:
		return bzip2.Index(b)
	case Gzip:
		for i := 0; ; i++ {
			k := bytes.Index(b[i:], gzipMagic)
			if i += k; k < 0 || len(b)-i < memberHead {
				return -1
			}
			if isMember(b[i:]) {
				return i
			}
		}
	}
	at := bytes.Index(b, frameMagic)
	if at >= 0 {
		b = b[:at]
	}
	for i := 1; i < len(b); i++ {
		k := bytes.Index(b[i:], skipMagic)
		if k < 0 {
			break
		}
		if i += k; b[i-1]>>4 == 5 {
			return i - 1
		}
	}
	return at
}
