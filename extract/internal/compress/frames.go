package compress

import (
	"bufio"
	"io"
	"sync/atomic"

	"github.com/urlsift/urlsift/extract/internal/damage"
)

// Where the members of a file begin, for several workers that read it together. A
// worker that begins in the middle of a file looks for the beginning of a member
// after a split, and counts text from there; the worker in front of it, which comes
// to that member, knows how much text came before.
//
//	stored   ──────┼─ split ──┼─────── split ───┼──────
//	members  ├───────────┤├─────────────┤├───────────┤
//
// Nothing is kept of the members that were passed but where they began, of at most
// maxStarts of them.

// maxStarts bounds the starts that are kept while the text in front of them is still
// being scanned. Of more, the oldest ones are joined.
const maxStarts = 16

// A Start is the first member that begins after a split, or after several.
type Start struct {
	From int64 // where, in the source, the member before it begins, or the last split that was done
	At   int64 // where, in the source, it begins
	Text int64 // how much text came before it
}

// Frames counts the text of the members of the source, and keeps their Starts where
// several workers read it. A nil *Frames counts nothing.
type Frames struct {
	p       *Pool
	text    int64       // offset of what is decompressed next
	bounded atomic.Bool // Limits.Ratio is checked for each member; the read-ahead goroutine may be at work already

	split  int64 // bytes of the source from split to split; 0 where one worker reads it
	warm   int64 // bytes of text from a Start to where two workers are compared
	at     int64 // where the member begins whose text is read
	first  bool  // that member comes after a split, and nothing of it was read
	starts []Start

	from  int64 // where the count of text began, in the source,
	began int64 // and in the text
	lag   int64 // how far the count of text lags after that of the file, if near
	near  bool  // the expansion ratio is near its limit: the file is not split further
}

func (f *Frames) reset() {
	f.text, f.split, f.first, f.starts = 0, 0, false, f.starts[:0]
	f.from, f.began, f.lag, f.near = 0, 0, 0, false
	f.bounded.Store(false)
}

// Share keeps Starts from now on: there is a split every so many bytes of the source,
// two workers are compared warm bytes of text after a Start, and the member that is
// read begins at the offset at of the source.
func (f *Frames) Share(split, warm, at int64) { f.split, f.warm, f.at = split, warm, at }

// Bound says whether all text of the members is of one stream of text or messages, of
// which Limits.Ratio holds.
func (f *Frames) Bound(all bool) { f.bounded.Store(all) }

// At returns where, in the source, the member begins whose text is read.
func (f *Frames) At() int64 { return f.at }

// Near reports whether the expansion ratio is near its limit.
func (f *Frames) Near() bool { return f.near }

// begin notes that a member begins in in.
func (f *Frames) begin(in *bufio.Reader) {
	if f == nil || f.split == 0 {
		return
	}
	at := f.p.Source.read - int64(in.Buffered())
	if at/f.split > f.at/f.split {
		if f.first = true; len(f.starts) == maxStarts {
			f.starts[1].From = f.starts[0].From
			f.starts = append(f.starts[:0], f.starts[1:]...)
		}
		f.starts = append(f.starts, Start{f.at, at, f.text})
	}
	f.at = at
}

// room returns as much of p as may be read: after a Start that the reader of the text
// has not heard of, no more than up to where two workers are compared.
func (f *Frames) room(p []byte) []byte {
	if f == nil || !f.first {
		return p
	}
	return p[:min(int64(len(p)), f.warm)]
}

