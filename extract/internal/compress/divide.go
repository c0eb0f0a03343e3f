package compress

import (
	"bufio"
	"io"

	"github.com/urlsift/urlsift/extract/internal/damage"
)

// Divide divides the current stream into parts of at least splitSize bytes of the source, which
// is file and has size bytes. The stream has one layer of compression. From then on p.Frames
// keeps MemberStarts; for warm see [Frames.Share]. Divide returns false if the file cannot be
// divided or has few members.
func (p *Pool) Divide(file io.ReaderAt, size, splitSize, warm int64) (Splits, bool) {
	if p.used != 2 || p.readAhead.active {
		return Splits{}, false
	}
	at, kind := p.decompressed(), p.layers[0].is
	least := firstMember(file, kind, size)
	if least < 0 {
		return Splits{}, false
	}
	p.readAhead.end()
	if splitSize = max(splitSize, least); splitSize > FileBuffer {
		splitSize += -splitSize & (FileBuffer - 1)
	}
	p.Frames.Share(splitSize, max(1, warm), at)
	s := Splits{Kind: kind, SplitSize: splitSize, Warm: max(1, warm), At: at}
	if kind == Bzip2 {
		s.BlockLevel = p.layers[0].bzip2.Level()
		s.Streams = hasShortStreams(file, size)
		p.Frames.streams = s.Streams
	}
	return s, true
}

// OpenAt opens the source, divided as s says, at the first member that begins at or after the
// offset from and before end. open opens the source at an offset. text is the offset in the text
// at which counting starts. OpenAt returns the decompressed stream and the offset of the member.
// If there is no such member, in is nil.
func (p *Pool) OpenAt(open func(at int64) io.Reader, s Splits, from, end, text int64) (in *bufio.Reader, first int64) {
	p.Depth.levels++
	src := &p.Source
	src.ResetAt(open(from), from)
	l := p.next(src)
	if !s.findMember(l.in, from, end, p.caller.hooks.Stopped) {
		return nil, 0
	}
	first = p.decompressed()
	block := first &^ (FileBuffer - 1) // so Reads end at the same offsets as those of a worker that reads alone
	src.ResetAt(open(block), block)
	src.aligned = true
	l.in.Reset(src)
	if _, err := l.in.Discard(int(first - block)); err != nil {
		return nil, 0
	}
	l.is = s.Kind
	p.Depth.open = 1
	f := &p.Frames
	f.Share(s.SplitSize, s.Warm, first)
	f.blockLevel, f.streams = s.BlockLevel, s.Streams
	f.prefix.whole = s.Kind != Bzip2
	f.fromStored, f.text, f.fromText = first, text, text
	f.checkRatio.Store(true)
	inner := p.next(l)
	inner.is = None
	return inner.in, first
}

// OpenPlain opens the source without recognising compressions. at is the offset of r's first byte
// in the source.
func (p *Pool) OpenPlain(r io.Reader, at int64) *bufio.Reader {
	p.Depth.levels++
	p.Source.ResetAt(r, at)
	l := p.next(&p.Source)
	l.is = None
	return l.in
}

// decompressed returns how many bytes of the source the outermost layer has consumed.
func (p *Pool) decompressed() int64 { return p.Source.read - int64(p.layers[0].in.Buffered()) }

// ContinueAfter makes reading continue after d, damage that the stream at d.Level has returned.
// This is possible only if d is damage to a block of bzip2 whose text is not itself compressed.
// Otherwise ContinueAfter returns false, and later Reads return d again.
func (p *Pool) ContinueAfter(d *damage.Damage) bool {
	for i := range max(0, p.used-1) { // each layer
		l := p.layers[i]
		if l.level != d.Level || l.is != Bzip2 || p.layers[i+1].is != None || l.err != error(d) || !l.bzip2.CanContinue() {
			continue
		}
		if l.ahead != nil {
			p.readAhead.pause()
		}
		l.err = nil
		l.bzip2.Continue()
		return true
	}
	return false
}
