package compress

import (
	"bufio"
	"bytes"
	"io"

	"github.com/urlsift/urlsift/extract/internal/compress/bzip2"
	"github.com/urlsift/urlsift/extract/internal/damage"
)

// A file of many short compressed members has parts, which can be decompressed by themselves:
//
//	stored  ├───────┤├────┤├─────────┤├───────┤├──── members
//	        ├─────────────┤├──────────────────┤├──── parts
//
// The members are frames of zstd, blocks of bzip2, or members of gzip, such as the blocks of BGZF. Where a frame of zstd ends is in the
// file. Other members are found by their first bytes; in random bytes these are found once in many gigabytes. So only who has read the part in front knows that
// a part begins where it seems to.

// A file has parts only if its first zstd frame is not longer than longFrame, or its first
// gzip or bzip2 member not longer than longMember. longMember is smaller, because the end of
// such a member has to be searched for.
const (
	longFrame  = 8 << 20
	longMember = 1 << 20
)

// Parts finds the parts of a file, from front to back.
type Parts struct {
	file io.ReaderAt
	size int64
	kind Kind
	next Part
	buf  []byte
	walk frameWalk
}

// A Part is a stretch of the stored bytes of a file: members, if it is what it seems to be.
type Part struct {
	Begin, End int64
	Number     int // of the parts in front of it

	level int // bzip2: the level of the stream, unless a stream begins here
}

// Parts returns the parts of the current stream, which is compressed once and of which file has size bytes. It returns nil if the stream
// does not consist of short members.
func (p *Pool) Parts(file io.ReaderAt, size int64) *Parts {
	if p.used != 2 || p.readAhead.active {
		return nil
	}
	l := p.layers[0]
	s := &Parts{file: file, size: size, kind: l.is, buf: make([]byte, FileBuffer)}
	s.walk.file = file
	switch l.is {
	case Zstd:
		if end := s.frame(0); end < 0 || s.frame(end) < 0 {
			return nil
		}
	case Bzip2:
		s.next.level = l.bzip2.Level()
		fallthrough
	case Gzip:
		if s.member(blockHead, longMember) < 0 { // the first block of bzip2 begins in front of that offset
			return nil
		}
	default:
		return nil
	}
	p.readAhead.end()
	return s
}

// Next returns the next part, which has at least so many bytes unless nothing follows it. last says that nothing does.
func (s *Parts) Next(least int64) (p Part, last bool) {
	p = s.next
	if s.kind == Bzip2 { // a block is long
		least = blockHead
	}
	p.End = s.after(p.Begin, max(1, least))
	s.next.Begin = p.End
	s.next.Number++
	return p, p.End == s.size
}

// after returns where the first member begins that begins at or after at+least; a member begins at at. If that is not known, or far away, it
// returns the end of the file.
func (s *Parts) after(at, least int64) int64 {
	end := at
	switch s.kind {
	case Zstd:
		for end < min(at+least, s.size) {
			if end = s.frame(end); end < 0 {
				return s.size
			}
		}
	default:
		if end = s.member(at+least, least+longMember); end < 0 {
			return s.size
		}
	}
	return end
}

// frame returns where the zstd frame at at ends, or -1 if it is too long or cannot be read. Skippable frames belong to the one after them.
func (s *Parts) frame(at int64) int64 { return s.walk.end(at, min(at+longFrame, s.size)) }

// member returns where the first gzip or bzip2 member probably begins that begins at or after at, or -1 if there is none in far bytes.
func (s *Parts) member(at, far int64) int64 {
	index := bzip2.Index
	if s.kind == Gzip {
		index = indexGzip
	}
	for end := at + far; at < end; at += FileBuffer - blockHead {
		n, _ := s.file.ReadAt(s.buf, at)
		if k := index(s.buf[:n]); k >= 0 {
			return at + int64(k)
		}
		if n < len(s.buf) {
			break
		}
	}
	return -1
}

// A Joint is where a part ends: what is known of the file up to there.
type Joint struct {
	Stored int64 // offset in the file
	Text   int64 // bytes of text in front of it

	block bzip2.BlockStart // bzip2: the block that begins there
}

// A PartEnd is what is known at the end of a part that was read.
type PartEnd struct {
	part  Part
	bzip2 *bzip2.Reader
	block bzip2.BlockStart // that begins there
}

// Left returns what is left of part, of which only the beginning was read because its text is long.
func (e *PartEnd) Left(part Part) (left Part, is bool) {
	left = part
	left.Begin = e.part.End
	return left, left.Begin < part.End
}

