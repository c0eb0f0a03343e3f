package compress

import (
	"bufio"
	"compress/bzip2"
	"io"
)

// A bzip2Reader reads streams that follow one another, as the library does, but
// is not troubled by padding.
type bzip2Reader struct {
	in *bufio.Reader
	r  io.Reader
}

func (b *bzip2Reader) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if err == bzip2.StructuralError("bad magic value in continuation file") {
		// The library has taken two bytes; the last can be given back.
		_ = b.in.UnreadByte()
		if err = skipZeros(b.in); err == nil {
			err = errTrailing
		}
	}
	return n, err
}
