package compress

import (
	"bufio"
	"io"
	"sync/atomic"

	"github.com/urlsift/urlsift/extract/internal/compress/bzip2"
	"github.com/urlsift/urlsift/extract/internal/damage"
)

// Where the members of a file begin, for several workers that read it together. A worker
// that starts in the middle of a file searches for the first member after a split, and
// counts text from there. The worker in front of it arrives at that member and knows how
// much text came before it.
//
//	stored   ──────┼─ split ──┼─────── split ───┼──────
//	members  ├───────────┤├─────────────┤├───────────┤
//
// Of the members that were read, only the offsets are kept, and of these at most
// maxStarts.

// maxStarts bounds the Starts that are kept until the text in front of them is scanned.
// If there are more, the oldest two are merged.
const maxStarts = 16

// A Start is the first member that begins after a split, or after several splits.
type Start struct {
	From int64 // offset in the source: where the member before it begins, or the last split that is done
	At   int64 // offset in the source where the member begins
	Text int64 // offset in the text where the member begins

	Level int // bzip2: the level of the block's stream, or 0 if At is where the stream begins
	Sum   Sum // bzip2: of the blocks of the stream in front of this one
}

// A Sum is the combined checksum of blocks of bzip2.
type Sum = bzip2.Sum

// Frames counts the text of the members of the source. If several workers read the
// source, it also keeps Starts. A nil *Frames counts nothing.
type Frames struct {
	p         *Pool
	text      int64       // offset of the next decompressed byte
	checkEach atomic.Bool // Limits.Ratio is checked for each member; atomic, because the read-ahead goroutine reads it

	split  int64 // bytes of the source between splits; 0 if one worker reads the source
	level  int   // bzip2: level of the stream of the first member; 0 if a stream begins there
	warm   int64 // bytes of text from a Start to where the states of two workers are compared
	at     int64 // where the current member begins
	first  bool  // the current member is the first one after a split, and none of its text was read
	starts []Start

	streams bool // bzip2: only the first block of a stream is recorded

	from  int64 // offset in the source where counting of text began
	began int64 // offset in the text where it began
	lag   int64 // by how much the offsets of this part are smaller than those of the file; valid if near

	prefix prefix // bzip2: for another reader

	near bool // the expansion ratio is near its limit: the file is not split further
}

func (f *Frames) reset() {
	f.text, f.split, f.level, f.first, f.starts = 0, 0, 0, false, f.starts[:0]
	f.from, f.began, f.lag, f.near, f.streams = 0, 0, 0, false, false
	f.prefix = prefix{whole: true}
	f.checkEach.Store(false)
}

// Share makes f keep Starts from now on. split is the distance of splits in the source,
// warm the distance in the text from a Start to where two workers are compared, and at
// the offset in the source of the current member.
func (f *Frames) Share(split, warm, at int64) { f.split, f.warm, f.at = split, warm, at }

// CheckEach says whether all text of the members belongs to one stream of text or messages.
// If so, count compares the text so far with Limits.Ratio as each piece of a member is read.
func (f *Frames) CheckEach(all bool) { f.checkEach.Store(all) }

// At returns the offset in the source of the current member.
func (f *Frames) At() int64 { return f.at }

// Near reports whether the expansion ratio is near its limit.
func (f *Frames) Near() bool { return f.near }

// begin records that a member begins at the next byte of in.
func (f *Frames) begin(in *bufio.Reader) {
	if f == nil || f.split == 0 {
		return
	}
	f.beginAt(Start{At: f.p.Source.read - int64(in.Buffered())})
}

// beginAt records that a member begins at s. It reports whether it is the first one after
// a split.
func (f *Frames) beginAt(s Start) bool {
	if f.split == 0 {
		return false
	}
	after := s.At/f.split > f.at/f.split
	if after {
		if f.first = true; len(f.starts) == maxStarts {
			f.starts[1].From = f.starts[0].From
			f.starts = append(f.starts[:0], f.starts[1:]...)
		}
		s.From, s.Text = f.at, f.text
		f.starts = append(f.starts, s)
	}
	f.at = s.At
	return after
}

// room returns the part of p that may be filled. After a Start that the reader of the
// text does not know yet, text is returned only up to where two workers are compared.
func (f *Frames) room(p []byte) []byte {
	if f == nil || !f.first {
		return p
	}
	return p[:min(int64(len(p)), f.warm)]
}

