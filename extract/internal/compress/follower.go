package compress

import (
	"bufio"
	"io"
)

// A follower is the common part of readers that stand in front of a library and return io.EOF at
// the end of each frame, so that we know where each frame begins. Such a reader parses the structure
// of a frame without decompressing. T is the type of the reader, which embeds the follower.
type follower[T any] struct {
	in *bufio.Reader

	pass int64    // bytes to pass on before head; they are not parsed
	head [5]byte  // bytes to parse
	have int      // bytes of head
	want int      // bytes of head that step needs; 0 at the end of the frame
	step func(*T) // parses head when it is complete, and sets what follows
}

// expect passes on pass bytes, and then has step parse the next n.
func (f *follower[T]) expect(pass int64, n int, step func(*T)) {
	f.pass, f.want, f.have, f.step = pass, n, 0, step
}

// end passes on pass bytes, which are the last of the frame.
func (f *follower[T]) end(pass int64) { f.expect(pass, 0, nil) }

// read is the Read of reader, which f is a part of. It returns bytes up to where the next step is
// due.
func (f *follower[T]) read(reader *T, p []byte) (n int, err error) {
	switch {
	case f.pass > 0:
		n, err = f.in.Read(p[:min(int64(len(p)), f.pass)])
		f.pass -= int64(n)
	case f.want == 0:
		return 0, io.EOF
	default:
		n, err = f.in.Read(p[:min(len(p), f.want-f.have)])
		f.have += copy(f.head[f.have:], p[:n])
		if f.have == f.want {
			f.step(reader)
		}
	}
	return n, err
}
