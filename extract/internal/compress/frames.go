package compress

import (
	"bufio"
	"slices"
	"sync/atomic"

	"github.com/urlsift/urlsift/extract/internal/compress/bzip2"
	"github.com/urlsift/urlsift/extract/internal/damage"
)

// Frames records where the members of a file begin, for several workers that read the file
// together. A worker that starts in the middle of a file searches for the first member after a
// split point, and counts text from there. The worker in front of it arrives at that member and
// knows how much text came before it.
//
//	stored   ──────┼─ split point ─┼── split point ──┼──────
//	members  ├───────────┤├─────────────┤├───────────┤
//
// Offsets are kept only for members that are the first after a split point, and for at most
// maxStarts of these.

// maxStarts bounds how many MemberStarts are kept until the text in front of them is
// scanned. If there are more, the oldest two are merged.
const maxStarts = 16

// Frames counts the text of the members of the source's outermost layer. If several workers
// read the source, it also keeps where some of the members begin, as MemberStarts. A nil *Frames counts nothing.
type Frames struct {
	caller     *caller
	source     *Source
	text       int64       // offset of the next decompressed byte
	checkRatio atomic.Bool // see CheckRatio; atomic, because the read-ahead goroutine reads it

	splitSize  int64 // bytes of the source between split points; 0 if one worker reads the source
	blockLevel int   // bzip2: level of the stream of the first member; 0 if a stream begins there
	warm       int64 // bytes of text from a MemberStart to where the states of two workers are compared
	at         int64 // where the current member begins
	first      bool  // the current member is the first one after a split point, and none of its text was read
	starts     []MemberStart

	streams bool // bzip2: only the first block of a stream is recorded

	countStart

	prefix prefix // bzip2: the beginning of the first block's text, for another reader to compare

	nearRatio bool // the expansion ratio is near its limit: the file is not split further
}

// A countStart is where counting of text began.
type countStart struct {
	fromStored int64 // offset in the source, of stored bytes
	fromText   int64 // offset in the decompressed text
	shift      int64 // by how much the offsets of this part are smaller than those of the file; valid if Frames.nearRatio
}

func (f *Frames) reset() {
	f.text, f.splitSize, f.blockLevel, f.first, f.starts = 0, 0, 0, false, f.starts[:0]
	f.countStart, f.nearRatio, f.streams = countStart{}, false, false
	f.prefix = prefix{whole: true}
	f.checkRatio.Store(false)
}

// maxPrefix is how many bytes of the text of the first block of a part are kept. They are enough
// to compare two workers in plain text, and usually in a mailbox.
const maxPrefix = 32 << 10

// A prefix is the beginning of the text of the first block of a part.
type prefix struct {
	text  []byte
	whole bool // no more is added to it
}

// add adds text if it belongs to the first block of the part. err is the error of the Read that
// returned text.
func (p *prefix) add(text []byte, err error) {
	if p.whole {
		return
	}
	if err != nil || len(text) == 0 && len(p.text) > 0 {
		p.whole = true // another block begins, or this one is damaged
		return
	}
	p.text = append(p.text, text[:min(len(text), maxPrefix-len(p.text))]...)
	p.whole = len(p.text) == maxPrefix
}

// Share makes f keep MemberStarts from now on. splitSize is the number of bytes of the source
// between split points. Two workers are compared in the text at warm bytes after a MemberStart. at
// is the offset in the source at which the current member begins.
func (f *Frames) Share(splitSize, warm, at int64) { f.splitSize, f.warm, f.at = splitSize, warm, at }

// CheckRatio says whether all text of the members belongs to one stream of text or messages. If
// so, count compares the size of the text so far with Limits.Ratio at each Read of a member.
func (f *Frames) CheckRatio(all bool) { f.checkRatio.Store(all) }

// At returns the offset in the source of the current member.
func (f *Frames) At() int64 { return f.at }

// NearRatio reports whether the expansion ratio is near its limit.
func (f *Frames) NearRatio() bool { return f.nearRatio }