// count counts n bytes of text. It returns how many of them are allowed, and a Damage if
// that is fewer than n. in is the input that is not yet decompressed. The text is compared
// with how much of the source was read (Source.read). That is the same for any number of
// workers: all of them read the source in blocks that end at the same offsets (see
// Source.once), so when this text is decompressed, the same last block has been read.
func (f *Frames) count(n int, in *bufio.Reader) (int, error) {
	if f == nil || n == 0 {
		return n, nil
	}
	f.text += int64(n)
	f.first = false
	if !f.checkEach.Load() {
		return n, nil
	}
	s, ratio := &f.p.Source, int64(f.p.limits.Ratio)
	if f.split > 0 && !f.near && 2*(f.text-f.began)/ratio > s.read-int64(in.Buffered())-f.from {
		f.near = true
		lag, _, ok := f.p.hooks.InFront()
		if !ok {
			return 0, damage.ErrStopped
		}
		f.lag = lag
	}
	if text := f.text + f.lag; text > RatioFrom && text/ratio > s.read {
		most := max(RatioFrom, ratio*(s.read+1)-1)
		return n - int(text-most), overRatio(ratio)
	}
	return n, nil
}

// NextCompared returns Unknown if no Start is known. Any Read may find one.
const Unknown = 1 << 62

// NextCompared returns the next offset in the text where two workers are compared.
func (f *Frames) NextCompared() int64 {
	if len(f.starts) == 0 {
		return Unknown
	}
	return f.starts[0].Text + f.warm
}

// Passed returns a Start whose text begins at or before upTo, and the next split in front
// of it that is not done. The caller handles the split, and then calls [Frames.Done].
func (f *Frames) Passed(upTo int64) (split int64, s Start, ok bool) {
	if len(f.starts) == 0 || f.starts[0].Text > upTo {
		return 0, s, false
	}
	s = f.starts[0]
	return (s.From/f.split + 1) * f.split, s, true
}

// Done records that the caller has handled split.
func (f *Frames) Done(split int64) {
	if s := &f.starts[0]; split/f.split < s.At/f.split {
		s.From = split
		return
	}
	f.starts = append(f.starts[:0], f.starts[1:]...)
}

// decompressed returns how many bytes of the source the outermost layer has consumed.
func (p *Pool) decompressed() int64 { return p.Source.read - int64(p.layers[0].in.Buffered()) }

// Splits says how a file of many members is divided between workers.
type Splits struct {
	Kind  Kind
	Split int64 // bytes of the source between splits
	Warm  int64 // see [Frames.Share]
	At    int64 // offset in the source of the current member
	Level int   // bzip2: level of the current stream

	Streams bool // bzip2: segments begin at streams only
}

// Divide divides the current stream, which is a file with one layer of compression, into
// parts of at least split bytes of the source. From then on Starts are kept. It returns
// false if the file cannot be divided or has few members.
func (p *Pool) Divide(file io.ReaderAt, size, split, warm int64) (Splits, bool) {
	if p.used != 2 || p.readAhead.active {
		return Splits{}, false
	}
	at, kind := p.decompressed(), p.layers[0].is
	least := firstMember(file, kind, size)
	if least < 0 {
		return Splits{}, false
	}
	p.readAhead.end()
	if split = max(split, least); split > FileBuffer {
		split += -split & (FileBuffer - 1)
	}
	p.Frames.Share(split, max(1, warm), at)
	s := Splits{Kind: kind, Split: split, Warm: max(1, warm), At: at}
	if kind == Bzip2 {
		s.Level = p.layers[0].bzip2.Level()
		s.Streams = hasShortStreams(file, size)
		p.Frames.streams = s.Streams
	}
	return s, true
}

// OpenAt opens the source, divided as s says, at the first member that begins at or after
// the offset from and before end. open opens the source at an offset. text is the offset
// in the text at which counting starts. OpenAt returns the decompressed stream and the
// offset of the member, or nil if there is no such member.
func (p *Pool) OpenAt(open func(at int64) io.Reader, s Splits, from, end, text int64) (in *bufio.Reader, first int64) {
	p.Depth.levels++
	src := &p.Source
	src.ResetAt(open(from), from)
	l := p.next(src)
	if !s.findMember(l.in, from, end, p.hooks.Stopped) {
		return nil, 0
	}
	first = p.decompressed()
	block := first &^ (FileBuffer - 1) // so Reads end at the same offsets as those of a worker that reads alone
	src.ResetAt(open(block), block)
	src.even = true
	l.in.Reset(src)
	if _, err := l.in.Discard(int(first - block)); err != nil {
		return nil, 0
	}
	l.is = s.Kind
	p.Depth.open = 1
	f := &p.Frames
	f.Share(s.Split, s.Warm, first)
	f.level, f.streams = s.Level, s.Streams
	f.prefix.whole = s.Kind != Bzip2
	f.from, f.text, f.began = first, text, text
	f.checkEach.Store(true)
	inner := p.next(l)
	inner.is = None
	return inner.in, first
}

// OpenPlain opens the source without recognising compressions. r reads it from the offset
// at on.
func (p *Pool) OpenPlain(r io.Reader, at int64) *bufio.Reader {
	p.Depth.levels++
	p.Source.ResetAt(r, at)
	l := p.next(&p.Source)
	l.is = None
	return l.in
}
