package tarstream

import (
	"bufio"
	"io"
	"slices"

	"github.com/urlsift/urlsift/extract/internal/damage"
)

// maxName is how many bytes of a name are kept. The rest is cut off.
const maxName = 64 << 10

// An input is what an archive is read from. It knows the offset, and how much of the current
// member is left. Errors are those of in.
type input struct {
	in   *bufio.Reader
	pos  int64 // bytes taken from in
	left int64 // bytes of the member that were not read
	pad  int64 // bytes after them that fill the block

	level int // of in
}

// damage returns a Damage at the offset at, after which Next continues.
func (in *input) damage(at int64, what damage.Fact) error {
	return &damage.Damage{Class: damage.Pack, Stage: damage.StageTar, Err: what, Level: in.level, Offset: at, Known: true, Mild: true}
}

// open begins data of size bytes.
func (in *input) open(size int64) { in.left, in.pad = size, -size&(blockSize-1) }

// readBlock reads a block into b, and returns the number of bytes read.
func (in *input) readBlock(b *block) (int, error) {
	n, err := io.ReadFull(in.in, b[:])
	in.pos += int64(n)
	return n, err
}

// take reads n bytes of the member, or the rest if that is less, into dst from its beginning. It
// keeps as many bytes as a name may have, and skips the others.
func (in *input) take(dst []byte, n int64) ([]byte, error) {
	k := int(min(n, maxName))
	dst = slices.Grow(dst[:0], k)[:k]
	m, err := io.ReadFull(in.in, dst)
	in.pos += int64(m)
	in.left -= int64(m)
	if err != nil {
		return dst[:0], err
	}
	return dst, in.skip(n - int64(k))
}

// skip skips n bytes of the member.
func (in *input) skip(n int64) error {
	in.left -= n
	return in.discard(&n)
}

// byte reads a byte of the member.
func (in *input) byte() (byte, error) {
	c, err := in.in.ReadByte()
	if err != nil {
		return 0, err
	}
	in.pos++
	in.left--
	return c, nil
}

// discard skips *n bytes, and subtracts them from *n. Each iteration skips some of them.
func (in *input) discard(n *int64) error {
	for *n > 0 {
		k, err := in.in.Discard(int(min(*n, 1<<30)))
		*n -= int64(k)
		in.pos += int64(k)
		if err != nil {
			return err
		}
	}
	return nil
}