// begin records that a member begins at the next byte of in.
func (f *Frames) begin(in *bufio.Reader) {
	if f == nil || f.splitSize == 0 {
		return
	}
	f.beginAt(MemberStart{At: f.source.read - int64(in.Buffered())})
}

// beginAt records that a member begins at s. It reports whether it is the first one after
// a split point.
func (f *Frames) beginAt(s MemberStart) bool {
	if f.splitSize == 0 {
		return false
	}
	after := s.At/f.splitSize > f.at/f.splitSize
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

// Prefix returns the beginning of the text of the first block of the part, as far as it was
// read. Its bytes do not change later.
func (f *Frames) Prefix() []byte { return slices.Clip(f.prefix.text) }

// atBlock is called where a block begins. If another worker has started there, that worker
// has decoded the block, and this one needs only the beginning of the text, to compare
// states. Decoding such blocks twice would be most of the cost of dividing a file, since a
// block may be as long as a segment.
func (f *Frames) atBlock(s bzip2.BlockStart) (known []byte) {
	if f.streams && s.Level != 0 {
		return nil
	}
	from := f.at
	if !f.beginAt(MemberStart{At: s.At, BlockLevel: s.Level, Sum: s.Sum}) || f.nearRatio || f.caller.hooks.FirstText == nil {
		return nil
	}
	for split := (from/f.splitSize + 1) * f.splitSize; split <= s.At; split += f.splitSize { // each split point in the block in front of s
		if known = f.caller.hooks.FirstText(split, f.starts[len(f.starts)-1]); known != nil {
			return known
		}
	}
	return nil
}

// room returns the part of p that may be filled. After a MemberStart that the reader
// of the text does not know yet, text is returned only up to where two workers are compared.
func (f *Frames) room(p []byte) []byte {
	if f == nil || !f.first {
		return p
	}
	return p[:min(int64(len(p)), f.warm)]
}

// count counts n bytes of text. It returns how many of them are allowed, and a Damage if that
// is fewer than n. in is the input that is not yet decompressed. The size of the text is compared
// with how much of the source was read (Source.read). For a given byte of text this is the same
// with any number of workers: all of them read the source in blocks that end at the same offsets
// (see Source.once).
func (f *Frames) count(n int, in *bufio.Reader) (int, error) {
	if f == nil || n == 0 {
		return n, nil
	}
	f.text += int64(n)
	f.first = false
	if !f.checkRatio.Load() {
		return n, nil
	}
	s, ratio, from := f.source, int64(f.caller.limits.Ratio), f.caller.limits.RatioFrom
	if f.splitSize > 0 && !f.nearRatio && 2*(f.text-f.fromText)/ratio > s.read-int64(in.Buffered())-f.fromStored {
		f.nearRatio = true
		shift, _, ok := f.caller.hooks.InFront()
		if !ok {
			return 0, damage.ErrStopped
		}
		f.shift = shift
	}
	if text := f.text + f.shift; text > from && text/ratio > s.read {
		most := max(from, ratio*(s.read+1)-1)
		return n - int(text-most), overRatio(ratio)
	}
	return n, nil
}

// Unknown is what NextCompared returns while no MemberStart is known. Any Read may find one.
const Unknown = 1 << 62

// NextCompared returns the next offset in the text where two workers are compared.
func (f *Frames) NextCompared() int64 {
	if len(f.starts) == 0 {
		return Unknown
	}
	return f.starts[0].Text + f.warm
}

// Passed returns a MemberStart whose text begins at or before upTo, and the next split point
// in front of it that is not done. The caller handles it, and then calls [Frames.Done].
func (f *Frames) Passed(upTo int64) (split int64, s MemberStart, ok bool) {
	if len(f.starts) == 0 || f.starts[0].Text > upTo {
		return 0, s, false
	}
	s = f.starts[0]
	return (s.From/f.splitSize + 1) * f.splitSize, s, true
}

// Done records that the caller has handled the split point split.
func (f *Frames) Done(split int64) {
	if s := &f.starts[0]; split/f.splitSize < s.At/f.splitSize {
		s.From = split
		return
	}
	f.starts = append(f.starts[:0], f.starts[1:]...)
}
