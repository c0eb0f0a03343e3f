package transfer

import (
	"bytes"
	"strconv"

	"github.com/urlsift/urlsift/extract/internal/decode"
)

// chunked is a [decode.Decoder] of the chunked transfer coding (RFC 9112, section 7.1).
type chunked struct {
	left  int64 // bytes of the chunk
	began bool  // a chunk was read: its line end comes before the size of the next one
	plain bool  // what follows is no chunk, and is copied
	ended bool  // the last chunk was read
}

// NewChunked returns a Decoder of the chunked transfer coding: it removes the sizes of chunks and the
// trailer. If there is no size where there should be one, everything from there on is copied.
func NewChunked() decode.Decoder { return new(chunked) }

func (c *chunked) Reset() { *c = chunked{} }

// maxChunkLine is how long the line with the size of a chunk may be, in bytes.
const maxChunkLine = 200

// Decode implements [decode.Decoder].
func (c *chunked) Decode(dst, src []byte, atEOF bool) (decode.Conversion, error) {
	switch {
	case c.plain:
		return decode.Copy(dst, src), nil
	case c.ended:
		return decode.Conversion{In: len(src)}, nil
	case c.left > 0:
		conv := decode.Copy(dst, src[:min(int64(len(src)), c.left)])
		c.left -= int64(conv.In)
		return conv, nil
	}
	line := src
	if c.began {
		line = bytes.TrimPrefix(bytes.TrimPrefix(line, []byte{'\r'}), []byte{'\n'})
	}
	end := bytes.IndexByte(line[:min(len(line), maxChunkLine)], '\n')
	if end < 0 {
		if len(line) < maxChunkLine && !atEOF {
			return decode.Conversion{}, nil
		}
		c.plain = true
		return decode.Copy(dst, src), nil
	}
	digits, _, _ := bytes.Cut(line[:end], []byte{';'})
	size, err := strconv.ParseUint(string(bytes.TrimSpace(digits)), 16, 58)
	if err != nil {
		c.plain = true
		return decode.Copy(dst, src), nil
	}
	c.left, c.began, c.ended = int64(size), true, size == 0
	return decode.Conversion{In: len(src) - len(line) + end + 1}, nil
}