// count counts n bytes of text, and returns how many of them there may be, with a
// Damage if that is less. How much of the source has been read by then depends on the
// member alone, as the blocks of it do that are read: see Source.once. in is what is
// still to be decompressed of that.
func (f *Frames) count(n int, in *bufio.Reader) (int, error) {
	if f == nil || n == 0 {
		return n, nil
	}
	f.text += int64(n)
	f.first = false
	if !f.bounded.Load() {
		return n, nil
	}
	s, ratio := &f.p.Source, int64(f.p.limits.Ratio)
	if f.split > 0 && !f.near && 2*(f.text-f.began)/ratio > s.read-int64(in.Buffered())-f.from {
		f.near = true
		lag, ok := f.p.hooks.NearRatio()
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

// Unknown is what NextCompared returns where no Start is known: one may come with any
// Read.
const Unknown = 1 << 62

// NextCompared returns the offset, in the text, where two workers are compared next.
func (f *Frames) NextCompared() int64 {
	if len(f.starts) == 0 {
		return Unknown
	}
	return f.starts[0].Text + f.warm
}

// Passed returns the next split that was passed on the way to a Start whose text
// begins at upTo or before, and the Start. Once it is dealt with, [Frames.Done] is
// called.
func (f *Frames) Passed(upTo int64) (split int64, s Start, ok bool) {
	if len(f.starts) == 0 || f.starts[0].Text > upTo {
		return 0, s, false
	}
	s = f.starts[0]
	return (s.From/f.split + 1) * f.split, s, true
}

// Done notes that a split which was passed is dealt with.
func (f *Frames) Done(split int64) {
	if s := &f.starts[0]; split/f.split < s.At/f.split {
		s.From = split
		return
	}
	f.starts = append(f.starts[:0], f.starts[1:]...)
}

// decompressed returns how many bytes of the source the outermost layer has taken.
func (p *Pool) decompressed() int64 { return p.Source.read - int64(p.layers[0].in.Buffered()) }

// Splits are how a file of many members is divided between workers.
type Splits struct {
	Kind  Kind
	Split int64 // bytes of the source from split to split
	Warm  int64 // see [Frames.Share]
	At    int64 // where, in the source, the current member begins
}

// Divide divides the current stream, which is decompressed once from file, into parts
// of at least so many bytes of the source, and keeps Starts from now on. It reports
// false where that is not possible, or where there are few members.
func (p *Pool) Divide(file io.ReaderAt, size, split, warm int64) (Splits, bool) {
	if p.used != 2 || p.ahead.active {
		return Splits{}, false
	}
	at, kind := p.decompressed(), p.layers[0].is
	least := firstMember(file, kind, size)
	if least < 0 {
		return Splits{}, false
	}
	p.ahead.end()
	if split = max(split, least); split > FileBuffer {
		split += -split & (FileBuffer - 1)
	}
	p.Frames.Share(split, max(1, warm), at)
	return Splits{Kind: kind, Split: split, Warm: max(1, warm), At: at}, true
}

// OpenAt opens the source, which is divided as s says and which open opens at an offset, at
// the first member that begins at the offset from or after it, and before end. Its text is counted from
// the offset text. It returns the decompressed stream, and where the member begins; nil
// if there is none.
func (p *Pool) OpenAt(open func(at int64) io.Reader, s Splits, from, end, text int64) (in *bufio.Reader, first int64) {
	p.level++
	src := &p.Source
	src.ResetAt(open(from), from)
	l := p.next(src)
	if !p.findMember(l.in, s.Kind, from, end) {
		return nil, 0
	}
	first = p.decompressed()
	block := first &^ (FileBuffer - 1) // so that Reads end where those of a worker end that reads alone
	src.ResetAt(open(block), block)
	src.even = true
	l.in.Reset(src)
	if _, err := l.in.Discard(int(first - block)); err != nil {
		return nil, 0
	}
	l.is = s.Kind
	p.depth = 1
	f := &p.Frames
	f.Share(s.Split, s.Warm, first)
	f.from, f.text, f.began = first, text, text
	f.bounded.Store(true)
	inner := p.next(l)
	inner.is = None
	return inner.in, first
}

// OpenPlain opens the source, of which r is what stands from the offset at on, without
// looking for a compression.
func (p *Pool) OpenPlain(r io.Reader, at int64) *bufio.Reader {
	p.level++
	p.Source.ResetAt(r, at)
	l := p.next(&p.Source)
	l.is = None
	return l.in
}
