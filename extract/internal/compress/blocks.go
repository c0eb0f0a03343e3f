package compress

import (
	"bufio"

	"github.com/urlsift/urlsift/extract/internal/compress/bzip2"
)

// blocks reads the blocks of bzip2. A block counts as a member here, as a frame of zstd does,
// because each is decoded by itself. But a reader that begins at a block lacks two things that
// are in front of the block. The first is the level of the stream, which bounds the size of
// blocks: the reader assumes the level of the file's first stream, and the reader that arrives
// at the block from the front compares the two levels. The second is the checksums of the
// earlier blocks of the stream, which are needed at the end of the stream: the reader then gets
// them from [Hooks].InFront.
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
		if n, exceeded := b.frames.count(n, b.in); exceeded != nil {
			return n, exceeded
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
	return 0, nil
}