// ReadPart appends the text of part to text, which then has at most most bytes, and returns it. If there is more, it reads the members that fit. An error says that the
// part, which may be none, is not read in this way.
func (p *Pool) ReadPart(s *Parts, part Part, text []byte, most int) (_ []byte, e PartEnd, err error) {
	const more = bzip2.HeadLen + 1 // the next block may begin in the last byte
	p.ratio.reset()
	p.Depth.levels++
	defer p.Close(PoolState{})
	end := part.End
	if s.kind == Bzip2 {
		end = min(end+more, s.size)
	}
	stored := io.NewSectionReader(s.file, part.Begin, end-part.Begin)
	l := p.next(stored)
	l.is, l.begun = s.kind, true
	if err := l.start(l.in, l.is); err != nil {
		return text, e, err
	}
	e.part = part
	room := len(text)
	fits, begin := room, part.Begin // how much of text, up to where a member begins
	ended := false
	if m, ok := l.r.(*members); ok {
		reset := m.begin
		m.begin = func(in *bufio.Reader) error {
			read, _ := stored.Seek(0, io.SeekCurrent)
			fits, begin = len(text), part.Begin+read-int64(in.Buffered())
			return reset(in)
		}
	} else {
		e.bzip2 = l.bzip2
		defer func() { e.bzip2.AtBlock = nil }()
		e.bzip2.ResetAt(l.in, bzip2.BlockStart{At: part.Begin, Level: part.level, Sum: bzip2.Unknown})
		e.bzip2.AtBlock = func(b bzip2.BlockStart) {
			fits, begin, e.block = len(text), b.At, b
			ended = b.At >= part.End
		}
	}
	for !ended {
		if p.caller.hooks.Interrupted() {
			return text, e, damage.ErrStopped
		}
		if len(text) == cap(text) {
			if len(text) >= most {
				break
			}
			text = append(make([]byte, 0, min(most, 2*cap(text)-room)), text...)
		}
		n, err := l.unpack(text[len(text):cap(text)])
		if text = text[:len(text)+n]; err == io.EOF {
			fits, begin, ended = len(text), part.End, true
			break
		}
		if err != nil {
			return text, e, err
		}
	}
	if begin == part.Begin || ended && begin != part.End {
		return text, e, errLong
	}
	e.part.End = begin
	return text[:fits], e, nil
}

const errLong = damage.Fact("not a part, or a long one")

// Join moves j from the beginning of the part that was read to its end. text is how many bytes of text it has. Join returns false, and does not change j, if the
// part does not begin at j.
func (j *Joint) Join(e *PartEnd, text int) bool {
	if e.part.Begin != j.Stored {
		return false
	}
	if e.bzip2 != nil {
		if j.block.Level > 0 && j.block.Level != e.part.level || !e.bzip2.Follows(j.block.Sum) {
			return false
		}
		sum := j.block.Sum.Then(e.block.Sum)
		j.block = e.block
		j.block.Sum = sum
	}
	j.Stored, j.Text = e.part.End, j.Text+int64(text)
	return true
}

// OpenRest opens the file of s at j, and returns its text from there on. open opens the file at an offset.
func (p *Pool) OpenRest(open func(at int64) io.Reader, s *Parts, j Joint) *bufio.Reader {
	p.Depth.levels++
	src := &p.Source
	block := j.Stored &^ (FileBuffer - 1) // so Reads end at the same offsets as those of a worker that reads alone
	src.ResetAt(open(block), block)
	src.aligned, src.inLedger = true, j.Stored
	l := p.next(src)
	_, _ = l.in.Discard(int(j.Stored - block)) // an error is returned again by the next Read
	l.is = s.kind
	p.Depth.open = 1
	p.ratio.text = j.Text
	p.CheckRatio(true)
	if s.kind == Bzip2 {
		at := j.block
		at.At = j.Stored
		l.startBzip2(l.in)
		l.bzip2.ResetAt(l.in, at)
		l.begun = true
	}
	inner := p.next(l)
	inner.is = None
	return inner.in
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
)

// indexGzip returns the index in b of the probable beginning of a gzip member, or -1. Each byte is examined at most
// twice.
func indexGzip(b []byte) int {
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

// indexMember returns the index in b of the probable beginning of a member of gzip, or a frame of zstd, or -1.
func indexMember(b []byte, is Kind) int {
	if is == Zstd {
		return bytes.Index(b, frameMagic)
	}
	return indexGzip(b)
}
