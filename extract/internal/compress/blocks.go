package compress

import (
	"bufio"
	"slices"

	"github.com/urlsift/urlsift/extract/internal/compress/bzip2"
	"github.com/urlsift/urlsift/extract/internal/damage"
)

// blocks reads the blocks of bzip2. A block counts as a member here, as a frame of zstd
// does, because each is decoded by itself. But a block begins at any bit, and a reader that
// begins at a block lacks two things that are in front of it. One is the level of its
// stream, which bounds the size of blocks: the reader assumes the level of the file's first
// stream, and the reader that arrives at the block from the front compares the two. The
// other is the checksums of the earlier blocks of the stream, which are needed at its end:
// the reader gets them there from [Hooks].InFront.
type blocks struct {
	r      *bzip2.Reader
	in     *bufio.Reader
	frames *Frames // records where blocks begin; nil except for the outermost layer
}

// Read reads from one block. Each iteration except the last ends where a block begins.
func (b *blocks) Read(p []byte) (int, error) {
	for len(p) > 0 {
		n, err := b.r.Read(b.frames.room(p))
		if b.frames != nil {
			b.frames.prefix.add(p[:n], err)
		}
		if n, over := b.frames.count(n, b.in); over != nil {
			return n, over
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
	return 0, nil
}

// maxPrefix is how much of the text of the first block of a part is kept. It is enough to
// compare two workers in plain text, and usually in a mailbox.
const maxPrefix = 32 << 10

// A prefix is the beginning of the text of the first block of a part.
type prefix struct {
	text  []byte
	whole bool // no more is added to it
}

// add adds text if it belongs to the first block of the part. err is the error of the Read
// that returned it.
func (p *prefix) add(text []byte, err error) {
	if p.whole {
		return
	}
	if err != nil || len(text) == 0 && len(p.text) > 0 {
		p.whole = true // another block begins, or it is damaged
		return
	}
	p.text = append(p.text, text[:min(len(text), maxPrefix-len(p.text))]...)
	p.whole = len(p.text) == maxPrefix
}

// Prefix returns the beginning of the text of the first block of the part, as far as it was
// read. Its bytes do not change later.
func (f *Frames) Prefix() []byte { return slices.Clip(f.prefix.text) }

// atBlock is called where a block begins. If another worker has started there, that worker
// has decoded the block, and this one needs only the beginning of the text, to compare
// states. Decoding such blocks twice would be most of the cost of dividing a file, since a
// block may be as long as a segment.
func (f *Frames) atBlock(s bzip2.Start) (known []byte) {
	if f.streams && s.Level != 0 {
		return nil
	}
	from := f.at
	if !f.beginAt(Start{At: s.At, Level: s.Level, Sum: s.Sum}) || f.near || f.p.hooks.Lend == nil {
		return nil
	}
	for split := (from/f.split + 1) * f.split; split <= s.At; split += f.split { // each split in the block before
		if known = f.p.hooks.Lend(split, f.starts[len(f.starts)-1]); known != nil {
			return known
		}
	}
	return nil
}

// Resume makes reading continue after d, if d is damage to a block of bzip2 and the text of
// that block is not itself compressed. It reports whether it did. d was returned by the
// stream of its level. If Resume returns false, later Reads return d again.
func (p *Pool) Resume(d *damage.Damage) bool {
	for i := range max(0, p.used-1) { // each layer
		l := p.layers[i]
		if l.level != d.Level || l.is != Bzip2 || p.layers[i+1].is != None || l.err != error(d) || !l.bzip2.CanResume() {
			continue
		}
		if l.ahead != nil {
			l.ahead.pause()
		}
		l.err = nil
		l.bzip2.Resume()
		return true
	}
	return false
}

// startBzip2 sets d.r to decompress in: from the beginning of a file, or of a part of it.
func (d *decompressor) startBzip2(in *bufio.Reader) {
	if d.bzip2 == nil {
		d.bzip2 = &bzip2.Reader{Stopped: damage.ErrStopped}
	}
	d.bzip2.AtBlock = nil
	if f := d.frames; f == nil || f.level == 0 {
		d.bzip2.Reset(in)
	} else {
		d.bzip2.ResetAt(in, f.at, f.level)
	}
	if f := d.frames; f != nil {
		d.bzip2.AtBlock = f.atBlock
		d.bzip2.Before = func() (sum Sum, ok bool) {
			_, sum, ok = f.p.hooks.InFront()
			return sum, ok
		}
	}
	d.r = &blocks{d.bzip2, in, d.frames}
}
